import { describe, expect, it } from "vitest";
import type { Explanation, HighlightField, SearchRequest } from "../search.js";
import type { Query } from "./query.js";
import { executeSearch } from "./search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "./testing/memory-reader.js";

const environment = testEnvironment();
const INDEX = testIndex({
  body: { type: "text" },
  title: { type: "text", fields: { raw: { type: "keyword" } } },
  kind: { type: "keyword" },
  hidden: { type: "text", index: false },
  size: { type: "long" },
  made: { type: "date" },
});
const LONG =
  "The quick brown fox jumps over the lazy dog. It was a sunny day in the forest and everybody was happy about that. The fox, however, was tired! Did the fox sleep? Nobody knows what the fox did after this very long day that seemed to have no end at all, and so on and so forth until the night came.";
const SOURCES = [
  { body: LONG, title: "Quick fox", kind: "alpha", size: 3, made: "2024-01-05" },
  {
    body: ["first fox value", "second value without", "third: fox and fox"],
    title: "no such animal in this title",
    kind: ["beta", "alpha"],
    size: 1,
  },
  { body: "a <b>fox</b> & a dog", title: "markup", kind: "gamma", size: [2, 8] },
];
const DOCUMENTS = SOURCES.map((source, i) => ({ id: String(i), source }));

function search(change: Partial<SearchRequest>, deleted: string[] = []) {
  const source = memoryReader(environment, INDEX, DOCUMENTS, { segments: [1, 2], deleted: new Set(deleted) });
  return executeSearch([source], searchRequest(change), environment);
}

function term(field: string, value: string | number): Query {
  return { kind: "term", field, value, caseInsensitive: false, boost: 1 };
}

function match(query: string, field = "body"): Query {
  return { kind: "match", field, query, operator: "or", zeroTerms: "none", lenient: false, boost: 1 };
}

const NONE = { must: [], should: [], filter: [], mustNot: [], boost: 1 };

function highlight(field: string, change: Partial<HighlightField> = {}): HighlightField {
  return {
    field,
    preTag: "<em>",
    postTag: "</em>",
    fragmentSize: 100,
    numberOfFragments: 5,
    noMatchSize: 0,
    requireFieldMatch: true,
    order: "none",
    encoder: "default",
    ...change,
  };
}

async function highlights(
  query: Query,
  fields: HighlightField[],
): Promise<Record<string, Record<string, string[]> | undefined>> {
  const { hits } = await search({ query, highlight: fields });
  return Object.fromEntries(hits.map((hit) => [hit.id, hit.highlight]));
}

describe("highlighting (which values)", () => {
  const index = testIndex({ k: { type: "keyword", ignoreAbove: 5 }, t: { type: "text" } });
  const one = async (source: Record<string, unknown>, field: HighlightField, query: Query) => {
    const reader = memoryReader(environment, index, [{ id: "0", source }]);
    const request = searchRequest({ highlight: [{ ...field, highlightQuery: query }] });
    return (await executeSearch([reader], request, environment)).hits[0].highlight?.[field.field];
  };

  it("passes over keywords that are too long to be indexed", async () => {
    const prefix: Query = { kind: "prefix", field: "k", value: "abc", caseInsensitive: false, boost: 1 };
    expect(await one({ k: ["abcdef", "abc"] }, highlight("k"), prefix)).toEqual(["<em>abc</em>"]);
    expect(await one({ k: ["abcdef", "abc"] }, highlight("k", { noMatchSize: 9 }), match("x", "k"))).toEqual(["abc"]);
  });

  it("shows nothing rather than an empty fragment", async () => {
    expect(await one({ t: " \t" }, highlight("t", { noMatchSize: 9 }), match("x", "t"))).toBeUndefined();
  });

  it("marks words by queries of other fields only where those are of words", async () => {
    const parts = testIndex({ t: { type: "text" }, address: { type: "ip" } });
    const reader = memoryReader(environment, parts, [{ id: "0", source: { t: "fox", address: "::1" } }]);
    const query: Query = { kind: "range", field: "address", gte: "::", boost: 1 };
    const request = searchRequest({ query, highlight: [highlight("t", { requireFieldMatch: false })] });
    expect((await executeSearch([reader], request, environment)).hits[0].highlight).toBeUndefined();
  });

  it("takes values in fewer arrays first, as OpenSearch flattens them", async () => {
    const nested = { t: [["fox p", "fox q"], [["fox y"]], "fox r"] };
    expect(await one(nested, highlight("t"), match("fox", "t"))).toEqual([
      "<em>fox</em> r",
      "<em>fox</em> p",
      "<em>fox</em> q",
      "<em>fox</em> y",
    ]);
  });

  it("cuts between words as Java knows them", async () => {
    const t = "a-Engine-fox-Straße-x.y.z-Istanbul-user@example.com-more";
    expect(await one({ t }, highlight("t", { noMatchSize: 30 }), match("nothing", "t"))).toEqual([
      "a-Engine-fox-Straße-x.y.z-Istanbul-user",
    ]);
    expect(await one({ t }, highlight("t", { fragmentSize: 20 }), match("fox", "t"))).toEqual([
      "a-Engine-<em>fox</em>-Straße-x.y.z-Istanbul-user",
    ]);
  });
});

