import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
const DOCUMENTS = 25;

beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/books", {
    mappings: {
      properties: {
        title: { type: "text" },
        tag: { type: "keyword" },
        year: { type: "integer" },
        at: { type: "date" },
      },
    },
  });
  const lines = Array.from({ length: DOCUMENTS }, (_, at) => [
    JSON.stringify({ index: { _id: String(at) } }),
    JSON.stringify({
      title: at % 2 === 0 ? "the quick fox" : "a lazy dog",
      tag: `t${at % 3}`,
      year: 2000 + at,
      at: `2024-01-${String(at + 1).padStart(2, "0")}`,
    }),
  ]);
  await node.call("POST", "/books/_bulk?refresh=true", `${lines.flat().join("\n")}\n`);
});
afterAll(() => node.close());

const search = async (body: unknown, query = "") =>
  (await node.call("POST", `/books/_search${query}`, body)).json as never as Answer;

interface Answer {
  hits: {
    total?: { value: number; relation: string } | number;
    max_score: number | null;
    hits: Record<string, unknown>[];
  };
  aggregations: Record<string, Record<string, unknown>>;
  _shards: unknown;
  _scroll_id: string;
  pit_id: string;
  error: Record<string, unknown>;
  took: number;
}

const ids = (answer: Answer) => answer.hits.hits.map((hit) => hit._id);

describe("a search", () => {
  test("has Elasticsearch's envelope", async () => {
    const { took, ...answer } = await search({ query: { term: { year: 2003 } } });
    expect(took).toBeTypeOf("number");
    expect(answer).toEqual({
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: {
        total: { value: 1, relation: "eq" },
        max_score: 1,
        hits: [
          {
            _index: "books",
            _id: "3",
            _score: 1,
            _source: { title: "a lazy dog", tag: "t0", year: 2003, at: "2024-01-04" },
          },
        ],
      },
    });
  });

  test("pages, sorts, and continues after the last hit", async () => {
    const first = await search({ size: 3, sort: [{ year: "desc" }], _source: false });
    expect(first.hits.hits).toEqual(
      [24, 23, 22].map((at) => ({ _index: "books", _id: String(at), _score: null, sort: [2000 + at] })),
    );
    expect(ids(await search({ size: 2, sort: [{ year: "desc" }], search_after: [2022] }))).toEqual(["21", "20"]);
    expect(ids(await search({ size: 2, from: 1, sort: "year" }))).toEqual(["1", "2"]);
    expect(ids(await search(undefined, "?sort=year:desc&size=1"))).toEqual(["24"]);
  });

  test("counts as far as it is told", async () => {
    expect((await search({ track_total_hits: false })).hits).not.toHaveProperty("total");
    expect((await search({ track_total_hits: 5 })).hits.total).toEqual({ value: 5, relation: "gte" });
    expect((await search({}, "?rest_total_hits_as_int=true")).hits.total).toBe(DOCUMENTS);
  });

  test("shows versions, sequence numbers and explanations on request", async () => {
    const answer = await search({
      size: 1,
      query: { match: { title: "fox" } },
      version: true,
      seq_no_primary_term: true,
      explain: true,
    });
    expect(answer.hits.hits[0]).toMatchObject({
      _shard: "[books][0]",
      _version: 1,
      _primary_term: 1,
      _seq_no: expect.any(Number),
      _explanation: { value: expect.any(Number) },
    });
  });

  test("hides ids and sources where stored_fields says so", async () => {
    expect((await search({ size: 1, stored_fields: "_none_" })).hits.hits).toEqual([{ _index: "books", _score: 1 }]);
  });

  test("narrows hits but not aggregations by post_filter", async () => {
    const answer = await search({
      size: 0,
      post_filter: { term: { tag: "t1" } },
      aggs: { tags: { terms: { field: "tag" } } },
    });
    expect(answer.hits.total).toEqual({ value: 8, relation: "eq" });
    expect(answer.aggregations.tags.buckets).toEqual([
      { key: "t0", doc_count: 9 },
      { key: "t1", doc_count: 8 },
      { key: "t2", doc_count: 8 },
    ]);
  });

  test("prefixes aggregation names with their type on request", async () => {
    const answer = await search(
      {
        size: 0,
        aggs: { y: { max: { field: "year" } }, d: { date_histogram: { field: "at", calendar_interval: "month" } } },
      },
      "?typed_keys=true",
    );
    expect(answer.aggregations).toEqual({
      "max#y": { value: 2024 },
      "date_histogram#d": {
        buckets: [{ key_as_string: "2024-01-01T00:00:00.000Z", key: 1704067200000, doc_count: DOCUMENTS }],
      },
    });
  });

  test("over a wildcard that matches nothing is empty", async () => {
    expect((await node.call("GET", "/nothing*/_search")).json).toMatchObject({
      _shards: { total: 0 },
      hits: { total: { value: 0, relation: "eq" }, hits: [] },
    });
    expect((await node.call("GET", "/nothing*/_search?allow_no_indices=false")).status).toBe(404);
    expect((await node.call("GET", "/nothing/_search?ignore_unavailable=true")).status).toBe(200);
  });

  test("names the field whose text cannot be sorted", async () => {
    const answer = await node.call("POST", "/books/_search", { sort: ["title"] });
    expect([answer.status, answer.json.error]).toMatchObject([
      400,
      {
        type: "search_phase_execution_exception",
        root_cause: [{ type: "illegal_argument_exception", reason: expect.stringContaining("title") }],
      },
    ]);
  });

  test.each([
    [{ from: 10_000 }, "illegal_argument_exception", "Result window is too large"],
    [{ size: -1 }, "illegal_argument_exception", "[size] parameter cannot be negative"],
    [
      { suggest: { s: { text: "x", term: { field: "a" } } } },
      "illegal_argument_exception",
      "[term] suggester is not supported by Pinakes",
    ],
    [{ sort: [{ _script: {} }] }, "illegal_argument_exception", "[_script] in [sort] is not supported by Pinakes"],
    [{ search_after: [1] }, "illegal_argument_exception", "Sort must contain at least one field."],
    [{ query: { match_all: {} }, aggs: { x: { nope: {} } } }, "parsing_exception", "Unknown aggregation type [nope]"],
  ])("refuses %j", async (body, type, reason) => {
    const { error } = await search(body);
    const [cause] = error.root_cause as { type: string; reason: string }[];
    expect(cause.type).toBe(type);
    expect(cause.reason).toContain(reason);
  });
});

