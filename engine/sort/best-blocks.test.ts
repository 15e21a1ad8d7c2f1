import { describe, expect, it } from "vitest";
import { executeSearch } from "../query/search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "../query/testing/memory-reader.js";
import type { SortKey } from "../search.js";
import { chanceOf, newSeed } from "../store/testing/chance.js";
import { BestBlocks } from "./best-blocks.js";
import type { LeafKey } from "./leaf-keys.js";

const chance = chanceOf(newSeed());

/** A key of which only the blocks are looked at. */
function keyOf(ranks: readonly (readonly [number, number])[]): LeafKey {
  const blocks = { min: (block: number) => ranks[block][0], max: (block: number) => ranks[block][1] };
  return { blocks } as unknown as LeafKey;
}

function orderOf(best: BestBlocks): number[] {
  const order = [];
  for (let block = best.next(); block >= 0; block = best.next()) order.push(block);
  return order;
}

describe("the best blocks come first", () => {
  it("by the first key, then by the next ones, then as they lie", () => {
    const first = keyOf([
      [1, 5],
      [0, 9],
      [2, 5],
      [3, 5],
    ]);
    const second = keyOf([
      [7, 8],
      [0, 1],
      [6, 8],
      [5, 9],
    ]);
    const silent = { blocks: null } as unknown as LeafKey;
    const orders = (descending: boolean) => [0, 1, 2].map(() => ({ descending, missingFirst: false }));
    expect(orderOf(new BestBlocks([first, silent, second], orders(true), 4))).toEqual([1, 3, 0, 2]);
    expect(orderOf(new BestBlocks([first, silent, second], orders(false), 4))).toEqual([1, 0, 2, 3]);
    expect(orderOf(new BestBlocks([silent], orders(true), 3))).toEqual([0, 1, 2]);
    expect(orderOf(new BestBlocks([first], orders(true), 0))).toEqual([]);
  });

  it("whatever the values", () => {
    const count = 500;
    const ranks = Array.from({ length: count }, () => [chance(50), 50 + chance(50)] as const);
    const order = orderOf(new BestBlocks([keyOf(ranks)], [{ descending: true, missingFirst: false }], count));
    const expected = [...ranks.keys()].sort((a, b) => ranks[b][1] - ranks[a][1] || a - b);
    expect([chance.label, order]).toEqual([chance.label, expected]);
  });
});

describe("a page sorted by a number, of several segments", () => {
  const index = testIndex({ when: { type: "date" }, size: { type: "long" }, tag: { type: "keyword" } });
  // Times that begin anew in the middle of a segment, and some that are missing.
  const documents = Array.from({ length: 3000 }, (_, i) => ({
    id: String(i),
    source: {
      ...(chance(30) > 0 || i < 1000 ? { when: 1_000_000 + ((i * 7) % 1900) } : {}),
      size: chance(40),
      tag: `t${chance(3)}`,
    },
  }));
  const segments = [700, 1, 999, 300, 1000];

  it.each([
    ["when", "desc"],
    ["when", "asc"],
    ["size", "desc"],
  ] as const)("by %s %s is the same with and without what can be skipped", async (field, order) => {
    const environment = testEnvironment();
    const source = memoryReader(environment, index, documents, { segments });
    const sort: SortKey[] = [{ field, order, missing: "_last" }];
    const query = { kind: "term", field: "tag", value: "t1", caseInsensitive: false, boost: 1 } as const;
    const ask = (trackTotal: number, size: number) =>
      executeSearch([source], searchRequest({ sort, query, trackTotal, size }), environment);
    const all = await ask(Number.POSITIVE_INFINITY, documents.length);
    const matching = documents.filter((document) => document.source.tag === "t1").length;
    expect(all.total).toEqual({ value: matching, relation: "eq" });
    for (const size of [1, 10, 100]) {
      const page = await ask(5, size);
      expect(page.total).toEqual({ value: 5, relation: "gte" });
      expect(page.hits.map((hit) => hit.id)).toEqual(all.hits.slice(0, size).map((hit) => hit.id));
    }
  });
});
