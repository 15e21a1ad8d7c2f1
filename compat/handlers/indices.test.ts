import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

describe("an index", () => {
  test("is created, shown, found and deleted", async () => {
    const body = {
      settings: {
        number_of_shards: 3,
        index: { refresh_interval: "5s" },
        "index.number_of_replicas": 0,
        analysis: { analyzer: { mine: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } } },
      },
      mappings: { properties: { a: { type: "text", analyzer: "mine" } } },
      aliases: { other: { filter: { term: { a: "x" } } } },
    };
    expect((await node.call("PUT", "/one", body)).json).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      index: "one",
    });
    const shown = (await node.call("GET", "/one")).json as never as {
      one: { settings: { index: Record<string, unknown> } };
    };
    expect(shown.one).toMatchObject({
      aliases: body.aliases,
      mappings: body.mappings,
      settings: {
        index: {
          number_of_shards: "3",
          number_of_replicas: "0",
          refresh_interval: "5s",
          provided_name: "one",
          analysis: { analyzer: { mine: { type: "custom", filter: ["lowercase"] } } },
        },
      },
    });
    expect((await node.call("HEAD", "/one")).status).toBe(200);
    expect((await node.call("DELETE", "/one")).json).toEqual({ acknowledged: true });
    expect((await node.call("HEAD", "/one")).status).toBe(404);
    expect((await node.call("GET", "/_alias/other")).status).toBe(404);
  });

  test("that is there already is refused with its uuid", async () => {
    await node.call("PUT", "/twice");
    const answer = await node.call("PUT", "/twice");
    expect([answer.status, answer.json.error]).toMatchObject([
      400,
      {
        type: "resource_already_exists_exception",
        index: "twice",
        reason: expect.stringMatching(/^index \[twice\/[^\]]+\] already exists$/),
      },
    ]);
  });

  test.each([
    [{ settings: { number_of_shard: 1 } }, "unknown setting [index.number_of_shard] did you mean [number_of_shards]?"],
    [{ settings: { number_of_shards: 0 } }, "must be >= 1"],
    [{ settings: { "index.lifecycle.name": "x" } }, "setting [index.lifecycle.name] is not supported by Pinakes"],
    [{ settings: { number_of_replicas: 2147483647 } }, "this action would add [2147483648] total shards"],
    [{ mapings: {} }, "[create_index] unknown field [mapings] did you mean [mappings]?"],
    [{ mappings: { properties: { a: { type: "text", analyzer: "nope" } } } }, "nope"],
  ])("created with %j is refused, and not there afterwards", async (body, reason) => {
    const answer = await node.call("PUT", "/refused", body);
    expect([answer.status, String((answer.json.error as { reason: string }).reason)]).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
    expect((await node.call("HEAD", "/refused")).status).toBe(404);
  });

  test("shows the shards it was asked to have", async () => {
    await node.call("PUT", "/sharded", { settings: { number_of_shards: 5, number_of_replicas: 1 } });
    expect((await node.call("GET", "/sharded/_search")).json._shards).toMatchObject({ total: 5, successful: 5 });
    expect((await node.call("POST", "/sharded/_refresh")).json._shards).toEqual({
      total: 10,
      successful: 5,
      failed: 0,
    });
  });

  test("is not deleted by a wildcard", async () => {
    await node.call("PUT", "/kept-1");
    expect((await node.call("DELETE", "/kept-*")).json.error).toMatchObject({
      reason: "Wildcard expressions or all indices are not allowed",
    });
    expect((await node.call("DELETE", "/_all")).status).toBe(400);
  });

  test("takes new fields and refuses changed ones", async () => {
    await node.call("PUT", "/mapped", { mappings: { properties: { a: { type: "keyword" } } } });
    expect((await node.call("PUT", "/mapped/_mapping", { properties: { b: { type: "long" } } })).json).toEqual({
      acknowledged: true,
    });
    expect((await node.call("GET", "/mapped/_mapping")).json).toEqual({
      mapped: { mappings: { properties: { a: { type: "keyword" }, b: { type: "long" } } } },
    });
    expect(
      (await node.call("PUT", "/mapped/_mapping", { properties: { a: { type: "long" } } })).json.error,
    ).toMatchObject({
      type: "illegal_argument_exception",
      reason: "mapper [a] cannot be changed from type [keyword] to [long]",
    });
    expect((await node.call("GET", "/mapped/_mapping/field/b")).json).toEqual({
      mapped: { mappings: { b: { full_name: "b", mapping: { b: { type: "long" } } } } },
    });
  });

  test("changes its dynamic settings only", async () => {
    await node.call("PUT", "/settings");
    expect((await node.call("PUT", "/settings/_settings", { index: { refresh_interval: "30s" } })).json).toEqual({
      acknowledged: true,
    });
    expect((await node.call("GET", "/settings/_settings/index.refresh_interval?flat_settings")).json).toEqual({
      settings: { settings: { "index.refresh_interval": "30s" } },
    });
    await node.call("PUT", "/settings/_settings", { "index.refresh_interval": null });
    expect((await node.call("GET", "/settings/_settings/index.refresh_interval")).json).toEqual({});
    expect((await node.call("PUT", "/settings/_settings", { number_of_shards: 2 })).json.error).toMatchObject({
      reason: expect.stringContaining(
        "Can't update non dynamic settings [[index.number_of_shards]] for open indices [[settings/",
      ),
    });
  });

  test("learns fields from documents", async () => {
    await node.call("PUT", "/learned/_doc/1", { s: "text", n: 1, f: 1.5, b: true, d: "2024-01-01", o: { x: 1 } });
    expect((await node.call("GET", "/learned/_mapping")).json).toEqual({
      learned: {
        mappings: {
          properties: {
            b: { type: "boolean" },
            d: { type: "date" },
            f: { type: "float" },
            n: { type: "long" },
            o: { properties: { x: { type: "long" } } },
            s: { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } },
          },
        },
      },
    });
  });

  test("is refreshed, flushed and merged", async () => {
    for (const path of ["_refresh", "_flush", "_forcemerge?max_num_segments=1"]) {
      expect((await node.call("POST", `/learned/${path}`)).json).toEqual({
        _shards: { total: 2, successful: 1, failed: 0 },
      });
    }
    expect((await node.call("GET", "/learned/_stats/docs")).json).toMatchObject({
      indices: { learned: { total: { docs: { count: 1, deleted: 0 } } } },
    });
  });
});