describe("readers that stay open", () => {
  test("a scroll goes through everything once, whatever is written meanwhile", async () => {
    let page = await search({ size: 10, query: { match_all: {} } }, "?scroll=1m");
    const seen = ids(page);
    expect(page.hits.hits[0]).not.toHaveProperty("sort");
    await node.call("PUT", "/books/_doc/new?refresh=true", { year: 1 });
    while (page.hits.hits.length > 0) {
      page = (await node.call("POST", "/_search/scroll", { scroll_id: page._scroll_id, scroll: "1m" }))
        .json as never as Answer;
      seen.push(...ids(page));
    }
    await node.call("DELETE", "/books/_doc/new?refresh=true");
    expect([seen.length, new Set(seen).size]).toEqual([DOCUMENTS, DOCUMENTS]);
    const freed = await node.call("DELETE", "/_search/scroll", { scroll_id: [page._scroll_id] });
    expect(freed.json).toEqual({ succeeded: true, num_freed: 1 });
    const gone = await node.call("POST", "/_search/scroll", { scroll_id: page._scroll_id });
    expect([gone.status, gone.json.error]).toMatchObject([
      404,
      {
        root_cause: [
          { type: "search_context_missing_exception", reason: `No search context found for id [${page._scroll_id}]` },
        ],
      },
    ]);
  });

  test("a point in time stays as it was and breaks ties", async () => {
    const { id } = (await node.call("POST", "/books/_pit?keep_alive=1m")).json;
    await node.call("PUT", "/books/_doc/later?refresh=true", { tag: "t0" });
    const first = (await node.call("POST", "/_search", { size: 12, sort: ["tag"], pit: { id, keep_alive: "1m" } }))
      .json as never as Answer;
    const after = first.hits.hits.at(-1)?.sort as unknown[];
    expect(after.length).toBe(2);
    const second = (await node.call("POST", "/_search", { size: 20, sort: ["tag"], pit: { id }, search_after: after }))
      .json as never as Answer;
    expect([second.pit_id, new Set([...ids(first), ...ids(second)]).size]).toEqual([id, DOCUMENTS]);
    expect((await node.call("DELETE", "/_pit", { id })).json).toEqual({ succeeded: true, num_freed: 1 });
    expect((await node.call("POST", "/_search", { pit: { id } })).status).toBe(404);
    await node.call("DELETE", "/books/_doc/later?refresh=true");
  });

  test("OpenSearch's form of it", async () => {
    const headers = { "user-agent": "opensearch-js/3.9.0" };
    const { pit_id } = (await node.call("POST", "/books/_search/point_in_time?keep_alive=1m", undefined, headers)).json;
    expect((await node.call("DELETE", "/_search/point_in_time", { pit_id: [pit_id] }, headers)).json).toEqual({
      pits: [{ successful: true, pit_id }],
    });
  });

  test.each(["?scroll=0s", "?scroll=2d", "?scroll=1m&from=1", "?scroll=1m&size=0"])(
    "a scroll with %s is refused",
    async (query) => {
      expect((await node.call("POST", `/books/_search${query}`, {})).status).toBe(400);
    },
  );
});

