import { describe, expect, it } from "vitest";
import { type VersionEntry, VersionMap } from "./version-map.js";

function entry(seqNo: number, deleted = false): VersionEntry {
  return { seqNo, primaryTerm: 1, version: seqNo + 1, deleted, doc: -1, source: null, routing: undefined };
}

describe("the version map", () => {
  it("shows pending operations to the next one only", () => {
    const map = new VersionMap();
    const first = entry(0);
    map.addPending("a", first);
    expect(map.newest("a")).toBe(first);
    expect(map.published("a")).toBeUndefined();
    map.publish("a", first, 7, 0);
    expect(map.published("a")).toMatchObject({ seqNo: 0, doc: 7 });
  });

  it("keeps the newer of two pending operations when the older is published", () => {
    const map = new VersionMap();
    const [first, second] = [entry(0), entry(1)];
    map.addPending("a", first);
    map.addPending("a", second);
    map.publish("a", first, 0, 0);
    expect(map.newest("a")).toBe(second);
    expect(map.published("a")).toBe(first);
  });

  it("forgets pending operations that failed", () => {
    const map = new VersionMap();
    map.publish("a", entry(0), 0, 0);
    map.addPending("a", entry(1));
    map.dropPending();
    expect(map.newest("a")?.seqNo).toBe(0);
  });

  it("keeps a tombstone for a minute, over refreshes, unless the id is written again", () => {
    const map = new VersionMap();
    map.publish("a", entry(0, true), -1, 1000);
    map.publish("b", entry(1, true), -1, 1000);
    map.publish("b", entry(2), 3, 1000);
    map.afterRefresh(61_000);
    expect(map.published("a")).toMatchObject({ deleted: true, version: 1 });
    expect(map.published("b")).toBeUndefined();
    map.afterRefresh(61_001);
    expect(map.published("a")).toBeUndefined();
  });
});