describe("aliases", () => {
  beforeAll(async () => {
    for (const name of ["al-1", "al-2"]) await node.call("PUT", `/${name}/_doc/1?refresh=true`, { k: name, n: 1 });
  });

  test("are put, shown and removed", async () => {
    await node.call("PUT", "/al-1/_alias/first", { routing: "x" });
    expect((await node.call("GET", "/_alias/first")).json).toEqual({
      "al-1": { aliases: { first: { index_routing: "x", search_routing: "x" } } },
    });
    expect((await node.call("HEAD", "/_alias/first")).status).toBe(200);
    await node.call("DELETE", "/al-1/_alias/first");
    expect((await node.call("GET", "/_alias/first")).json).toEqual({ error: "alias [first] missing", status: 404 });
    expect((await node.call("DELETE", "/al-1/_alias/first")).json.error).toMatchObject({
      type: "aliases_not_found_exception",
      reason: "aliases [first] missing",
    });
  });

  test("change all together or not at all", async () => {
    await node.call("POST", "/_aliases", { actions: [{ add: { indices: ["al-*"], alias: "both" } }] });
    const failed = await node.call("POST", "/_aliases", {
      actions: [{ remove: { index: "al-1", alias: "both" } }, { remove: { index: "al-1", alias: "nope" } }],
    });
    expect(failed.status).toBe(404);
    expect(Object.keys((await node.call("GET", "/_alias/both")).json)).toEqual(["al-1", "al-2"]);
  });

  test("filter searches and counts", async () => {
    await node.call("PUT", "/al-1/_alias/filtered", { filter: { term: { n: 2 } } });
    expect((await node.call("GET", "/filtered/_count")).json.count).toBe(0);
    expect((await node.call("GET", "/filtered/_search")).json.hits).toMatchObject({ total: { value: 0 } });
    expect((await node.call("PUT", "/al-1/_alias/broken", { filter: { nope: {} } })).status).toBe(400);
  });

  test("take writes where it is clear where to", async () => {
    expect((await node.call("PUT", "/both/_doc/2", { n: 3 })).json.error).toMatchObject({
      reason: expect.stringContaining("no write index is defined for alias [both]"),
    });
    await node.call("PUT", "/al-2/_alias/both", { is_write_index: true });
    expect((await node.call("PUT", "/both/_doc/2", { n: 3 })).json._index).toBe("al-2");
  });

  test("are not deleted as indices", async () => {
    expect((await node.call("DELETE", "/both")).json.error).toMatchObject({
      reason: "The provided expression [both] matches an alias, specify the corresponding concrete indices instead.",
    });
  });

  test("are chosen by patterns with exclusions", async () => {
    for (const name of ["pick-a", "pick-b"]) await node.call("PUT", `/al-1/_alias/${name}`);
    expect((await node.call("GET", "/_alias/pick-*,-pick-a")).json).toEqual({ "al-1": { aliases: { "pick-b": {} } } });
    expect((await node.call("GET", "/_alias/-pick-a")).json).toMatchObject({ error: "alias [-pick-a] missing" });
  });

  test("take the name of an index that goes in the same request", async () => {
    await node.call("PUT", "/moved-1");
    await node.call("PUT", "/moved-2");
    const actions = [{ add: { index: "moved-2", alias: "moved-1" } }, { remove_index: { index: "moved-1" } }];
    expect((await node.call("POST", "/_aliases", { actions })).status).toBe(200);
    expect(Object.keys((await node.call("GET", "/moved-1")).json)).toEqual(["moved-2"]);
  });

  test("replace an index at once", async () => {
    await node.call("PUT", "/old-1");
    expect((await node.call("POST", "/_aliases", { actions: [{ remove_index: { index: "old-1" } }] })).json).toEqual({
      acknowledged: true,
      errors: false,
    });
    expect((await node.call("HEAD", "/old-1")).status).toBe(404);
  });
});

