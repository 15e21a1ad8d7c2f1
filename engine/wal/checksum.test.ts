import { describe, expect, it } from "vitest";
import { crc32cOf } from "../kernels/crc32c.js";
import { crc32cOfRange } from "./checksum.js";

describe("the log's checksum", () => {
  it("is CRC32C: the check value of RFC 3720", () => {
    expect(crc32cOfRange(Buffer.from("123456789"), 0, 9)).toBe(0xe3069283);
  });

  it("equals the kernels' for every length and alignment up to 40", () => {
    const bytes = Uint8Array.from({ length: 80 }, (_, i) => (i * 151 + 7) & 255);
    for (let from = 0; from < 40; from++) {
      for (let to = from; to <= from + 40; to++) {
        expect(crc32cOfRange(bytes, from, to)).toBe(crc32cOf(bytes.subarray(from, to)));
      }
    }
  });
});
