import { describe, expect, it } from "vitest";
import { allSet, bitWords, clearBit, copyBits, countBits, isSet, sharedWords } from "./bits.js";

describe("bitsets", () => {
  it("are not copied when they are posted: a thread sees what another one changes", () => {
    for (const bits of [sharedWords(3), allSet(70), copyBits(Uint32Array.of(1, 2, 3))]) {
      expect(bits.buffer).toBeInstanceOf(SharedArrayBuffer);
      const posted = structuredClone(bits);
      bits[2] = 42;
      expect(posted[2]).toBe(42);
    }
  });

  it("have as many bits set as are meant, and copies of their own", () => {
    for (const count of [0, 1, 31, 32, 33, 64, 1000]) {
      const bits = allSet(count);
      expect([bits.length, countBits(bits)]).toEqual([bitWords(count), count]);
      if (count === 0) continue;
      const copy = copyBits(bits);
      clearBit(copy, count - 1);
      expect([isSet(bits, count - 1), isSet(copy, count - 1)]).toEqual([true, false]);
    }
  });
});