describe("the node", () => {
  test("is yellow while copies are wanted that cannot be", async () => {
    await node.call("PUT", "/green-1", { settings: { auto_expand_replicas: "0-1" } });
    expect((await node.call("GET", "/_cluster/health/green-1?wait_for_status=green&timeout=1s")).json).toMatchObject({
      status: "green",
      timed_out: false,
    });
    const yellow = await node.call("GET", "/_cluster/health?wait_for_status=green&timeout=1ms");
    expect([yellow.status, yellow.json]).toMatchObject([408, { status: "yellow", timed_out: true }]);
  });

  test("keeps its settings", async () => {
    await node.call("PUT", "/_cluster/settings", { persistent: { "action.destructive_requires_name": false } });
    expect((await node.call("GET", "/_cluster/settings?flat_settings")).json).toEqual({
      persistent: { "action.destructive_requires_name": "false" },
      transient: {},
    });
    await node.call("PUT", "/_cluster/settings", { persistent: { action: { destructive_requires_name: null } } });
    expect((await node.call("GET", "/_cluster/settings")).json).toEqual({ persistent: {}, transient: {} });
    expect((await node.call("PUT", "/_cluster/settings", { persistent: { "no.such": 1 } })).status).toBe(400);
  });

  test("makes no index by itself when that is switched off", async () => {
    await node.call("PUT", "/_cluster/settings", { transient: { "action.auto_create_index": false } });
    expect((await node.call("PUT", "/auto/_doc/1", {})).json.error).toMatchObject({
      type: "index_not_found_exception",
    });
    await node.call("PUT", "/_cluster/settings", { transient: { "action.auto_create_index": null } });
  });

  test("tells where it can be reached", async () => {
    const { nodes } = (await node.call("GET", "/_nodes/_all/http")).json as never as {
      nodes: Record<string, { http: { publish_address: string } }>;
    };
    expect(Object.values(nodes)[0].http.publish_address).toBe(node.address);
  });

  test("prints tables for people and for programs", async () => {
    await node.call("PUT", "/tab-1/_doc/1?refresh=true", { a: 1 });
    expect((await node.call("GET", "/_cat/indices/tab-*?h=index,docs.count&v")).text).toBe(
      "index docs.count\ntab-1          1\n",
    );
    expect((await node.call("GET", "/_cat/count/tab-1?format=json&h=count")).json).toEqual([{ count: "1" }]);
    expect(
      (await node.call("GET", "/_cat/indices/tab-*?h=index&s=index:desc", undefined, { accept: "application/json" }))
        .json,
    ).toEqual([{ index: "tab-1" }]);
    expect((await node.call("GET", "/_cat/indices?s=nope")).json.error).toMatchObject({
      reason: "Unable to sort by unknown sort key `nope`",
    });
    expect((await node.call("GET", "/_cat/health?help")).text).toContain("cluster");
  });
});

test("an index deleted while it is merged, flushed or refreshed is not found", async () => {
  for (const work of ["_forcemerge?max_num_segments=1", "_flush", "_refresh"]) {
    for (let round = 0; round < 3; round++) {
      const lines = Array.from({ length: 200 }, () => `{"index":{}}\n{"a":"${"word ".repeat(20)}"}\n`);
      await node.call("POST", "/racing/_bulk?refresh=true", lines.join(""));
      await node.call("POST", "/racing/_bulk?refresh=true", lines.join(""));
      const [worked] = await Promise.all([node.call("POST", `/racing/${work}`), node.call("DELETE", "/racing")]);
      expect([200, 404]).toContain(worked.status);
      if (worked.status === 404) expect(worked.json.error).toMatchObject({ type: "index_not_found_exception" });
    }
  }
});

test("an analyzer may be called __proto__", async () => {
  const settings = JSON.parse(
    '{"analysis":{"analyzer":{"__proto__":{"type":"custom","tokenizer":"keyword"}}}}',
  ) as object;
  expect((await node.call("PUT", "/named", { settings })).status).toBe(200);
  const shown = (await node.call("GET", "/named/_settings")).text;
  expect(shown).toContain('"analyzer":{"__proto__":{"tokenizer":"keyword","type":"custom"}}');
});
