import { describe, expect, it } from "vitest";
import { type VersionEntry, VersionMap } from "./version-map.js";

function entry(seqNo: number, deleted = false): VersionEntry {
  return {
    seqNo,
    primaryTerm: 1,
    version: seqNo + 1,
    deleted,
    source: Buffer.from("{}"),
    routing: undefined,
    published: false,
  };
}

describe("the version map", () => {
  it("keeps the newer of two pending operations when the older is published", () => {
    const map = new VersionMap();
    const [first, second] = [entry(0), entry(1)];
    map.addPending("a", first);
    map.addPending("a", second);
    map.publish("a", first, 0);
    expect(map.pending("a")).toBe(second);
    map.publish("a", second, 0);
    expect(map.pending("a")).toBeUndefined();
  });

  it("takes back a pending operation, and shows the one before it unless that is published by now", () => {
    const map = new VersionMap();
    const first = entry(0);
    map.addPending("a", first);
    map.addPending("a", entry(1));
    map.undoPending("a", first);
    expect(map.pending("a")).toBe(first);
    map.addPending("a", entry(1));
    map.publish("a", first, 0);
    map.undoPending("a", first);
    expect(map.pending("a")).toBeUndefined();
  });

  it("forgets pending operations that failed", () => {
    const map = new VersionMap();
    map.addPending("a", entry(1));
    map.dropPending();
    expect(map.pending("a")).toBeUndefined();
  });

  it("keeps a tombstone for a minute after the last delete, unless the id is written again", () => {
    const map = new VersionMap();
    map.publish("a", entry(0, true), 1000);
    map.publish("b", entry(1, true), 1000);
    map.publish("b", entry(2), 1000);
    map.publish("c", entry(3, true), 1000);
    map.publish("a", entry(4, true), 30_000);
    map.expireTombstones(61_001);
    expect(map.tombstone("a")).toMatchObject({ deleted: true, version: 5 });
    expect(map.tombstone("b")).toBeUndefined();
    expect(map.tombstone("c")).toBeUndefined();
    map.expireTombstones(90_001);
    expect(map.tombstone("a")).toBeUndefined();
  });
});
