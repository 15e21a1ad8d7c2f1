/** The official Elasticsearch clients, versions 9 and 8, unchanged against a running node. */
import { Client as Client9, type errors } from "@elastic/elasticsearch";
import { Client as Client8 } from "es8";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BOOKS, MAPPINGS } from "./fixture.js";
import { type ClientNode, startNode } from "./node.js";

let node: ClientNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.close());

describe.each([
  ["9", (url: string) => new Client9({ node: url }), /^9\./],
  // The same calls as version 9 has: its types are used for both.
  ["8", (url: string) => new Client8({ node: url }) as unknown as Client9, /^8\.19\./],
] as const)("@elastic/elasticsearch %s", (major, connect, version) => {
  const index = `books-${major}`;
  let client: Client9;
  beforeAll(async () => {
    client = connect(node.url);
    await client.indices.create({ index, mappings: MAPPINGS, settings: { number_of_shards: 1 } });
  });
  afterAll(() => client.close());

  test("sees a node of its own version", async () => {
    expect(await client.ping()).toBe(true);
    const info = await client.info();
    expect(info.version.number).toMatch(version);
    expect(info.tagline).toBe("You Know, for Search");
  });

  test("helpers.bulk indexes, and refreshes at the end", async () => {
    const stats = await client.helpers.bulk({
      datasource: BOOKS,
      refreshOnCompletion: index,
      flushBytes: 500,
      onDocument: (book) => ({ index: { _index: index, _id: String(book.year) } }),
    });
    expect(stats).toMatchObject({ total: BOOKS.length, successful: BOOKS.length, failed: 0 });
    expect((await client.count({ index })).count).toBe(BOOKS.length);
  });

  test("helpers.bulk reports documents that fail", async () => {
    const dropped: unknown[] = [];
    const stats = await client.helpers.bulk({
      datasource: [{ year: "no number" }, { year: 2000 }],
      onDocument: () => ({ create: { _index: `${index}-bad`, _id: "1" } }),
      onDrop: (document) => dropped.push(document.status),
      retries: 0,
    });
    expect([stats.failed, dropped.length]).toEqual([1, 1]);
  });

  test("documents are written, read, updated, deleted", async () => {
    const created = await client.index({ index: `${index}-docs`, id: "a/b", document: { n: 1 }, refresh: "wait_for" });
    expect(created.result).toBe("created");
    expect((await client.get<{ n: number }>({ index: `${index}-docs`, id: "a/b" }))._source).toEqual({ n: 1 });
    expect((await client.update({ index: `${index}-docs`, id: "a/b", doc: { m: 2 } })).result).toBe("updated");
    expect(await client.exists({ index: `${index}-docs`, id: "a/b" })).toBe(true);
    expect((await client.mget({ index: `${index}-docs`, ids: ["a/b", "x"] })).docs).toMatchObject([
      { found: true, _source: { n: 1, m: 2 } },
      { found: false },
    ]);
    expect((await client.delete({ index: `${index}-docs`, id: "a/b" })).result).toBe("deleted");
    expect(await client.exists({ index: `${index}-docs`, id: "a/b" })).toBe(false);
  });

  test("searches with highlighting, sorting and source filtering", async () => {
    const found = await client.search<{ year: number }>({
      index,
      query: { bool: { must: [{ match: { title: "fox" } }], filter: [{ range: { year: { lt: 2000 } } }] } },
      sort: [{ year: "desc" }],
      highlight: { fields: { title: {} } },
      _source: ["year"],
      size: 2,
    });
    expect(found.hits.total).toEqual({ value: 5, relation: "eq" });
    expect(found.hits.hits.map((hit) => hit._source)).toEqual([{ year: 1998 }, { year: 1996 }]);
    expect(found.hits.hits[0].highlight).toEqual({ title: ["the quick <em>fox</em> number 8"] });
  });

  test("aggregates", async () => {
    const found = await client.search<
      unknown,
      { tags: { buckets: { key: string; doc_count: number; years: { value: number } }[] } }
    >({
      index,
      size: 0,
      aggs: { tags: { terms: { field: "tag", order: { _key: "asc" } }, aggs: { years: { avg: { field: "year" } } } } },
    });
    expect(found.aggregations?.tags.buckets).toEqual([
      { key: "t0", doc_count: 10, years: { value: 2003.5 } },
      { key: "t1", doc_count: 10, years: { value: 2004.5 } },
      { key: "t2", doc_count: 10, years: { value: 2005.5 } },
    ]);
  });

  test("helpers.scrollDocuments goes through everything", async () => {
    const years = new Set<number>();
    for await (const book of client.helpers.scrollDocuments<{ year: number }>({ index, size: 7 })) years.add(book.year);
    expect(years.size).toBe(BOOKS.length);
  });

  test("a point in time is opened, searched and closed", async () => {
    const { id } = await client.openPointInTime({ index, keep_alive: "1m" });
    const found = await client.search({ pit: { id, keep_alive: "1m" }, size: 5, sort: ["tag"] });
    expect([found.hits.hits.length, found.hits.hits[0].sort?.length, found.pit_id]).toEqual([5, 2, id]);
    expect(await client.closePointInTime({ id })).toEqual({ succeeded: true, num_freed: 1 });
  });

  test("helpers.msearch answers each search", async () => {
    const search = client.helpers.msearch({ operations: 5, flushInterval: 20 });
    const { body } = await search.search({ index }, { query: { term: { year: 1990 } } });
    expect(body.hits.total).toEqual({ value: 1, relation: "eq" });
    search.stop();
  });

  test("gets typed errors", async () => {
    const missing = await client
      .search({ index: "nope" })
      .catch((error: unknown) => error as InstanceType<typeof errors.ResponseError>);
    expect(missing).toMatchObject({
      statusCode: 404,
      body: { error: { type: "index_not_found_exception", index: "nope" } },
    });
    expect(await client.indices.exists({ index: "nope" })).toBe(false);
  });

  test("asks for fields, mappings, health and tables", async () => {
    expect(Object.keys((await client.fieldCaps({ index, fields: "t*" })).fields)).toEqual(["tag", "title"]);
    expect((await client.indices.getMapping({ index }))[index].mappings).toEqual(MAPPINGS);
    expect((await client.cluster.health()).number_of_nodes).toBe(1);
    expect(await client.cat.count({ index, format: "json" })).toMatchObject([{ count: String(BOOKS.length) }]);
  });

  test("sniffs the node it is connected to", async () => {
    const { nodes } = await client.nodes.info({ metric: "http" });
    expect(Object.values(nodes).map((one) => one.http?.publish_address)).toEqual([node.url.replace("http://", "")]);
  });

  test("deletes by query", async () => {
    const gone = await client.deleteByQuery({ index, query: { term: { tag: "t0" } }, refresh: true });
    expect(gone).toMatchObject({ deleted: 10, failures: [] });
    expect((await client.count({ index })).count).toBe(20);
  });
});