describe("beside searching", () => {
  test("_msearch answers each with its status", async () => {
    const body = '{"index":"books"}\n{"size":1}\n{}\n{"query":{"term":{"year":2001}}}\n{"index":"nope"}\n{}\n';
    const answer = await node.call("POST", "/_msearch", body);
    expect(answer.json.responses).toMatchObject([
      { status: 200, hits: { total: { value: DOCUMENTS } } },
      { status: 200, hits: { total: { value: 1 } } },
      { status: 404, error: { type: "index_not_found_exception" } },
    ]);
  });

  test("_count counts", async () => {
    expect((await node.call("POST", "/books/_count", { query: { range: { year: { gte: 2020 } } } })).json).toEqual({
      count: 5,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    });
  });

  test("_validate/query says what is wrong", async () => {
    expect((await node.call("POST", "/books/_validate/query", { query: { match_all: {} } })).json.valid).toBe(true);
    const answer = await node.call("POST", "/books/_validate/query?explain", { query: { nope: {} } });
    expect(answer.json).toMatchObject({
      valid: false,
      explanations: [{ index: "books", error: "parsing_exception: unknown query [nope]" }],
    });
  });

  test("_field_caps lists fields", async () => {
    const { fields } = (await node.call("GET", "/books/_field_caps?fields=t*")).json;
    expect(fields).toEqual({
      tag: { keyword: { type: "keyword", metadata_field: false, searchable: true, aggregatable: true } },
      title: { text: { type: "text", metadata_field: false, searchable: true, aggregatable: false } },
    });
  });

  test("_analyze shows tokens", async () => {
    expect((await node.call("POST", "/_analyze", { analyzer: "standard", text: "Quick Fox" })).json.tokens).toEqual([
      { token: "quick", start_offset: 0, end_offset: 5, type: "<ALPHANUM>", position: 0 },
      { token: "fox", start_offset: 6, end_offset: 9, type: "<ALPHANUM>", position: 1 },
    ]);
  });
});

