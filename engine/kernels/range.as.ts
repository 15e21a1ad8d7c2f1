// Kernel of range.ts. Differs: 16, 8, 4 or 2 values are compared at once; a lane mask becomes bits by `bitmask`.
//
//   rangeToBits1, 2, 4        raw (u8, u16, u32), count, low, high (both within the width), bits
//   rangeToBitsDouble8, 4     values (f64, f32), count, low, high, bits
//
// Values of an unfinished last word are compared one by one, so nothing behind the column is read.

// @ts-ignore: decorator
@inline
function inside8(p: usize, low: v128, high: v128): v128 {
  const v = v128.load(p);
  return v128.and(i8x16.ge_u(v, low), i8x16.le_u(v, high));
}
// @ts-ignore: decorator
@inline
function inside16(p: usize, low: v128, high: v128): v128 {
  const v = v128.load(p);
  return v128.and(i16x8.ge_u(v, low), i16x8.le_u(v, high));
}
// @ts-ignore: decorator
@inline
function inside32(p: usize, low: v128, high: v128): v128 {
  const v = v128.load(p);
  return v128.and(i32x4.ge_u(v, low), i32x4.le_u(v, high));
}
// Two masks of 16-bit lanes to 16 bits.
// @ts-ignore: decorator
@inline
function bits16(a: v128, b: v128): u32 {
  return <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(a, b));
}

export function rangeToBits1(raw: usize, count: u32, low: u32, high: u32, bits: usize): void {
  const lows = i8x16.splat(<i8>low), highs = i8x16.splat(<i8>high);
  let at: u32 = 0;
  for (; at + 32 <= count; at += 32) {
    const p = raw + at;
    const first = <u32>i8x16.bitmask(inside8(p, lows, highs));
    store<u32>(bits + (at >> 3), first | (<u32>i8x16.bitmask(inside8(p + 16, lows, highs)) << 16));
  }
  let word: u32 = 0;
  for (let i = at; i < count; i++) {
    const v = <u32>load<u8>(raw + i);
    word |= <u32>(v >= low && v <= high) << (i - at);
  }
  if (at < count) store<u32>(bits + (at >> 3), word);
}

export function rangeToBits2(raw: usize, count: u32, low: u32, high: u32, bits: usize): void {
  const lows = i16x8.splat(<i16>low), highs = i16x8.splat(<i16>high);
  let at: u32 = 0;
  for (; at + 32 <= count; at += 32) {
    const p = raw + (<usize>at << 1);
    const first = bits16(inside16(p, lows, highs), inside16(p + 16, lows, highs));
    store<u32>(bits + (at >> 3), first | (bits16(inside16(p + 32, lows, highs), inside16(p + 48, lows, highs)) << 16));
  }
  let word: u32 = 0;
  for (let i = at; i < count; i++) {
    const v = <u32>load<u16>(raw + (<usize>i << 1));
    word |= <u32>(v >= low && v <= high) << (i - at);
  }
  if (at < count) store<u32>(bits + (at >> 3), word);
}

export function rangeToBits4(raw: usize, count: u32, low: u32, high: u32, bits: usize): void {
  const lows = i32x4.splat(low), highs = i32x4.splat(high);
  let at: u32 = 0;
  for (; at + 32 <= count; at += 32) {
    let word: u32 = 0;
    for (let part: u32 = 0; part < 2; part++) {
      const p = raw + (<usize>(at + 16 * part) << 2);
      const a = i16x8.narrow_i32x4_s(inside32(p, lows, highs), inside32(p + 16, lows, highs));
      const b = i16x8.narrow_i32x4_s(inside32(p + 32, lows, highs), inside32(p + 48, lows, highs));
      word |= bits16(a, b) << (16 * part);
    }
    store<u32>(bits + (at >> 3), word);
  }
  let word: u32 = 0;
  for (let i = at; i < count; i++) {
    const v = load<u32>(raw + (<usize>i << 2));
    word |= <u32>(v >= low && v <= high) << (i - at);
  }
  if (at < count) store<u32>(bits + (at >> 3), word);
}

// @ts-ignore: decorator
@inline
function inside64(v: v128, low: v128, high: v128): u32 {
  return <u32>i64x2.bitmask(v128.and(f64x2.ge(v, low), f64x2.le(v, high)));
}

export function rangeToBitsDouble8(values: usize, count: u32, low: f64, high: f64, bits: usize): void {
  const lows = f64x2.splat(low), highs = f64x2.splat(high);
  for (let at: u32 = 0; at < count; at += 32) {
    const end = min(at + 32, count);
    let word: u32 = 0;
    let i = at;
    for (; i + 2 <= end; i += 2) word |= inside64(v128.load(values + (<usize>i << 3)), lows, highs) << (i - at);
    if (i < end) {
      const v = load<f64>(values + (<usize>i << 3));
      word |= <u32>(v >= low && v <= high) << (i - at);
    }
    store<u32>(bits + (at >> 3), word);
  }
}

export function rangeToBitsDouble4(values: usize, count: u32, low: f64, high: f64, bits: usize): void {
  const lows = f64x2.splat(low), highs = f64x2.splat(high);
  for (let at: u32 = 0; at < count; at += 32) {
    const end = min(at + 32, count);
    let word: u32 = 0;
    let i = at;
    for (; i + 2 <= end; i += 2) {
      const pair = f64x2.promote_low_f32x4(v128.load64_zero(values + (<usize>i << 2)));
      word |= inside64(pair, lows, highs) << (i - at);
    }
    if (i < end) {
      const v = <f64>load<f32>(values + (<usize>i << 2));
      word |= <u32>(v >= low && v <= high) << (i - at);
    }
    store<u32>(bits + (at >> 3), word);
  }
}
