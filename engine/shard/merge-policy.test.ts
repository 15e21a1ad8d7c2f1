import { describe, expect, it } from "vitest";
import {
  chooseMerge,
  DEFAULT_MERGE_POLICY,
  type MergeCandidate,
  planExpungeDeletes,
  planForceMerge,
} from "./merge-policy.js";

const MB = 1 << 20;

function segment(megabytes: number, deletedShare = 0): MergeCandidate {
  const docCount = megabytes * 1000;
  return { sizeBytes: megabytes * MB, docCount, liveCount: Math.round(docCount * (1 - deletedShare)) };
}

describe("the merge policy", () => {
  it("leaves few segments alone", () => {
    expect(chooseMerge([], DEFAULT_MERGE_POLICY)).toBeNull();
    expect(chooseMerge([segment(5), segment(5), segment(5)], DEFAULT_MERGE_POLICY)).toBeNull();
    expect(chooseMerge([segment(900), segment(80), segment(10)], DEFAULT_MERGE_POLICY)).toBeNull();
  });

  it("merges ten neighbours of like size rather than one with a giant", () => {
    const list = [segment(300), ...Array.from({ length: 30 }, () => segment(4))];
    const run = chooseMerge(list, DEFAULT_MERGE_POLICY);
    expect(run?.from).toBeGreaterThan(0);
    expect((run?.to ?? 0) - (run?.from ?? 0)).toBe(10);
  });

  it("never plans a segment above the largest size", () => {
    const list = Array.from({ length: 40 }, () => segment(700));
    expect(chooseMerge(list, DEFAULT_MERGE_POLICY)).toBeNull();
  });

  it("rewrites one segment when too much of it is deleted", () => {
    expect(chooseMerge([segment(50), segment(50, 0.9)], DEFAULT_MERGE_POLICY)).toEqual({ from: 1, to: 2 });
  });

  it("prefers neighbours with deleted documents", () => {
    const list = Array.from({ length: 24 }, (_, i) => segment(20, i >= 12 && i < 22 ? 0.5 : 0));
    expect(chooseMerge(list, DEFAULT_MERGE_POLICY)).toEqual({ from: 12, to: 22 });
  });

  it("keeps the number of segments logarithmic while segments keep coming", () => {
    let list: MergeCandidate[] = [];
    let most = 0;
    let written = 0;
    for (let i = 0; i < 1000; i++) {
      list.push(segment(3));
      for (let run = chooseMerge(list, DEFAULT_MERGE_POLICY); run; run = chooseMerge(list, DEFAULT_MERGE_POLICY)) {
        const merged = list.slice(run.from, run.to);
        const size = merged.reduce((sum, one) => sum + one.sizeBytes, 0);
        written += size;
        const one = segment(size / MB);
        list = [...list.slice(0, run.from), one, ...list.slice(run.to)];
      }
      most = Math.max(most, list.length);
    }
    expect(most).toBeLessThan(40);
    expect(written / (3000 * MB)).toBeLessThan(4);
  });

  it("force-merges to one, or to the smallest neighbours joined", () => {
    const list = [segment(100), segment(1), segment(2), segment(50)];
    expect(planForceMerge(list, 1)).toEqual([{ from: 0, to: 4 }]);
    expect(planForceMerge(list, 3)).toEqual([{ from: 1, to: 3 }]);
    expect(planForceMerge([segment(5)], 1)).toEqual([]);
    expect(planForceMerge([segment(5, 0.01)], 1)).toEqual([{ from: 0, to: 1 }]);
  });

  it("expunges deletes where they are a tenth or more", () => {
    expect(planExpungeDeletes([segment(5, 0.5), segment(5, 0.01), segment(5, 0.2)])).toEqual([
      { from: 2, to: 3 },
      { from: 0, to: 1 },
    ]);
  });
});
