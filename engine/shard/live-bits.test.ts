import { describe, expect, it } from "vitest";
import { allAlive, countAlive, isAlive, LiveDocs } from "./live-bits.js";

describe("live bits", () => {
  it("count every document and nothing past the last", () => {
    for (const count of [0, 1, 31, 32, 33, 64, 100]) expect(countAlive(allAlive(count))).toBe(count);
  });

  it("show a delete to the writer at once, and to readers when published", () => {
    const live = new LiveDocs(70, null);
    live.delete(3);
    live.delete(69);
    live.delete(3);
    expect([live.isAlive(3), live.published, live.publishedCount, live.changed]).toEqual([false, null, 70, true]);
    live.publish();
    const shown = live.published;
    expect([isAlive(shown, 3), isAlive(shown, 4), live.publishedCount, live.changed]).toEqual([false, true, 68, false]);
    live.delete(4);
    expect(isAlive(shown, 4)).toBe(true);
    live.publish();
    expect([isAlive(shown, 4), isAlive(live.published, 4), live.publishedCount]).toEqual([true, false, 67]);
  });
});
