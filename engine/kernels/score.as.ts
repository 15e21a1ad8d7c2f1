// Kernel of score.ts. Differs: four contributions are computed in one vector; each lane does the same 32-bit operations.
//
//   scoreBlock  docs, freqs (u32 each); from, count; windowBase, windowEnd; norms (one byte a document, or 0);
//               normInverse (256 f32); weight; accumulators (f64); marks (one byte a document)
//   addScores, setScores   docs, freqs, count; norms, normInverse; weight; sums (f64)
//   addScoresOf docs, freqs, count; wanted (u32), from, wantedCount; norms, normInverse; weight; sums (f64).
//               Returns the first place of `wanted` behind the last of docs.
//   keepAbove   sums (f64), count; bound, threshold; out (u32). Returns how many.
//   harvest     accumulators (f64), marks; accept (bits, or 0); base; bound, threshold; docs (u32), sums (f64).
//               Returns hits << 16 | candidates.

// @ts-ignore: decorator
@inline
function inverseOf(norms: usize, normInverse: usize, doc: u32): f32 {
  const norm: usize = norms == 0 ? 1 : <usize>load<u8>(norms + doc);
  return load<f32>(normInverse + (norm << 2));
}
// @ts-ignore: decorator
@inline
function add(slot: u32, score: f32, accumulators: usize, marks: usize): void {
  const accumulator = accumulators + (<usize>slot << 3);
  store<f64>(accumulator, load<f64>(accumulator) + <f64>score);
  // A byte and not a bit: neighbours would wait for each other's word.
  store<u8>(marks + slot, 255);
}

export function scoreBlock(
  docs: usize, freqs: usize, from: u32, count: u32, windowBase: u32, windowEnd: u32,
  norms: usize, normInverse: usize, weight: f32, accumulators: usize, marks: usize,
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
    add(a - windowBase, f32x4.extract_lane(scores, 0), accumulators, marks);
    add(b - windowBase, f32x4.extract_lane(scores, 1), accumulators, marks);
    add(c - windowBase, f32x4.extract_lane(scores, 2), accumulators, marks);
    add(d - windowBase, f32x4.extract_lane(scores, 3), accumulators, marks);
    at += 4;
  }
  while (at < count) {
    const doc = load<u32>(docs + (<usize>at << 2));
    if (doc >= windowEnd) break;
    const frequency = <f32>load<u32>(freqs + (<usize>at << 2));
    const score = weight - weight / (<f32>1 + frequency * inverseOf(norms, normInverse, doc));
    add(doc - windowBase, score, accumulators, marks);
    at++;
  }
  return at;
}

// Contributions of four documents, and of one: the same operations in the same order.
// @ts-ignore: decorator
@inline
function fourScores(docs: usize, freqs: usize, norms: usize, normInverse: usize, weights: v128): v128 {
  let inverses = f32x4.splat(inverseOf(norms, normInverse, load<u32>(docs)));
  inverses = f32x4.replace_lane(inverses, 1, inverseOf(norms, normInverse, load<u32>(docs, 4)));
  inverses = f32x4.replace_lane(inverses, 2, inverseOf(norms, normInverse, load<u32>(docs, 8)));
  inverses = f32x4.replace_lane(inverses, 3, inverseOf(norms, normInverse, load<u32>(docs, 12)));
  const frequencies = f32x4.convert_i32x4_u(v128.load(freqs));
  return f32x4.sub(weights, f32x4.div(weights, f32x4.add(f32x4.splat(1), f32x4.mul(frequencies, inverses))));
}
// @ts-ignore: decorator
@inline
function oneScore(doc: u32, freq: u32, norms: usize, normInverse: usize, weight: f32): f32 {
  return weight - weight / (<f32>1 + <f32>freq * inverseOf(norms, normInverse, doc));
}

export function addScores(
  docs: usize, freqs: usize, count: u32, norms: usize, normInverse: usize, weight: f32, sums: usize,
): void {
  rowOfScores(docs, freqs, count, norms, normInverse, weight, sums, true);
}

export function setScores(
  docs: usize, freqs: usize, count: u32, norms: usize, normInverse: usize, weight: f32, sums: usize,
): void {
  rowOfScores(docs, freqs, count, norms, normInverse, weight, sums, false);
}

