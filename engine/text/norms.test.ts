import { describe, expect, it } from "vitest";
import { LONGEST_EXACT, lengthToNorm, normToLength } from "./norms.js";

describe("one byte for a length", () => {
  it("is Lucene's SmallFloat.intToByte4", () => {
    const lengths = [0, 1, 23, 24, 31, 40, 41, 42, 100, 1000, 100_000, 2 ** 31 - 1];
    expect(lengths.map(lengthToNorm)).toEqual([0, 1, 23, 24, 31, 40, 40, 41, 57, 87, 140, 255]);
  });

  it("every byte stands for a length that gives it again", () => {
    for (let norm = 0; norm < 256; norm++) expect(lengthToNorm(normToLength(norm))).toBe(norm);
  });

  it("says short lengths exactly, and no longer ones", () => {
    const exact = Array.from({ length: LONGEST_EXACT + 3 }, (_, length) => normToLength(lengthToNorm(length)));
    expect(exact.findIndex((length, i) => length !== i)).toBe(LONGEST_EXACT + 2);
    expect(lengthToNorm(LONGEST_EXACT + 1)).toBe(lengthToNorm(LONGEST_EXACT + 2));
  });

  it("longer documents never get a smaller byte", () => {
    const norms = Array.from({ length: 5000 }, (_, length) => lengthToNorm(length));
    expect(norms).toEqual([...norms].sort((a, b) => a - b));
  });
});
