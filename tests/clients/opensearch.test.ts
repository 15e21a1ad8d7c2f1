/** The OpenSearch client, unchanged against a running node. */
import { Client } from "@opensearch-project/opensearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BOOKS, MAPPINGS } from "./fixture.js";
import { type ClientNode, startNode } from "./node.js";

let node: ClientNode;
let client: Client;
const index = "books";

beforeAll(async () => {
  node = await startNode();
  client = new Client({ node: node.url });
  await client.indices.create({ index, body: { mappings: MAPPINGS } });
});
afterAll(async () => {
  await client.close();
  await node.close();
});

test("sees an OpenSearch 2", async () => {
  const { body } = await client.info();
  expect(body.version).toMatchObject({ distribution: "opensearch", number: expect.stringMatching(/^2\.19\./) });
});

test("helpers.bulk indexes", async () => {
  const stats = await client.helpers.bulk({
    datasource: BOOKS,
    refreshOnCompletion: index,
    onDocument: (book) => ({ index: { _index: index, _id: String((book as { year: number }).year) } }),
  });
  expect(stats).toMatchObject({ total: BOOKS.length, successful: BOOKS.length, failed: 0 });
});

test("searches and aggregates", async () => {
  const { body } = await client.search({
    index,
    body: {
      query: { match: { title: "dog" } },
      sort: [{ year: "asc" }],
      size: 1,
      aggs: { years: { stats: { field: "year" } } },
    },
  });
  expect(body.hits.total).toEqual({ value: 15, relation: "eq" });
  expect(body.hits.hits.map((hit) => hit._id)).toEqual(["1991"]);
  expect(body.aggregations?.years).toEqual({ count: 15, min: 1991, max: 2019, avg: 2005, sum: 30075 });
});

test("scrolls through everything", async () => {
  let seen = 0;
  for await (const page of client.helpers.scrollSearch({ index, body: { query: { match_all: {} }, size: 8 } })) {
    seen += page.body.hits.hits.length;
  }
  expect(seen).toBe(BOOKS.length);
});

test("has points in time of its own form", async () => {
  const { body } = await client.createPit({ index: [index], keep_alive: "1m" });
  const id = body.pit_id as string;
  const found = await client.search({ body: { pit: { id, keep_alive: "1m" }, size: 3 } });
  expect(found.body.hits.hits.length).toBe(3);
  expect((await client.deletePit({ body: { pit_id: [id] } })).body.pits).toEqual([{ successful: true, pit_id: id }]);
});

test("gets the older name of a document that cannot be mapped", async () => {
  const failed = await client
    .index({ index, body: { year: "no number" } })
    .catch((error: unknown) => error as { statusCode: number; body: unknown });
  expect(failed).toMatchObject({ statusCode: 400, body: { error: { type: "mapper_parsing_exception" } } });
});
