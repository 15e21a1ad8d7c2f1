import { describe, expect, it } from "vitest";
import { random } from "../testing/random.js";
import { TopHits } from "./top-hits.js";

describe("TopHits", () => {
  it("keeps the best by score, equal scores in the order offered", () => {
    const r = random();
    for (const limit of [1, 3, 10, 1500]) {
      const top = new TopHits(limit, () => undefined);
      const all: { score: number; reader: number; doc: number }[] = [];
      for (let doc = 0; doc < 2000; doc++) {
        const hit = { score: r.below(20), reader: doc < 1000 ? 0 : 1, doc: doc % 1000 };
        all.push(hit);
        top.offer(hit.score, hit.reader, hit.doc);
      }
      const expected = all.map((hit, i) => ({ hit, i })).sort((a, b) => b.hit.score - a.hit.score || a.i - b.i);
      expect(top.sorted(), `PINAKES_SEED=${r.seed}`).toEqual(expected.slice(0, limit).map(({ hit }) => hit));
    }
  });

  it("wants nothing when no hits are asked for", () => {
    const top = new TopHits(0, () => undefined);
    expect(top.threshold).toBe(Number.POSITIVE_INFINITY);
    top.offer(5, 0, 0);
    expect(top.sorted()).toEqual([]);
  });
});
