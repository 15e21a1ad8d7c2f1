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
    live.publish(live.snapshot());
    const shown = live.published;
    expect([isSet(shown, 3), isSet(shown, 4), live.publishedCount, live.changed]).toEqual([false, true, 68, false]);
    live.delete(4);
    expect([isSet(shown, 4), live.currentCount, live.publishedCount]).toEqual([true, 67, 68]);
    live.publish(live.snapshot());
    expect([isSet(shown, 4), isSet(live.published, 4), live.publishedCount]).toEqual([true, false, 67]);
  });

  it("publish what was alive at the snapshot, whatever died since", () => {
    const live = new LiveDocs(10, null);
    live.delete(1);
    const snapshot = live.snapshot();
    live.delete(2);
    live.publish(snapshot);
    expect([isSet(live.published, 1), isSet(live.published, 2), live.publishedCount]).toEqual([false, true, 9]);
    expect([live.isAlive(2), live.changed, live.currentCount]).toEqual([false, true, 8]);
  });

  it("lie in memory that threads share, from the first delete on", () => {
    const live = new LiveDocs(70, null);
    for (const doc of [3, 4]) {
      live.delete(doc);
      live.publish(live.snapshot());
      expect(live.published?.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });
});
