import { describe, expect, it } from "vitest";
import { bm25, byte4ToInt, idf, normInverseTable, termWeight } from "./bm25.js";

describe("BM25", () => {
  it("decodes length bytes as Lucene's SmallFloat", () => {
    expect([0, 23, 24, 39, 40, 41, 48, 56].map(byte4ToInt)).toEqual([0, 23, 24, 39, 40, 42, 56, 88]);
    expect(byte4ToInt(255)).toBe(2_013_265_944);
  });

  it("gives the score that OpenSearch explains: fox twice in five words, 2 of 4 documents, 4.5 words on average", () => {
    const weight = termWeight(1, { docCount: 4, sumTotalTermFreq: 18 }, [{ text: "fox", docFreq: 2 }]);
    expect(weight.idf).toBe(Math.fround(Math.log(2)));
    expect(weight.weight).toBe(Math.fround(Math.fround(2.2) * Math.fround(Math.log(2))));
    expect(bm25(weight.weight, 2, weight.normInverse[5])).toBeCloseTo(
      Math.LN2 * 2.2 * (2 / (2 + 1.2 * (0.25 + (0.75 * 5) / 4.5))),
      6,
    );
  });

  it("never falls when the frequency rises or the length falls", () => {
    const table = normInverseTable(Math.fround(37.5));
    for (let byte = 1; byte < 256; byte++) expect(table[byte]).toBeLessThanOrEqual(table[byte - 1]);
    for (let freq = 2; freq < 2000; freq++) {
      expect(bm25(3, freq, table[60])).toBeGreaterThanOrEqual(bm25(3, freq - 1, table[60]));
    }
    expect(idf(1, 10)).toBeGreaterThan(idf(2, 10));
  });
});
