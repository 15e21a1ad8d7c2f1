// Kernel of score.ts. Differs: four contributions are computed in one vector; each lane does the same 32-bit operations.
//
//   scoreBlock  docs, freqs (u32 each); from, count; windowBase, windowEnd; norms (one byte a document, or 0);
//               normInverse (256 f32); weight; accumulators (f64); bits (u32 words)

// @ts-ignore: decorator
@inline
function inverseOf(norms: usize, normInverse: usize, doc: u32): f32 {
  const norm: usize = norms == 0 ? 1 : <usize>load<u8>(norms + doc);
  return load<f32>(normInverse + (norm << 2));
}
// @ts-ignore: decorator
@inline
function add(slot: u32, score: f32, accumulators: usize, bits: usize): void {
  const accumulator = accumulators + (<usize>slot << 3);
  store<f64>(accumulator, load<f64>(accumulator) + <f64>score);
  const word = bits + (<usize>(slot >> 5) << 2);
  store<u32>(word, load<u32>(word) | (1 << (slot & 31)));
}

export function scoreBlock(
  docs: usize, freqs: usize, from: u32, count: u32, windowBase: u32, windowEnd: u32,
  norms: usize, normInverse: usize, weight: f32, accumulators: usize, bits: usize,
): u32 {
  const weights = f32x4.splat(weight);
  const ones = f32x4.splat(1);
  let at = from;
  while (at + 4 <= count && load<u32>(docs + (<usize>at << 2), 12) < windowEnd) {
    const p = docs + (<usize>at << 2);
    const a = load<u32>(p), b = load<u32>(p, 4), c = load<u32>(p, 8), d = load<u32>(p, 12);
    let inverses = f32x4.splat(inverseOf(norms, normInverse, a));
    inverses = f32x4.replace_lane(inverses, 1, inverseOf(norms, normInverse, b));
    inverses = f32x4.replace_lane(inverses, 2, inverseOf(norms, normInverse, c));
    inverses = f32x4.replace_lane(inverses, 3, inverseOf(norms, normInverse, d));
    const frequencies = f32x4.convert_i32x4_u(v128.load(freqs + (<usize>at << 2)));
    const scores = f32x4.sub(weights, f32x4.div(weights, f32x4.add(ones, f32x4.mul(frequencies, inverses))));
    add(a - windowBase, f32x4.extract_lane(scores, 0), accumulators, bits);
    add(b - windowBase, f32x4.extract_lane(scores, 1), accumulators, bits);
    add(c - windowBase, f32x4.extract_lane(scores, 2), accumulators, bits);
    add(d - windowBase, f32x4.extract_lane(scores, 3), accumulators, bits);
    at += 4;
  }
  while (at < count) {
    const doc = load<u32>(docs + (<usize>at << 2));
    if (doc >= windowEnd) break;
    const frequency = <f32>load<u32>(freqs + (<usize>at << 2));
    const score = weight - weight / (<f32>1 + frequency * inverseOf(norms, normInverse, doc));
    add(doc - windowBase, score, accumulators, bits);
    at++;
  }
  return at;
}
