import { describe, expect, it } from "vitest";
import { shardOfRouting } from "./virtual-shard.js";

/** Routing values in the columns; what OpenSearch 2.19's `_search_shards?routing=` names for an index of so many shards. */
const ROUTINGS = ["a", "b", "1", "user1", "é", "日本", "😀", "hello world", "x".repeat(50), "KEY_0001", "0"];
const SHARDS: readonly (readonly [number, readonly number[]])[] = [
  [1, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  [2, [0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1]],
  [3, [0, 2, 2, 1, 1, 0, 0, 1, 0, 2, 1]],
  [5, [1, 0, 4, 0, 4, 4, 2, 4, 0, 4, 3]],
  [7, [4, 6, 0, 3, 4, 1, 6, 2, 5, 5, 1]],
  [8, [2, 5, 0, 2, 3, 1, 4, 5, 7, 0, 5]],
  [10, [2, 0, 8, 0, 9, 9, 4, 8, 1, 9, 7]],
  [100, [79, 40, 50, 81, 19, 38, 39, 48, 95, 16, 80]],
];

describe("virtual shards", () => {
  it.each(SHARDS)("of an index cut into %i are those that Elasticsearch routes to", (shards, expected) => {
    expect(ROUTINGS.map((routing) => shardOfRouting(routing, shards))).toEqual(expected);
  });
});
