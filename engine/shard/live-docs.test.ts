import { describe, expect, it } from "vitest";
import { isSet } from "../store/bits.js";
import { LiveDocs } from "./live-docs.js";

describe("live docs", () => {
  it("show a delete to the writer at once, and to readers when published", () => {
    const live = new LiveDocs(70, null);
    live.delete(3);
    live.delete(69);
    live.delete(3);
    expect([live.isAlive(3), live.published, live.publishedCount, live.changed]).toEqual([false, null, 70, true]);
    live.publish();
    const shown = live.published;
    expect([isSet(shown, 3), isSet(shown, 4), live.publishedCount, live.changed]).toEqual([false, true, 68, false]);
    live.delete(4);
    expect([isSet(shown, 4), live.currentCount, live.publishedCount]).toEqual([true, 67, 68]);
    live.publish();
    expect([isSet(shown, 4), isSet(live.published, 4), live.publishedCount]).toEqual([true, false, 67]);
  });
});
