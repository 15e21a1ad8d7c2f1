import { expect, test } from "vitest";
import { didYouMean, nearNames } from "./near-names.js";

test("names within a third of the length in edits, the nearest first", () => {
  expect(nearNames("querry", ["query", "queries", "size", "quer"])).toEqual(["query", "quer"]);
  expect(didYouMean("siez", ["size", "from"])).toBe(" did you mean [size]?");
  expect(didYouMean("nothing", ["size"])).toBe("");
});

test("a name of megabytes is near to nothing, which takes no time", () => {
  expect(nearNames("k".repeat(5_000_000), ["query", "size"])).toEqual([]);
});
