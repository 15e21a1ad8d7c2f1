import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Index } from "./engine-types.js";
import type { Mapping } from "./mapping/mapping.js";
import type { Query } from "./query/query.js";
import { searchRequest } from "./query/testing/memory-reader.js";
import type { SearchRequest } from "./search.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "./testing/engine-fixture.js";

const MAPPING: Mapping = {
  properties: {
    z: { type: "long", ignoreMalformed: true },
    a: { type: "date", ignoreMalformed: true },
    t: { type: "text", fields: { k: { type: "keyword", ignoreAbove: 3 } } },
    o: { type: "object", properties: { ip: { type: "ip", ignoreMalformed: true } } },
    from: { type: "keyword", copyTo: ["z"] },
  },
};
const ALL: Query = { kind: "match_all", boost: 1 };

let fixture: EngineFixture;
let index: Index;

beforeEach(async () => {
  fixture = await engineFixture();
  index = await fixture.engine.createIndex("a", definitionOf(MAPPING));
});
afterEach(() => fixture.remove());

async function search(request: Partial<SearchRequest> = {}) {
  const { hits } = await fixture.engine.search([{ index: "a" }], searchRequest({ query: ALL, size: 10, ...request }));
  return hits;
}

async function writeAll(): Promise<void> {
  const documents = [
    { z: "x", a: "y", t: "longer", o: { ip: "q" } },
    { z: ["x", 1, "y"], t: "abc" },
    { z: 1 },
    { from: "word" },
  ];
  for (const [i, document] of documents.entries()) good(await index.write([indexOf(`${i}`, document)]));
}

describe("ignored fields", () => {
  it("are named on the hits, each once, and can be searched for", async () => {
    await writeAll();
    await index.refresh();
    const named = (await search()).map(({ id, ignored }) => [id, ignored]);
    expect(named).toEqual([
      ["0", ["a", "o.ip", "t.k", "z"]],
      ["1", ["z"]],
      ["2", undefined],
      ["3", ["z"]],
    ]);
    const field = "_ignored";
    const found = async (query: Query) => (await search({ query })).map((hit) => hit.id).sort();
    expect(await found({ kind: "exists", field, boost: 1 })).toEqual(["0", "1", "3"]);
    expect(await found({ kind: "term", field, value: "t.k", caseInsensitive: false, boost: 1 })).toEqual(["0"]);
    expect(await found({ kind: "terms", field, values: ["a", "z"], boost: 1 })).toEqual(["0", "1", "3"]);
  });

  it("are the same after a restart from the log, a refresh and a merge", async () => {
    await writeAll();
    const reopened = (await fixture.reopen()).index("a") as Index;
    await reopened.refresh();
    const before = (await search()).map((hit) => hit.ignored);
    good(await reopened.write([indexOf("9", { z: "q" }), { kind: "delete", id: "1" }]));
    await reopened.refresh();
    await reopened.forceMerge({ maxSegments: 1, onlyDeletes: false });
    expect((await search()).map((hit) => hit.ignored)).toEqual([before[0], before[2], before[3], ["z"]]);
  });

  it("are no part of the mapping, and no pattern means them", async () => {
    await writeAll();
    await index.refresh();
    expect(index.definition.mapping.properties).toEqual(MAPPING.properties);
    expect([...index.fields().keys()]).not.toContain("_ignored");
    const [hit] = await search({ docValueFields: [{ field: "*" }] });
    expect(Object.keys(hit.fields ?? {})).not.toContain("_ignored");
    await index.updateMapping({ properties: { later: { type: "long" } } });
    good(await index.write([indexOf("5", { later: 5, z: "q" })]));
    await index.refresh();
    expect((await search({ query: { kind: "ids", values: ["5"], boost: 1 } }))[0].ignored).toEqual(["z"]);
  });
});
