import { describe, expect, it } from "vitest";
import { NO_FIELD, SectionKind } from "../store/section.js";
import { hex, MemorySink, testStorage } from "../store/testing.js";
import { MemorySource } from "../text/testing.js";
import { assemble } from "./assemble.js";
import { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import { decodeShape, ShapeEncoder } from "./shape.js";
import { SourceShapes, writeShapes } from "./shape-section.js";
import { hiddenSlots, type ShownPaths } from "./shown-paths.js";
import { printNothing, SlotKind } from "./slots.js";
import { WHOLE } from "./source-format.js";

const text = (value: string) => new TextEncoder().encode(value);

/** The shape of the format's example: {"a":1,"b":"x"} where a is printed from field 3 and b kept. */
function example(): Uint8Array {
  const encoder = new ShapeEncoder();
  const source = text('{"a":1,"b":"x"}');
  encoder.begin();
  encoder.literal(source, 0, 5);
  encoder.slot(SlotKind.long, 3);
  encoder.literal(source, 6, 12);
  encoder.slot(SlotKind.text, 0);
  encoder.literal(source, 13, 15);
  return encoder.bytes.slice();
}

const VALUES: DocumentValues = {
  count: () => 1,
  long: (field) => 100 + field,
  double: () => Number.NaN,
  term: () => {},
  text: () => {},
};

function put(record: Uint8Array, shown?: ShownPaths): string {
  const output = new ByteOutput(4);
  const shape = decodeShape(example());
  assemble({ shape, hidden: hiddenSlots(shape, shown) }, record, 0, VALUES, output, "a.seg");
  return Buffer.from(output.bytes.subarray(0, output.at)).toString();
}

describe("the shape of documents", () => {
  it("lies in the bytes that the format's comment shows", () => {
    expect(Buffer.from(example()).toString("hex")).toBe(hex("05 7b2261223a 05 03 06 2c2262223a22 00 02 227d"));
  });

  it("puts a document together from what was kept and from columns", () => {
    expect(put(text("hello\0"))).toBe('{"a":103,"b":"hello"}');
    expect(put(text("\0"))).toBe('{"a":103,"b":""}');
  });

  it("puts something short in the place of values that nobody wants, so that the rest stays JSON", () => {
    const { text: string, value, items } = SlotKind;
    const kinds = [
      string,
      value,
      items,
      SlotKind.term,
      SlotKind.terms,
      SlotKind.long,
      SlotKind.boolean,
      SlotKind.double,
      SlotKind.jsonText,
    ];
    const printed = kinds.map((kind) => {
      const output = new ByteOutput(4);
      printNothing(kind, output);
      return Buffer.from(output.bytes.subarray(0, output.at)).toString();
    });
    expect(printed).toEqual(["", "0", "", "", "", "0", "0", "0", ""]);
    expect(put(text("hello\0"), { includes: ["b"], excludes: [] })).toBe('{"a":0,"b":"hello"}');
    expect(put(text("hello\0"), { includes: [], excludes: ["b"] })).toBe('{"a":103,"b":""}');
    expect(put(text("hello\0"), { includes: ["a.x", "b"], excludes: [] })).toBe('{"a":103,"b":"hello"}');
  });

  it("does not take a record with more or fewer parts", () => {
    for (const record of ["", "hello", "hello\0more\0"]) {
      expect(() => put(text(record)), record).toThrow(expect.objectContaining({ code: "corrupt" }));
    }
  });

  it("lies in a section in the bytes that the format's comment shows", () => {
    const sink = new MemorySink();
    writeShapes(sink, testStorage(), [{ block: 0, base: 0 }], [text("abcd")]);
    expect(sink.hex(SectionKind.sourceShapes, NO_FIELD)).toBe(
      hex("01000000 01000000 05000000 00000000 00000000 04 61626364"),
    );
  });

  it("comes back from its section, with what runs of blocks mean by numbers; like shapes take little room", () => {
    const storage = testStorage();
    const sink = new MemorySink();
    const runs = [
      { block: 0, base: 0 },
      { block: 7, base: WHOLE },
      { block: 9, base: 1 },
    ];
    const written = Array.from({ length: 300 }, (_, i) => text(`${"like all others".repeat(1 + (i % 20))}${i}`));
    writeShapes(sink, storage, runs, [example(), ...written]);
    const source = new MemorySource(storage, sink);
    expect(source.sectionSize(SectionKind.sourceShapes, NO_FIELD)).toBeLessThan(6000);
    const shapes = new SourceShapes(source, storage, "a.seg");
    expect(shapes.count).toBe(301);
    expect([0, 6, 7, 8, 9, 100].map((block) => shapes.baseOf(block))).toEqual([0, 0, WHOLE, WHOLE, 1, 1]);
    written.forEach((shape, i) => {
      expect(Buffer.compare(shapes.encoded(i + 1), shape)).toBe(0);
    });
    expect(shapes.shape(0)).toEqual(decodeShape(example()));
    expect(() => shapes.shape(301)).toThrow(expect.objectContaining({ code: "corrupt" }));
  });

  it("are none where the section is absent: all documents are whole", () => {
    const storage = testStorage();
    const shapes = new SourceShapes(new MemorySource(storage, new MemorySink()), storage, "a.seg");
    expect([shapes.count, shapes.baseOf(0), shapes.baseOf(5)]).toEqual([0, WHOLE, WHOLE]);
  });
});
