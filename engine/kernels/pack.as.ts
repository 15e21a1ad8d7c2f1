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

// Row number `row` of `width` bits. Called with constants only, so that nothing is left of it but a load or two and shifts.
// @ts-ignore: decorator
@inline
function rowOf(packed: usize, width: i32, row: i32): v128 {
  const at = packed + (<usize>((row * width) >> 5) << 4);
  const used = (row * width) & 31;
  let numbers = i32x4.shr_u(v128.load(at), used);
  if (used + width > 32) numbers = v128.or(numbers, i32x4.shl(v128.load(at, 16), 32 - used));
  return used + width == 32 ? numbers : v128.and(numbers, i32x4.splat((1 << width) - 1));
}
// @ts-ignore: decorator
@inline
function eightRows(packed: usize, width: i32, out: usize, row: i32, plus: v128): void {
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row), plus));
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 1), plus), 16);
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 2), plus), 32);
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 3), plus), 48);
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 4), plus), 64);
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 5), plus), 80);
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 6), plus), 96);
  v128.store(out + (row << 4), i32x4.add(rowOf(packed, width, row + 7), plus), 112);
}
// @ts-ignore: decorator
@inline
function allRows(packed: usize, width: i32, out: usize, plus: v128): void {
  eightRows(packed, width, out, 0, plus);
  eightRows(packed, width, out, 8, plus);
  eightRows(packed, width, out, 16, plus);
  eightRows(packed, width, out, 24, plus);
}

function unpack1(packed: usize, out: usize, plus: v128): void { allRows(packed, 1, out, plus); }
function unpack2(packed: usize, out: usize, plus: v128): void { allRows(packed, 2, out, plus); }
function unpack3(packed: usize, out: usize, plus: v128): void { allRows(packed, 3, out, plus); }
function unpack4(packed: usize, out: usize, plus: v128): void { allRows(packed, 4, out, plus); }
function unpack5(packed: usize, out: usize, plus: v128): void { allRows(packed, 5, out, plus); }
function unpack6(packed: usize, out: usize, plus: v128): void { allRows(packed, 6, out, plus); }
function unpack7(packed: usize, out: usize, plus: v128): void { allRows(packed, 7, out, plus); }
function unpack8(packed: usize, out: usize, plus: v128): void { allRows(packed, 8, out, plus); }
function unpack9(packed: usize, out: usize, plus: v128): void { allRows(packed, 9, out, plus); }
function unpack10(packed: usize, out: usize, plus: v128): void { allRows(packed, 10, out, plus); }
function unpack11(packed: usize, out: usize, plus: v128): void { allRows(packed, 11, out, plus); }
function unpack12(packed: usize, out: usize, plus: v128): void { allRows(packed, 12, out, plus); }
function unpack13(packed: usize, out: usize, plus: v128): void { allRows(packed, 13, out, plus); }
function unpack14(packed: usize, out: usize, plus: v128): void { allRows(packed, 14, out, plus); }
function unpack15(packed: usize, out: usize, plus: v128): void { allRows(packed, 15, out, plus); }
function unpack16(packed: usize, out: usize, plus: v128): void { allRows(packed, 16, out, plus); }

export function unpack128(packed: usize, width: i32, out: usize): void {
  unpackPlus(packed, width, out, i32x4.splat(0));
}

// The numbers with `plus` added to each. Widths that occur have a function of their own: 20 ns instead of 60.
// @ts-ignore: decorator
@inline
export function unpackPlus(packed: usize, width: i32, out: usize, plus: v128): void {
  switch (width) {
    case 0: for (let at = out; at < out + 512; at += 16) v128.store(at, plus); break;
    case 1: unpack1(packed, out, plus); break;
    case 2: unpack2(packed, out, plus); break;
    case 3: unpack3(packed, out, plus); break;
    case 4: unpack4(packed, out, plus); break;
    case 5: unpack5(packed, out, plus); break;
    case 6: unpack6(packed, out, plus); break;
    case 7: unpack7(packed, out, plus); break;
    case 8: unpack8(packed, out, plus); break;
    case 9: unpack9(packed, out, plus); break;
    case 10: unpack10(packed, out, plus); break;
    case 11: unpack11(packed, out, plus); break;
    case 12: unpack12(packed, out, plus); break;
    case 13: unpack13(packed, out, plus); break;
    case 14: unpack14(packed, out, plus); break;
    case 15: unpack15(packed, out, plus); break;
    case 16: unpack16(packed, out, plus); break;
    default: unpackAny(packed, width, out, plus);
  }
}

function unpackAny(packed: usize, width: i32, out: usize, plus: v128): void {
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
    v128.store(out + (row << 4), i32x4.add(v128.and(numbers, mask), plus));
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
