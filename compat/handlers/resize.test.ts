import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  const settings = { number_of_shards: 4, number_of_routing_shards: 16, number_of_replicas: 0, "blocks.write": false };
  await node.call("PUT", "/source", { settings, mappings: { properties: { n: { type: "long" } } } });
  for (let n = 0; n < 20; n++) await node.call("PUT", `/source/_doc/${n}`, { n });
  await node.call("POST", "/source/_refresh");
});
afterAll(() => node.close());

const reasonOf = async (path: string, settings: object): Promise<[number, unknown]> => {
  const { status, json } = await node.call("PUT", path, { settings });
  return [status, (json.error as { reason: string } | undefined)?.reason];
};

test("a source that can be written to is refused", async () => {
  expect(await reasonOf("/source/_clone/no", {})).toEqual([
    400,
    expect.stringContaining("must block write operations"),
  ]);
});

describe("of a source that can't be written to", () => {
  beforeAll(() => node.call("PUT", "/source/_block/write"));

  // Words and rules of Elasticsearch's IndexMetadata.selectShrinkShards, selectSplitShard and selectCloneShard.
  test.each([
    [
      "clone",
      { number_of_shards: 6 },
      "the number of target shards (6) must be the same as the number of source shards (4)",
    ],
    [
      "shrink",
      { number_of_shards: 8 },
      "the number of target shards [8] must be less that the number of source shards [4]",
    ],
    ["shrink", { number_of_shards: 3 }, "the number of source shards [4] must be a multiple of [3]"],
    ["split", {}, "Validation Failed: 1: index.number_of_shards is required for split operations;"],
    [
      "split",
      { number_of_shards: 2 },
      "the number of source shards [4] must be less that the number of target shards [2]",
    ],
    ["split", { number_of_shards: 6 }, "the number of source shards [4] must be a factor of [6]"],
    [
      "split",
      { number_of_shards: 32 },
      "the number of routing shards [16] must be a multiple of the target shards [32]",
    ],
    [
      "split",
      { number_of_shards: 8, number_of_routing_shards: 16 },
      "cannot provide index.number_of_routing_shards on resize",
    ],
  ])("%s with %j is refused", async (kind, settings, reason) => {
    expect(await reasonOf(`/source/_${kind}/no`, settings)).toEqual([400, reason]);
    expect((await node.call("HEAD", "/no")).status).toBe(404);
  });

  test.each([
    ["clone", {}, "4"],
    ["shrink", {}, "1"],
    ["shrink", { number_of_shards: 2 }, "2"],
    ["split", { number_of_shards: 8 }, "8"],
  ])("%s with %j makes an index of all documents", async (kind, settings, shards) => {
    const target = `${kind}-${shards}`;
    const made = await node.call("POST", `/source/_${kind}/${target}`, {
      settings: { ...settings, "index.blocks.write": null },
      aliases: { [`of-${target}`]: {} },
    });
    expect(made.json).toEqual({ acknowledged: true, shards_acknowledged: true, index: target });
    const shown = (await node.call("GET", `/${target}?flat_settings=true`)).json;
    expect(shown).toMatchObject({
      [target]: {
        aliases: { [`of-${target}`]: {} },
        mappings: { properties: { n: { type: "long" } } },
        settings: { "index.number_of_shards": shards, "index.resize.source.name": "source" },
      },
    });
    await node.call("PUT", `/of-${target}/_doc/new?refresh=true`, { n: 100 });
    expect((await node.call("GET", `/${target}/_count`)).json.count).toBe(21);
    expect((await node.call("GET", "/source/_count")).json.count).toBe(20);
  });

  // A document stays where its routing value puts it: 16 routing shards in all of the indices.
  test("shards of a split are parts of those they were split from", async () => {
    const idsOn = async (index: string, shard: number) => {
      const { json } = await node.call("GET", `/${index}/_search?preference=_shards:${shard}&size=30&_source=false`);
      return (json as never as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).sort();
    };
    await node.call("PUT", "/source/_split/eight", { settings: { number_of_shards: 8 } });
    const parts = [...(await idsOn("eight", 2)), ...(await idsOn("eight", 3))].sort();
    expect(parts).toEqual(await idsOn("source", 1));
    expect(parts.length).toBeGreaterThan(0);
  });

  test("a target that is there, or a mapping in the body, is refused", async () => {
    expect(await reasonOf("/source/_clone/source", {})).toEqual([400, expect.stringContaining("already exists")]);
    expect((await node.call("PUT", "/source/_clone/no", { mappings: {} })).status).toBe(400);
    expect((await node.call("PUT", "/source/_clone/no?copy_settings=false")).status).toBe(400);
    expect((await node.call("PUT", "/none/_clone/no")).status).toBe(404);
  });

  test("a size for shards decides on their number", async () => {
    const body = { settings: {}, max_primary_shard_size: "1gb" };
    expect((await node.call("PUT", "/source/_shrink/sized", body)).status).toBe(200);
    const settings = (await node.call("GET", "/sized/_settings?flat_settings=true")).json;
    expect(settings).toMatchObject({ sized: { settings: { "index.number_of_shards": "1" } } });
    const both = { settings: { number_of_shards: 1 }, max_primary_shard_size: "1gb" };
    expect((await node.call("PUT", "/source/_shrink/no", both)).status).toBe(400);
  });
});
