import { afterEach, beforeEach, expect, it } from "vitest";
import type { Index } from "./engine-types.js";
import { searchRequest } from "./query/testing/memory-reader.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "./testing/engine-fixture.js";

const DOCUMENTS = 20;
const PROPERTIES = {
  flag: { type: "boolean" },
  bare: { type: "boolean", docValues: false },
  tag: { type: "keyword" },
  word: { type: "keyword", docValues: false },
} as const;

let fixture: EngineFixture;
let index: Index;

/** One document that gave its fields many equal and unequal values, and is deleted; the others gave one each. */
beforeEach(async () => {
  fixture = await engineFixture();
  index = await fixture.engine.createIndex("a", definitionOf({ properties: PROPERTIES }));
  const many = Array.from({ length: 41 }, (_, i) => `v${i % 7}`);
  const flags = many.map(() => true);
  const rest = Array.from({ length: DOCUMENTS }, (_, i) =>
    indexOf(`${i}`, { flag: true, bare: i % 2 === 0, tag: "v1", word: i % 3 === 0 ? ["v1", "v2"] : "v1" }),
  );
  good(
    await index.write([indexOf("many", { flag: flags, bare: [true, false, true], tag: many, word: many }), ...rest]),
  );
  await index.refresh();
  good(await index.write([{ kind: "delete", id: "many" }]));
  await index.refresh();
});
afterEach(() => fixture.remove());

async function scores(field: string, value: string | boolean): Promise<(number | null)[]> {
  const query = { kind: "term", field, value, caseInsensitive: false, boost: 1 } as const;
  const { hits } = await fixture.engine.search([{ index: "a" }], searchRequest({ query, size: 50 }));
  return hits.map((hit) => hit.score);
}

it.each([
  ["flag", true],
  ["bare", true],
  ["tag", "v1"],
  ["word", "v1"],
  ["word", "v2"],
])("a deleted document's terms of %s count no more, however many equal values it gave (%s)", async (field, value) => {
  const before = await scores(field, value);
  expect(before.length).toBeGreaterThan(5);
  for (const score of before) expect(score).toBeGreaterThan(0);
  await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
  expect(await scores(field, value)).toEqual(before);
});
