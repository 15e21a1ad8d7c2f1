import { describe, expect, it } from "vitest";
import { BoundReached, Deadline } from "./limits.js";
import { TextBuilder } from "./text-builder.js";

describe("the time for one file", () => {
  it("is over by the clock, also for what cannot be asked to stop", async () => {
    const deadline = new Deadline(60_000, 20);
    await expect(deadline.within(new Promise(() => {}))).rejects.toThrow(BoundReached);
    expect(() => deadline.check()).toThrow("reading took longer than 60 s");
  });

  it("is over by what the processor did", () => {
    const deadline = new Deadline(10, 60_000);
    expect(() => {
      for (;;) deadline.check();
    }).toThrow(BoundReached);
  });

  it("does not hold what is done in time", async () => {
    expect(await new Deadline().within(Promise.resolve(7))).toBe(7);
  });
});

describe("a text that is being made", () => {
  it("keeps what fits when it becomes too long", () => {
    const out = new TextBuilder(10);
    out.section(1, "A");
    expect(() => out.add("0123456789abc")).toThrow(BoundReached);
    expect(out.finish()).toMatchObject({ text: "0123456789", sections: [{ name: "A", start: 0, end: 10 }] });
  });

  it("has sections by their depth, without the empty ones and the blanks at their ends", () => {
    const out = new TextBuilder();
    out.section(1, "A");
    out.line("one");
    out.section(2, "  B\n b ");
    out.line("two");
    out.add("\n\n");
    out.section(2, "empty");
    out.section(1, "C");
    out.line("three");
    const { text, sections } = out.finish();
    expect(sections.map(({ qualifiedName, start, end }) => [qualifiedName, text.slice(start, end)])).toEqual([
      ["A", "one"],
      ["A.B b", "two"],
      ["C", "three"],
    ]);
  });
});
