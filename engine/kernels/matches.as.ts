// Kernel of matches.ts. Differs: the second list is passed over sixteen and four documents at a time where they are all less.
//
//   intersect   a, aFrom, aTo; b, bCount; inA, inB. Returns how many are in both.
//   gather      values, places, count, out. out[i] = values[places[i]]; in place where places ascend.
//   gatherSums  the same for f64
//   keepLesser  values (in place), others, count

export function intersect(a: usize, aFrom: u32, aTo: u32, b: usize, bCount: u32, inA: usize, inB: usize): u32 {
  let found: usize = 0;
  let p = b;
  const end = b + (<usize>bCount << 2);
  for (let i = aFrom; i < aTo; i++) {
    const doc = load<u32>(a + (<usize>i << 2));
    while (p + 64 <= end && load<u32>(p, 60) < doc) p += 64;
    while (p + 16 <= end && load<u32>(p, 12) < doc) p += 16;
    while (p < end && load<u32>(p) < doc) p += 4;
    if (p >= end) break;
    // Written either way, kept when equal: no branch to be guessed.
    store<u32>(inA + found, i);
    store<u32>(inB + found, <u32>((p - b) >> 2));
    found += <usize>(load<u32>(p) == doc) << 2;
  }
  return <u32>(found >> 2);
}

export function gather(values: usize, places: usize, count: u32, out: usize): void {
  const end = places + (<usize>count << 2);
  for (; places < end; places += 4, out += 4) store<u32>(out, load<u32>(values + (<usize>load<u32>(places) << 2)));
}

export function gatherSums(sums: usize, places: usize, count: u32, out: usize): void {
  const end = places + (<usize>count << 2);
  for (; places < end; places += 4, out += 8) store<f64>(out, load<f64>(sums + (<usize>load<u32>(places) << 3)));
}

export function keepLesser(values: usize, others: usize, count: u32): void {
  const end = values + (<usize>count << 2);
  for (; values < end; values += 16, others += 16) {
    v128.store(values, i32x4.min_u(v128.load(values), v128.load(others)));
  }
}
