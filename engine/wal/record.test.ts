import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRecord, goodRecordLength, HEADER_BYTES, LogOp, type OperationMetadata, RecordBuffer } from "./record.js";

const METADATA: OperationMetadata = { id: "a", version: 1, primaryTerm: 1, mappingVersion: 2, routing: undefined };

function encode(sequence: number, metadata: OperationMetadata, payload: string): Buffer {
  const buffer = new RecordBuffer(16);
  buffer.appendOperation(LogOp.index, sequence, metadata, Buffer.from(payload));
  return Buffer.from(buffer.bytes());
}

describe("a log record", () => {
  it("lies on disk as the example in record.ts says", () => {
    expect(encode(5, METADATA, '{"n":1}').toString("hex")).toBe(
      "072a290726000000" + "0500000000000000" + "0100000007000000" + "95a16101" + "0102c0" + "7b226e223a317d",
    );
  });

  it("gives back what was written, whatever the lengths and characters", () => {
    const record = fc.record({
      sequence: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      id: fc.string({ unit: "grapheme", maxLength: 300 }),
      routing: fc.option(fc.string({ unit: "binary", maxLength: 60 }), { nil: undefined }),
      version: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      payload: fc.uint8Array({ maxLength: 400 }),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const buffer = new RecordBuffer(16);
        for (const { sequence, payload, ...rest } of records) {
          const metadata = { ...rest, primaryTerm: 1, mappingVersion: 300 };
          buffer.appendOperation(LogOp.index, sequence, metadata, payload);
        }
        const bytes = Buffer.from(buffer.bytes());
        let at = 0;
        for (const { sequence, payload, id, version, routing } of records) {
          const length = goodRecordLength(bytes, at);
          expect(length).toBeGreaterThan(HEADER_BYTES);
          const found = decodeRecord(bytes, at);
          // Half of a surrogate pair has no UTF-8: it comes back as the replacement character.
          const written = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text).toString());
          expect(found.sequence).toBe(sequence);
          expect(found.metadata).toEqual({
            id: written(id),
            version,
            routing: written(routing),
            primaryTerm: 1,
            mappingVersion: 300,
          });
          expect(Buffer.from(found.payload)).toEqual(Buffer.from(payload));
          at += length;
        }
        expect(at).toBe(bytes.length);
      }),
    );
  });

  it("is refused when any of its bits is flipped", () => {
    const bytes = encode(5, METADATA, '{"n":1}');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3] ^= 1 << (bit & 7);
      expect(goodRecordLength(bytes, 0), `bit ${bit}`).toBe(-1);
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(goodRecordLength(bytes, 0)).toBe(bytes.length);
  });

  it("is refused when any of its bytes is missing", () => {
    const bytes = encode(5, METADATA, '{"n":1}');
    for (let length = 0; length < bytes.length; length++) {
      expect(goodRecordLength(bytes.subarray(0, length), 0)).toBe(-1);
    }
  });
});