// @ts-ignore: decorator
@inline
function rowOfScores(
  docs: usize, freqs: usize, count: u32, norms: usize, normInverse: usize, weight: f32, sums: usize, add: bool,
): void {
  const weights = f32x4.splat(weight);
  let at: usize = 0;
  for (; at + 4 <= <usize>count; at += 4) {
    const scores = fourScores(docs + (at << 2), freqs + (at << 2), norms, normInverse, weights);
    const out = sums + (at << 3);
    const low = f64x2.promote_low_f32x4(scores);
    const high = f64x2.promote_low_f32x4(v128.shuffle<u32>(scores, scores, 2, 3, 2, 3));
    v128.store(out, add ? f64x2.add(v128.load(out), low) : low);
    v128.store(out, add ? f64x2.add(v128.load(out, 16), high) : high, 16);
  }
  for (; at < <usize>count; at++) {
    const score = <f64>oneScore(load<u32>(docs + (at << 2)), load<u32>(freqs + (at << 2)), norms, normInverse, weight);
    const out = sums + (at << 3);
    store<f64>(out, add ? load<f64>(out) + score : score);
  }
}

export function addScoresOf(
  docs: usize, freqs: usize, count: u32, wanted: usize, from: u32, wantedCount: u32,
  norms: usize, normInverse: usize, weight: f32, sums: usize,
): u32 {
  let p = docs;
  const end = docs + (<usize>count << 2);
  let at = from;
  for (; at < wantedCount; at++) {
    const doc = load<u32>(wanted + (<usize>at << 2));
    while (p + 64 <= end && load<u32>(p, 60) < doc) p += 64;
    while (p + 16 <= end && load<u32>(p, 12) < doc) p += 16;
    while (p < end && load<u32>(p) < doc) p += 4;
    if (p >= end) break;
    if (load<u32>(p) != doc) continue;
    const out = sums + (<usize>at << 3);
    store<f64>(out, load<f64>(out) + <f64>oneScore(doc, load<u32>(freqs + (p - docs)), norms, normInverse, weight));
  }
  return at;
}

export function keepAbove(sums: usize, count: u32, bound: f64, threshold: f64, out: usize): u32 {
  const bounds = f64x2.splat(bound);
  // The threshold is a float32, or infinite: comparing as float32 is the same.
  const thresholds = f32x4.splat(<f32>threshold);
  let kept = out;
  let at: u32 = 0;
  for (; at + 4 <= count; at += 4) {
    const p = sums + (<usize>at << 3);
    let mask = above(p, bounds, thresholds);
    for (; mask != 0; mask &= mask - 1, kept += 4) store<u32>(kept, at + <u32>ctz(mask));
  }
  for (; at < count; at++) {
    if (<f32>(load<f64>(sums + (<usize>at << 3)) + bound) > <f32>threshold) {
      store<u32>(kept, at);
      kept += 4;
    }
  }
  return <u32>((kept - out) >> 2);
}

// Which of four sums, with the bound added and rounded to float32, exceed the threshold.
// @ts-ignore: decorator
@inline
function above(p: usize, bounds: v128, thresholds: v128): i32 {
  const low = f32x4.demote_f64x2_zero(f64x2.add(v128.load(p), bounds));
  const high = f32x4.demote_f64x2_zero(f64x2.add(v128.load(p, 16), bounds));
  return i32x4.bitmask(f32x4.gt(v128.shuffle<u32>(low, high, 0, 1, 4, 5), thresholds));
}

/** WINDOW of score.ts. */
const WINDOW: u32 = 4096;

export function harvest(
  accumulators: usize, marks: usize, accept: usize, base: u32, bound: f64, threshold: f64, docs: usize, sums: usize,
): u32 {
  const bounds = f64x2.splat(bound);
  const thresholds = f32x4.splat(<f32>threshold);
  let hits: u32 = 0;
  let found: usize = 0;
  for (let first: u32 = 0; first < WINDOW; first += 32) {
    const at = marks + first;
    let word = <u32>i8x16.bitmask(v128.load(at)) | (<u32>i8x16.bitmask(v128.load(at, 16)) << 16);
    if (word == 0) continue;
    if (accept != 0) word &= load<u32>(accept + (first >> 3));
    hits += <u32>popcnt(word);
    const scores = accumulators + (<usize>first << 3);
    let mask: u32 = 0;
    for (let i: u32 = 0; i < 32; i += 4) mask |= <u32>above(scores + (<usize>i << 3), bounds, thresholds) << i;
    for (mask &= word; mask != 0; mask &= mask - 1, found++) {
      const slot = <u32>ctz(mask);
      store<u32>(docs + (found << 2), base + first + slot);
      store<f64>(sums + (found << 3), load<f64>(scores + (<usize>slot << 3)));
    }
    memory.fill(scores, 0, 256);
  }
  memory.fill(marks, 0, WINDOW);
  return (hits << 16) | <u32>found;
}