describe("highlighting (fragments recorded from OpenSearch's unified highlighter)", () => {
  it("shows whole sentences up to the fragment size, longer ones cut between words", async () => {
    expect((await highlights(match("fox"), [highlight("body")]))["0"]?.body).toEqual([
      "The quick brown <em>fox</em> jumps over the lazy dog.",
      "The <em>fox</em>, however, was tired! Did the <em>fox</em> sleep?",
      "Nobody knows what the <em>fox</em> did after this very long day that seemed to have no end at all, and so on and",
    ]);
    expect((await highlights(match("fox"), [highlight("body", { fragmentSize: 30 })]))["0"]?.body).toEqual([
      "The quick brown <em>fox</em> jumps over",
      "The <em>fox</em>, however, was tired!",
      "Did the <em>fox</em> sleep?",
      "Nobody knows what the <em>fox</em> did after",
    ]);
  });

  it("keeps the best fragments, in the order of the text or of their scores", async () => {
    const best = highlight("body", { numberOfFragments: 1 });
    expect((await highlights(match("fox"), [best]))["1"]?.body).toEqual(["third: <em>fox</em> and <em>fox</em>"]);
    const byScore = highlight("body", { numberOfFragments: 2, order: "score" });
    expect((await highlights(match("fox"), [byScore]))["0"]?.body).toEqual([
      "The <em>fox</em>, however, was tired! Did the <em>fox</em> sleep?",
      "The quick brown <em>fox</em> jumps over the lazy dog.",
    ]);
  });

  it("takes whole values when asked for no fragments, and for keywords", async () => {
    const whole = highlight("body", { numberOfFragments: 0 });
    expect((await highlights(match("dog"), [whole]))["0"]?.body?.[0]).toBe(LONG.replace("dog", "<em>dog</em>"));
    expect((await highlights(term("kind", "alpha"), [highlight("kind")]))["1"]).toEqual({ kind: ["<em>alpha</em>"] });
  });

  it("marks the words of a phrase only where they stand together", async () => {
    const phrase: Query = {
      kind: "match_phrase",
      field: "body",
      query: "the fox",
      slop: 0,
      zeroTerms: "none",
      lastTermExpansions: 0,
      boost: 1,
    };
    const found = await highlights(phrase, [highlight("body", { fragmentSize: 30 })]);
    expect(found["0"]?.body?.[0]).toBe("<em>The</em> <em>fox</em>, however, was tired!");
  });

  it("marks prefixes and patterns, other fields' terms when that is asked for, nothing for exclusions", async () => {
    const prefix: Query = { kind: "prefix", field: "body", value: "for", caseInsensitive: false, boost: 1 };
    expect((await highlights(prefix, [highlight("body")]))["0"]?.body?.[0]).toContain("in the <em>forest</em> and");
    const anywhere = highlight("*", { requireFieldMatch: false });
    expect((await highlights(match("fox"), [anywhere]))["0"]?.title).toEqual(["Quick <em>fox</em>"]);
    const excluded: Query = { kind: "bool", ...NONE, must: [match("dog")], mustNot: [term("body", "quick")] };
    expect(await highlights(excluded, [highlight("body")])).toEqual({
      "2": { body: ["a <b>fox</b> & a <em>dog</em>"] },
    });
  });

  it("shows the beginning when nothing matches and that is asked for, and escapes markup for HTML", async () => {
    const found = await highlights(match("fox"), [
      highlight("title", { noMatchSize: 12 }),
      highlight("body", { encoder: "html" }),
    ]);
    expect(found["1"]?.title).toEqual(["no such animal"]);
    expect(found["2"]?.body).toEqual(["a &lt;b&gt;<em>fox</em>&lt;&#x2F;b&gt; &amp; a dog"]);
  });

  it("reads a multi-field's values from the field it belongs to", async () => {
    expect((await highlights(term("title.raw", "Quick fox"), [highlight("title.raw")]))["0"]).toEqual({
      "title.raw": ["<em>Quick fox</em>"],
    });
  });
});