describe("by query", () => {
  test("deletes what matches, at most so many", async () => {
    const lines = Array.from({ length: 10 }, (_, at) => `{"index":{"_id":"${at}"}}\n{"n":${at}}\n`).join("");
    await node.call("POST", "/doomed/_bulk?refresh=true", lines);
    const some = await node.call("POST", "/doomed/_delete_by_query?max_docs=2&refresh=true", {
      query: { range: { n: { lt: 5 } } },
    });
    expect(some.json).toMatchObject({ total: 2, deleted: 2, version_conflicts: 0, failures: [] });
    await node.call("POST", "/doomed/_delete_by_query?refresh=true", { query: { range: { n: { lt: 5 } } } });
    expect((await node.call("GET", "/doomed/_count")).json.count).toBe(5);
  });

  test("a document that changed since the last refresh is a conflict", async () => {
    await node.call("PUT", "/conflict", { settings: { refresh_interval: "-1" } });
    await node.call("PUT", "/conflict/_doc/1?refresh=true", { n: 1 });
    await node.call("PUT", "/conflict/_doc/1", { n: 2 });
    const aborted = await node.call("POST", "/conflict/_update_by_query", { query: { match_all: {} } });
    expect([aborted.status, aborted.json.version_conflicts]).toEqual([409, 1]);
    const went = await node.call("POST", "/conflict/_delete_by_query?conflicts=proceed", { query: { match_all: {} } });
    expect([went.status, went.json.version_conflicts, went.json.deleted]).toEqual([200, 1, 0]);
  });

  test("an update picks up a new field of the mapping", async () => {
    await node.call("PUT", "/grow", { mappings: { dynamic: "false", properties: { a: { type: "keyword" } } } });
    await node.call("PUT", "/grow/_doc/1?refresh=true", { a: "x", b: "y" });
    await node.call("PUT", "/grow/_mapping", { properties: { b: { type: "keyword" } } });
    expect((await node.call("POST", "/grow/_update_by_query?refresh=true")).json).toMatchObject({ updated: 1 });
    expect((await node.call("POST", "/grow/_count", { query: { term: { b: "y" } } })).json.count).toBe(1);
  });
});

describe("numbers are printed as Java prints them", () => {
  beforeAll(async () => {
    const properties = { f: { type: "float" }, d: { type: "double" }, l: { type: "long" } };
    await node.call("PUT", "/numbers", { mappings: { properties } });
    await node.call("PUT", "/numbers/_doc/1", { f: 150.55, d: -1535066200.5, l: 1 });
    await node.call("PUT", "/numbers/_doc/2?refresh=true", { f: 1, l: 2 });
  });

  const text = async (body: unknown) => (await node.call("POST", "/numbers/_search", body)).text;

  test("in the values of columns", async () => {
    const answer = await text({ docvalue_fields: ["f", "d", "l"], query: { ids: { values: ["1", "2"] } } });
    expect(answer).toContain('"fields":{"f":[150.5500030517578],"d":[-1.5350662005E9],"l":[1]}');
    expect(answer).toContain('"fields":{"f":[1.0],"l":[2]}');
  });

  test("in sort values, missing ones and those of unmapped fields included", async () => {
    const sort = [{ f: "desc" }, { d: "asc" }, "l", { none: { unmapped_type: "double" } }];
    const answer = await text({ sort });
    expect(answer).toContain('"sort":[150.55,-1.5350662005E9,1,"Infinity"]');
    expect(answer).toContain('"sort":[1.0,"Infinity",2,"Infinity"]');
  });
});

test("a hit names the fields whose values were ignored", async () => {
  await node.call("PUT", "/ignoring", { mappings: { properties: { n: { type: "long", ignore_malformed: true } } } });
  await node.call("PUT", "/ignoring/_doc/1?refresh=true", { n: "abc" });
  expect((await node.call("GET", "/ignoring/_search")).json.hits).toMatchObject({ hits: [{ _ignored: ["n"] }] });
});

