import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_OP } from "./control-record.js";
import { decodeRecord, goodRecordLength, HEADER_BYTES, LogOp, type OperationMetadata } from "./record.js";
import { RecordBuffer } from "./record-buffer.js";

const CHECK = { seed: 0, maxOp: MAX_OP };
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
      gap: fc.nat({ max: 2 ** 50 }),
      id: fc.string({ unit: "grapheme", maxLength: 300 }),
      routing: fc.option(fc.string({ unit: "binary", maxLength: 60 }), { nil: undefined }),
      version: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      payload: fc.oneof(
        { weight: 9, arbitrary: fc.uint8Array({ maxLength: 400 }) },
        // Large enough to be written from where it is.
        {
          weight: 1,
          arbitrary: fc.integer({ min: 16_000, max: 17_000 }).map((size) => new Uint8Array(size).fill(size)),
        },
      ),
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const buffer = new RecordBuffer(16);
        for (const { gap, payload, ...rest } of records) {
          const sequence = buffer.lastSequence + 1 + gap;
          const metadata = { ...rest, primaryTerm: 1, mappingVersion: 300 };
          buffer.appendOperation(LogOp.index, sequence, metadata, payload);
        }
        const bytes = Buffer.from(buffer.bytes());
        expect(bytes.equals(Buffer.concat(buffer.parts()))).toBe(true);
        let at = 0;
        let sequence = -1;
        for (const { gap, payload, id, version, routing } of records) {
          sequence += 1 + gap;
          const length = goodRecordLength(bytes, at, CHECK);
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
          expect(Buffer.from(found.payload).equals(payload)).toBe(true);
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
      expect(goodRecordLength(bytes, 0, CHECK), `bit ${bit}`).toBe(-1);
      bytes[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(goodRecordLength(bytes, 0, CHECK)).toBe(bytes.length);
  });

  it("is refused in a file whose checksums begin elsewhere", () => {
    const bytes = encode(5, METADATA, '{"n":1}');
    expect(goodRecordLength(bytes, 0, { seed: 1, maxOp: MAX_OP })).toBe(-1);
  });

  it("is not appended after one with the same or a higher sequence", () => {
    const buffer = new RecordBuffer(16);
    buffer.begin(0, 7);
    const add = (sequence: number) => buffer.appendOperation(LogOp.index, sequence, METADATA, Buffer.from("{}"));
    expect(() => add(7)).toThrow("record 7 is appended to the log after record 7");
    expect(buffer.length).toBe(0);
    add(8);
    expect(() => add(3)).toThrow(/after record 8/);
    expect([buffer.records, buffer.firstSequence, buffer.lastSequence]).toEqual([1, 8, 8]);
  });

  it("is dropped, payload and all, when the buffer is rewound", () => {
    const buffer = new RecordBuffer(16);
    buffer.appendOperation(LogOp.index, 1, METADATA, Buffer.from("{}"));
    const before = Buffer.from(buffer.bytes());
    const mark = buffer.mark();
    buffer.appendOperation(LogOp.index, 2, METADATA, Buffer.alloc(20_000, 120));
    buffer.rewind(mark);
    expect(buffer.length).toBe(before.length);
    expect(Buffer.concat(buffer.parts())).toEqual(before);
    buffer.appendOperation(LogOp.index, 2, METADATA, Buffer.from("{}"));
    expect([buffer.records, buffer.lastSequence]).toEqual([2, 2]);
  });

  it("is refused when any of its bytes is missing", () => {
    const bytes = encode(5, METADATA, '{"n":1}');
    for (let length = 0; length < bytes.length; length++) {
      expect(goodRecordLength(bytes.subarray(0, length), 0, CHECK)).toBe(-1);
    }
  });
});
