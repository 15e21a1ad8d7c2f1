import { describe, expect, it } from "vitest";
import { heldBy, noteSpan, timed } from "./thread-log.js";

describe("the log of a thread", () => {
  it("says what held the thread within a time, the longest first, cut to that time", () => {
    noteSpan("merge", 1000, 1010);
    noteSpan("bulk", 1012, 1030);
    noteSpan("bulk", 1040, 1042);
    noteSpan("bulk", 2000, 2042);
    expect(heldBy(1005, 1041)).toEqual([
      { what: "bulk", ms: 19 },
      { what: "merge", ms: 5 },
    ]);
    expect(heldBy(1031, 1039)).toEqual([]);
  });

  it("leaves out what took less than a millisecond", () => {
    noteSpan("nothing", 5000, 5000.9);
    expect(heldBy(4999, 5002)).toEqual([]);
  });

  it("notes work that fails, too", () => {
    const from = performance.now();
    const work = () => {
      const until = performance.now() + 2;
      while (performance.now() < until);
      throw new Error("no");
    };
    expect(() => timed("work", work)).toThrow("no");
    expect(heldBy(from, performance.now())[0]?.what).toBe("work");
  });
});
