import { describe, expect, it } from "vitest";
import { random } from "../query/testing/random.js";
import { ExactSums } from "./exact-sums.js";

function sum(values: readonly number[]): number {
  const sums = new ExactSums(() => undefined);
  sums.addAll(Float64Array.from(values), values.length, null, null);
  return sums.value(0);
}

describe("ExactSums", () => {
  it("rounds once: what naive addition loses is there", () => {
    expect(sum([0.1, 0.2, 0.3])).toBe(0.6);
    expect(sum([1e16, 1, -1e16])).toBe(1);
    expect(sum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(sum([2 ** 53, 1, 1])).toBe(2 ** 53 + 2);
    expect(sum([1e300, 1e-300, -1e300])).toBe(1e-300);
    expect(sum([5e-324, 5e-324])).toBe(1e-323);
    expect(sum([])).toBe(0);
  });

  it("adds time stamps past 2^53 exactly", () => {
    const values = Array.from({ length: 20_001 }, (_, i) => 1_700_000_000_000 + i);
    const exact = values.reduce((total, value) => total + BigInt(value), 0n);
    expect(sum(values)).toBe(Number(exact));
  });

  it("does not depend on the order, nor on how values are dealt out to calls", () => {
    const r = random();
    for (let round = 0; round < 50; round++) {
      const values = Array.from({ length: 200 }, () => (r.next() - 0.5) * 10 ** (r.below(40) - 20));
      const shuffled = [...values].sort(() => r.next() - 0.5);
      const sums = new ExactSums(() => undefined);
      for (const value of shuffled) sums.addAll(Float64Array.of(value), 1, null, null);
      expect(sums.value(0), `PINAKES_SEED=${r.seed}`).toBe(sum(values));
    }
  });

  it("keeps buckets apart", () => {
    const sums = new ExactSums(() => undefined);
    sums.room(100);
    sums.addAll(Float64Array.of(1, 2.5, 3, 4.25), 4, null, Uint32Array.of(7, 99, 7, 99));
    sums.addAll(Float64Array.of(10, 20), 2, Uint32Array.of(1, 1), Uint32Array.of(0, 99));
    expect([sums.value(7), sums.value(99), sums.value(0), sums.value(-1)]).toEqual([4, 36.75, 0, 0]);
  });
});
