import { describe, expect, it } from "vitest";
import { SectionKind } from "../store/section.js";
import { hex, MemorySink, testStorage } from "../store/testing.js";
import { testField } from "../text/testing.js";
import { flushInverted } from "./inverted-flush.js";
import { FilledBuffer } from "./inverted-testing.js";

const BODY = testField(0, "text");

describe("bytes are as format.ts says", () => {
  it("the dictionary of the example", () => {
    const filled = new FilledBuffer(testStorage());
    filled.addText(BODY, 0, [["abc", 1]]);
    filled.addText(BODY, 1, [["abc", 2]]);
    filled.addText(BODY, 3, [["ab", 7]]);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 4);
    const header = `02 00 00 00 01 00 00 00 ${"00".repeat(8)}`;
    expect(sink.hex(SectionKind.termIndex, 0)).toBe(hex(`${header} 00 00 62 61 00 00 00 00 00 00 00 00 00 00 00 00`));
    expect(sink.hex(SectionKind.termData, 0)).toBe(hex("00 02 61 62 02 01 63"));
    expect(sink.hex(SectionKind.termStates, 0)).toBe(hex("00 00 00 01 03 01 03 05 02"));
    expect(sink.hex(SectionKind.norms, 0)).toBe("01010001");
    expect(sink.sections.has(`${SectionKind.fieldLengths}/0`)).toBe(false);
    expect(sink.hex(SectionKind.fieldStats, 0)).toBe(`0300000000000000${"0000000000000840"}`);
  });

  it("lengths stand beside norms where these do not say them exactly", () => {
    const filled = new FilledBuffer(testStorage());
    filled.addText(
      BODY,
      1,
      Array.from({ length: 41 }, (_, i) => ["a", i] as const),
    );
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 2);
    expect(sink.hex(SectionKind.norms, 0)).toBe("0028");
    expect(sink.hex(SectionKind.fieldLengths, 0)).toBe(`01${"00".repeat(15)}0029`);
  });

  it("the postings of the example", () => {
    const filled = new FilledBuffer(testStorage());
    const others = (count: number, from: number) => Array.from({ length: count }, (_, i) => ["z", from + i] as const);
    filled.addText(BODY, 2, [["a", 5], ...others(2, 6)]);
    filled.addText(BODY, 4, [["a", 0], ["a", 300], ...others(5, 301)]);
    const sink = new MemorySink();
    flushInverted(filled.buffer, sink, 5);
    expect(sink.hex(SectionKind.postingData, 0).slice(0, 16)).toBe(hex("02 02 07 01 03 05 02 00"));
    expect(sink.hex(SectionKind.positionData, 0).slice(0, 8)).toBe(hex("05 00 ac 02"));
  });
});
