// Kernel of pack.ts. Differs: a vector holds the four lanes, so one shift-and-or handles four numbers.
//
//   pack128       values (128 u32), width 0..32, out (16 * width bytes)
//   unpack128     packed (16 * width bytes), width, out (128 u32)
//   prefixSum128  values (128 u32, in place), base
export function pack128(values: usize, width: i32, out: usize): void {
  if (width == 0) return;
  let word = i32x4.splat(0);
  let filled = 0;
  for (let row = 0; row < 32; row++) {
    const numbers = v128.load(values + (row << 4));
    word = v128.or(word, i32x4.shl(numbers, filled));
    filled += width;
    if (filled >= 32) {
      v128.store(out, word);
      out += 16;
      filled -= 32;
      word = filled > 0 ? i32x4.shr_u(numbers, width - filled) : i32x4.splat(0);
    }
  }
}

export function unpack128(packed: usize, width: i32, out: usize): void {
  if (width == 0) {
    memory.fill(out, 0, 512);
    return;
  }
  const mask = i32x4.splat(width == 32 ? -1 : (1 << width) - 1);
  let word = v128.load(packed);
  let used = 0;
  for (let row = 0; row < 32; row++) {
    let numbers = i32x4.shr_u(word, used);
    used += width;
    if (used >= 32) {
      used -= 32;
      if (row < 31) {
        packed += 16;
        word = v128.load(packed);
        if (used > 0) numbers = v128.or(numbers, i32x4.shl(word, width - used));
      }
    }
    v128.store(out + (row << 4), v128.and(numbers, mask));
  }
}

export function prefixSum128(values: usize, base: u32): void {
  const zero = i32x4.splat(0);
  let carry = i32x4.splat(base);
  for (let row = 0; row < 32; row++) {
    const at = values + (row << 4);
    let sums = v128.load(at);
    // lanes a b c d -> a a+b b+c c+d -> a a+b a+b+c a+b+c+d
    sums = i32x4.add(sums, v128.shuffle<u32>(zero, sums, 0, 4, 5, 6));
    sums = i32x4.add(sums, v128.shuffle<u32>(zero, sums, 0, 1, 4, 5));
    sums = i32x4.add(sums, carry);
    v128.store(at, sums);
    carry = v128.shuffle<u32>(sums, sums, 3, 3, 3, 3);
  }
}