describe("explanations", () => {
  it("say how boost, idf and tf make the score, in Lucene's words", async () => {
    const { hits } = await search({ query: { ...term("body", "quick"), boost: 2 }, explain: true });
    const explanation = hits[0].explanation as Explanation;
    expect(explanation.value).toBe(hits[0].score);
    expect(explanation.description).toBe("weight(body:quick in 0) [PerFieldSimilarity], result of:");
    const [score] = explanation.details;
    expect(score.description).toBe("score(freq=1.0), computed as boost * idf * tf from:");
    expect(score.details.map((part) => part.description)).toEqual([
      "boost",
      "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:",
      "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:",
    ]);
    const product = score.details.reduce((total, part) => total * part.value, 1);
    expect(product).toBeCloseTo(explanation.value, 5);
    expect(score.details[2].details.map((part) => part.description)).toEqual([
      "freq, occurrences of term within document",
      "k1, term saturation parameter",
      "b, length normalization parameter",
      "dl, length of field (approximate)",
      "avgdl, average length of field",
    ]);
  });

  it("add up over clauses; filters count nothing", async () => {
    const query: Query = {
      kind: "bool",
      ...NONE,
      must: [match("fox")],
      should: [match("dog")],
      filter: [term("kind", "alpha")],
    };
    const { hits } = await search({ query, explain: true });
    for (const { explanation, score } of hits) {
      expect(explanation?.description).toBe("sum of:");
      expect(explanation?.value).toBe(score);
      const sum = explanation?.details.reduce((total, part) => total + part.value, 0);
      expect(sum).toBeCloseTo(score ?? 0, 5);
      expect(explanation?.details.at(-1)?.description).toBe("match on required clause, product of:");
    }
  });
});

describe("parts of a search", () => {
  it("names the queries that a hit matches", async () => {
    const query: Query = {
      kind: "bool",
      ...NONE,
      must: [{ ...match("fox"), name: "has fox" }],
      should: [{ ...match("dog"), name: "has dog" }],
      filter: [{ kind: "exists", field: "size", boost: 1, name: "sized" }],
    };
    const { hits } = await search({ query });
    const names = Object.fromEntries(hits.map((hit) => [hit.id, hit.matchedQueries]));
    expect(names).toEqual({
      "0": ["has fox", "has dog", "sized"],
      "1": ["has fox", "sized"],
      "2": ["has fox", "has dog", "sized"],
    });
  });

  it("gives column values, dates printed, by name and by pattern", async () => {
    const docValueFields = [{ field: "made", format: "yyyy-MM-dd" }, { field: "si*" }, { field: "absent" }];
    const { hits } = await search({ query: term("kind", "alpha"), docValueFields, source: true });
    expect(hits.find((hit) => hit.id === "0")?.fields).toEqual({ made: ["2024-01-05"], size: [3] });
    expect(JSON.parse(Buffer.from(hits[0].source ?? []).toString())).toEqual(SOURCES[Number(hits[0].id)]);
  });

  it("narrows hits by the post filter, not aggregations", async () => {
    const aggs: SearchRequest["aggs"] = { n: { kind: "value_count", field: "kind", aggs: {} } };
    const result = await search({ query: match("fox"), postFilter: term("kind", "gamma"), aggs });
    expect(result).toMatchObject({ total: { value: 1 }, hits: [{ id: "2" }], aggregations: { n: { value: 4 } } });
  });

  it("leaves out what scores less than minScore, and stops after terminateAfter documents", async () => {
    const all = await search({ query: match("fox") });
    const second = all.hits[1].score ?? 0;
    expect((await search({ query: match("fox"), minScore: second })).total?.value).toBe(2);
    const stopped = await search({ query: match("fox"), terminateAfter: 2 });
    expect(stopped).toMatchObject({ terminatedEarly: true, total: { value: 2, relation: "eq" } });
  });

  it("clamps the total at its threshold", async () => {
    expect((await search({ trackTotal: 2 })).total).toEqual({ value: 2, relation: "gte" });
    expect((await search({ trackTotal: 3 })).total).toEqual({ value: 3, relation: "eq" });
    expect((await search({ trackTotal: 0 })).total).toBeUndefined();
    expect((await search({ size: 0, query: match("fox") }, ["1"])).total).toEqual({ value: 2, relation: "eq" });
  });

  it("says in Elasticsearch's words that a field cannot be searched", async () => {
    await expect(search({ query: match("x", "hidden") })).rejects.toMatchObject({
      code: "query_unsupported",
      message: "Cannot search on field [hidden] since it is not indexed.",
    });
  });

  it("stops when it is cancelled", async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(search({ signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
  });

  it("orders equal scores of several indices by index name, then document", async () => {
    const one = memoryReader(environment, INDEX, DOCUMENTS, { name: "b" });
    const two = memoryReader(environment, INDEX, DOCUMENTS, { name: "a" });
    const { hits } = await executeSearch([one, two], searchRequest({ size: 4 }), environment);
    expect(hits.map((hit) => hit.index + hit.id)).toEqual(["a0", "a1", "a2", "b0"]);
  });

  it("searches an index only within its alias's filter", async () => {
    const source = { ...memoryReader(environment, INDEX, DOCUMENTS), filter: term("kind", "gamma") };
    const { hits } = await executeSearch([source], searchRequest({ query: match("fox") }), environment);
    expect(hits.map((hit) => hit.id)).toEqual(["2"]);
  });

  it("finds documents by id and by index name", async () => {
    expect((await search({ query: term("_id", "1") })).hits.map((hit) => hit.id)).toEqual(["1"]);
    expect((await search({ query: term("_index", "te*") })).total?.value).toBe(3);
    expect((await search({ query: term("_index", "other") })).total?.value).toBe(0);
  });
});
