import { beforeEach, describe, expect, it } from "vitest";
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
  let now: number;
  let keepMs: number;
  let map: VersionMap;

  beforeEach(() => {
    now = 0;
    keepMs = 60_000;
    map = new VersionMap({ now: () => now, keepMs: () => keepMs });
  });

  const publishAt = (at: number, ...entries: [string, VersionEntry][]) => {
    now = at;
    for (const [id, one] of entries) map.publish(id, one, now);
  };

  it("keeps the newer of two pending operations when the older is published", () => {
    const [first, second] = [entry(0), entry(1)];
    map.addPending("a", first);
    map.addPending("a", second);
    map.publish("a", first, 0);
    expect(map.pending("a")).toBe(second);
    map.publish("a", second, 0);
    expect(map.pending("a")).toBeUndefined();
  });

  it("takes back a pending operation, and shows the one before it unless that is published by now", () => {
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
    map.addPending("a", entry(1));
    map.dropPending();
    expect(map.pending("a")).toBeUndefined();
  });

  it("keeps a tombstone for a minute after the last delete, unless the id is written again", () => {
    publishAt(1000, ["a", entry(0, true)], ["b", entry(1, true)], ["b", entry(2)], ["c", entry(3, true)]);
    publishAt(30_000, ["a", entry(4, true)]);
    now = 61_001;
    map.expireTombstones();
    expect(map.tombstone("a")).toMatchObject({ deleted: true, version: 5 });
    expect(map.tombstone("b")).toBeUndefined();
    expect(map.tombstone("c")).toBeUndefined();
    now = 90_001;
    expect(map.tombstone("a")).toBeUndefined();
  });

  it("keeps it as long as the index's setting says now", () => {
    publishAt(1000, ["a", entry(0, true)]);
    now = 2000;
    keepMs = 500;
    expect(map.tombstone("a")).toBeUndefined();
    keepMs = 5000;
    expect(map.tombstone("a")).toMatchObject({ version: 1 });
  });

  it("does not remember for ever when nothing is refreshed", () => {
    for (let n = 0; n < 100; n++) publishAt(n * 10_000, [`id${n}`, entry(n, true)]);
    expect(map.newestTombstones(1000)).toHaveLength(7);
  });

  it("gives the newest to a commit, and takes them back", () => {
    publishAt(1000, ["a", entry(0, true)], ["b", entry(1, true)], ["c", entry(2, true)]);
    const kept = map.newestTombstones(2);
    expect(kept).toEqual([
      ["b", 1, 2, 1000],
      ["c", 2, 3, 1000],
    ]);
    const other = new VersionMap({ now: () => now, keepMs: () => keepMs });
    other.restoreTombstones(kept);
    expect([other.tombstone("a"), other.tombstone("c")]).toMatchObject([undefined, { version: 3, deleted: true }]);
    now = 61_001;
    expect(other.tombstone("c")).toBeUndefined();
  });
});
