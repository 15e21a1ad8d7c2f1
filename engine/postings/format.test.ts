import { describe, expect, it } from "vitest";
import { freqToByte } from "../kernels/encode-postings.js";
import { byteToFreq } from "./format.js";

describe("one byte for a frequency", () => {
  it("is rounded up, so that it stays a bound", () => {
    const wrong = Array.from({ length: 5000 }, (_, freq) => freq).filter((freq) => byteToFreq(freqToByte(freq)) < freq);
    expect(wrong).toEqual([]);
    expect([24, 25, 40, 41, 43].map((freq) => byteToFreq(freqToByte(freq)))).toEqual([24, 25, 40, 42, 44]);
  });

  it("is exact for every byte", () => {
    for (let byte = 1; byte < 256; byte++) expect(freqToByte(byteToFreq(byte))).toBe(byte);
  });
});