test("a large page lets others in while it is written", async () => {
  const lines = Array.from({ length: 5_000 }, () => `{"index":{}}\n{"text":"${"x".repeat(500)}"}\n`);
  await node.call("POST", "/large/_bulk?refresh=true", lines.join(""));
  // However fast the machine is: each look at the clock finds it a millisecond later.
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
  onTestFinished(() => void clock.mockRestore());
  const order: string[] = [];
  const large = node.call("POST", "/large/_search", { size: 5_000 }).then((answer) => {
    order.push("large");
    return (answer.json.hits as { hits: unknown[] }).hits.length;
  });
  const small = node.call("GET", "/").then(() => order.push("small"));
  expect(await large).toBe(5_000);
  await small;
  expect(order).toEqual(["small", "large"]);
});

test("a page cannot hide stored fields and ask for _source", async () => {
  const { error } = await search({ stored_fields: "_none_", _source: true });
  expect(error.reason).toContain("[stored_fields] cannot be disabled if [_source] is requested");
});

test.each([
  [{ stats: "x" }, "Unknown key for a VALUE_STRING in [stats]."],
  [{ stats: ["a", 1] }, "Expected [VALUE_STRING] in [stats] but found [VALUE_NUMBER]"],
  [{ size: "abc" }, 'For input string: "abc"'],
])("the body %j is refused", async (body, reason) => {
  expect((await search(body)).error.reason).toBe(reason);
});

describe("a search that fails names the cause as Elasticsearch does", () => {
  const cause = async (body: unknown) => {
    const { error } = await search(body);
    const { root_cause } = error as { root_cause: { type: string; reason: string }[] };
    const chain: string[] = [];
    for (let at = error; at !== undefined; at = at.caused_by as typeof error) chain.push(at.type as string);
    return [root_cause[0].type, root_cause[0].reason, chain.slice(1)];
  };

  test.each([
    [
      { query: { term: { at: "zzz" } } },
      "parse_exception",
      "failed to parse date field [zzz] with format [strict_date_optional_time||epoch_millis]: [failed to parse date field [zzz] with format [strict_date_optional_time||epoch_millis]]",
      ["parse_exception", "illegal_argument_exception", "date_time_parse_exception"],
    ],
    [
      { query: { term: { year: "abc" } } },
      "query_shard_exception",
      'failed to create query: For input string: "abc"',
      ["query_shard_exception", "number_format_exception"],
    ],
    [
      { query: { term: { year: { value: 1, case_insensitive: true } } } },
      "query_shard_exception",
      "[year] field which is of type [integer], does not support case insensitive term queries",
      ["query_shard_exception"],
    ],
    [
      { sort: ["nothing"] },
      "query_shard_exception",
      "No mapping found for [nothing] in order to sort on",
      ["query_shard_exception"],
    ],
    [
      { sort: [{ tag: { mode: "avg" } }] },
      "query_shard_exception",
      "we only support AVG, MEDIAN and SUM on number based fields",
      ["query_shard_exception"],
    ],
    [
      { aggs: { a: { avg: { field: "tag" } } } },
      "illegal_argument_exception",
      "Field [tag] of type [keyword] is not supported for aggregation [avg]",
      ["illegal_argument_exception", "illegal_argument_exception"],
    ],
    [
      { aggs: { a: { terms: { field: "tag", format: "0.0" } } } },
      "illegal_argument_exception",
      "Field [tag] of type [keyword] does not support custom formats",
      ["illegal_argument_exception", "illegal_argument_exception"],
    ],
    [
      { aggs: { a: { terms: { field: "year", missing: "abc" } } } },
      "number_format_exception",
      'For input string: "abc"',
      ["number_format_exception", "number_format_exception"],
    ],
    [
      { sort: ["year"], search_after: ["abc"] },
      "illegal_argument_exception",
      "Failed to parse search_after value for field [year].",
      ["illegal_argument_exception", "number_format_exception"],
    ],
  ])("%j", async (body, type, reason, chain) => {
    expect(await cause(body)).toEqual([type, reason, chain]);
  });
});
