// Kernel of similarity.ts. Differs: the sixteen partial sums are the lanes of four vectors.
//
//   dot, squaredDistance  a, b (f32 each), dims

// @ts-ignore: decorator
@inline
function product(a: usize, b: usize): v128 {
  return f32x4.mul(v128.load(a), v128.load(b));
}
// @ts-ignore: decorator
@inline
function square(a: usize, b: usize): v128 {
  const difference = f32x4.sub(v128.load(a), v128.load(b));
  return f32x4.mul(difference, difference);
}
/** Adds four lanes, in order, to a sum so far. */
// @ts-ignore: decorator
@inline
function plus(sum: f64, lanes: v128): f64 {
  sum += <f64>f32x4.extract_lane(lanes, 0);
  sum += <f64>f32x4.extract_lane(lanes, 1);
  sum += <f64>f32x4.extract_lane(lanes, 2);
  return sum + <f64>f32x4.extract_lane(lanes, 3);
}

/** Vector k of the last, incomplete sixteen: lanes behind `rest` numbers hold zero. */
// @ts-ignore: decorator
@inline
function load4(address: usize, rest: i32): v128 {
  if (rest >= 4) return v128.load(address);
  let lanes = f32x4.splat(0);
  if (rest > 0) lanes = f32x4.replace_lane(lanes, 0, load<f32>(address));
  if (rest > 1) lanes = f32x4.replace_lane(lanes, 1, load<f32>(address, 4));
  if (rest > 2) lanes = f32x4.replace_lane(lanes, 2, load<f32>(address, 8));
  return lanes;
}

export function dot(a: usize, b: usize, dims: i32): f64 {
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
  let rest = dims;
  for (; rest >= 16; rest -= 16, a += 64, b += 64) {
    s0 = f32x4.add(s0, product(a, b));
    s1 = f32x4.add(s1, product(a + 16, b + 16));
    s2 = f32x4.add(s2, product(a + 32, b + 32));
    s3 = f32x4.add(s3, product(a + 48, b + 48));
  }
  s0 = f32x4.add(s0, f32x4.mul(load4(a, rest), load4(b, rest)));
  s1 = f32x4.add(s1, f32x4.mul(load4(a + 16, rest - 4), load4(b + 16, rest - 4)));
  s2 = f32x4.add(s2, f32x4.mul(load4(a + 32, rest - 8), load4(b + 32, rest - 8)));
  s3 = f32x4.add(s3, f32x4.mul(load4(a + 48, rest - 12), load4(b + 48, rest - 12)));
  return plus(plus(plus(plus(0, s0), s1), s2), s3);
}

// @ts-ignore: decorator
@inline
function squareOfRest(a: usize, b: usize, rest: i32): v128 {
  const difference = f32x4.sub(load4(a, rest), load4(b, rest));
  return f32x4.mul(difference, difference);
}

export function squaredDistance(a: usize, b: usize, dims: i32): f64 {
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
  let rest = dims;
  for (; rest >= 16; rest -= 16, a += 64, b += 64) {
    s0 = f32x4.add(s0, square(a, b));
    s1 = f32x4.add(s1, square(a + 16, b + 16));
    s2 = f32x4.add(s2, square(a + 32, b + 32));
    s3 = f32x4.add(s3, square(a + 48, b + 48));
  }
  s0 = f32x4.add(s0, squareOfRest(a, b, rest));
  s1 = f32x4.add(s1, squareOfRest(a + 16, b + 16, rest - 4));
  s2 = f32x4.add(s2, squareOfRest(a + 32, b + 32, rest - 8));
  s3 = f32x4.add(s3, squareOfRest(a + 48, b + 48, rest - 12));
  return plus(plus(plus(plus(0, s0), s1), s2), s3);
}
