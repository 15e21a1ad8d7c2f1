// One round with a JavaScript client: node flows.mjs URL INDEX FIXTURE PACKAGE
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [url, index, fixture, name] = process.argv.slice(2);
const { books, mappings } = JSON.parse(readFileSync(fixture, "utf8"));
const { Client } = await import(name);
const client = new Client({ node: url });
// Versions 7 and OpenSearch take a body and wrap what comes; later ones take and give it bare.
const isWrapped = name === "es7" || name.startsWith("os");
const isOpenSearch = name.startsWith("os");

/** Calls a method of the client in its own style. */
async function ask(method, parameters, body = {}) {
  const [owner, last] = method.includes(".") ? [client[method.split(".")[0]], method.split(".")[1]] : [client, method];
  if (!isWrapped) return owner[last]({ ...parameters, ...body });
  const hasBody = Object.keys(body).length > 0;
  return (await owner[last]({ ...parameters, ...(hasBody && { body }) })).body;
}

const flows = {
  async create() {
    await ask("indices.create", { index }, { mappings });
    assert.equal(await ask("indices.exists", { index }), true);
  },
  async mappings() {
    await ask("indices.putMapping", { index }, { properties: { note: { type: "keyword" } } });
    const found = await ask("indices.getMapping", { index });
    assert.deepEqual(found[index].mappings.properties.note, { type: "keyword" });
  },
  async bulk() {
    const stats = await client.helpers.bulk({
      datasource: books,
      refreshOnCompletion: index,
      flushBytes: 600,
      onDocument: (book) => ({ index: { _index: index, _id: String(book.year) } }),
    });
    assert.deepEqual([stats.successful, stats.failed], [books.length, 0]);
    assert.equal((await ask("count", { index })).count, books.length);
  },
  async search() {
    const query = { bool: { must: [{ match: { title: "fox" } }], filter: [{ range: { year: { lt: 2000 } } }] } };
    const found = await ask(
      "search",
      { index },
      { query, sort: [{ year: "desc" }], highlight: { fields: { title: {} } } },
    );
    assert.deepEqual(found.hits.total, { value: 5, relation: "eq" });
    assert.equal(found.hits.hits[0]._source.year, 1998);
    assert.match(found.hits.hits[0].highlight.title[0], /<em>fox<\/em>/);
  },
  async aggregations() {
    const years = { avg: { field: "year" } };
    const tags = { terms: { field: "tag", order: { _key: "asc" } }, aggs: { years } };
    const found = await ask("search", { index }, { size: 0, aggs: { tags } });
    const buckets = found.aggregations.tags.buckets.map((bucket) => [bucket.key, bucket.doc_count, bucket.years.value]);
    assert.deepEqual(buckets, [
      ["t0", 10, 2003.5],
      ["t1", 10, 2004.5],
      ["t2", 10, 2005.5],
    ]);
  },
  async scroll() {
    const body = { query: { match_all: {} }, size: 7 };
    const years = new Set();
    for await (const book of client.helpers.scrollDocuments(isWrapped ? { index, body } : { index, ...body }))
      years.add(book.year);
    assert.equal(years.size, books.length);
  },
  async pit() {
    const opened = isOpenSearch
      ? await ask("createPit", { index: [index], keep_alive: "1m" })
      : await ask("openPointInTime", { index, keep_alive: "1m" });
    const id = opened.pit_id ?? opened.id;
    const seen = [];
    for (let after; ; ) {
      const body = {
        size: 8,
        sort: [{ year: "asc" }],
        pit: { id, keep_alive: "1m" },
        ...(after && { search_after: after }),
      };
      const { hits } = (await ask("search", {}, body)).hits;
      if (hits.length === 0) break;
      seen.push(...hits.map((hit) => hit._source.year));
      after = hits.at(-1).sort;
    }
    assert.deepEqual(
      seen,
      books.map(({ year }) => year),
    );
    if (isOpenSearch) await ask("deletePit", {}, { pit_id: [id] });
    else assert.equal((await ask("closePointInTime", {}, { id })).succeeded, true);
  },
  async aliases() {
    const [alias, old] = [`${index}-alias`, `${index}-old`];
    await ask("indices.putAlias", { index, name: old });
    const add = { index, alias, filter: { term: { tag: "t0" } } };
    await ask("indices.updateAliases", {}, { actions: [{ add }, { remove: { index, alias: old } }] });
    assert.equal((await ask("count", { index: alias })).count, 10);
    assert.deepEqual(Object.keys((await ask("indices.getAlias", { index }))[index].aliases), [alias]);
  },
  async templates() {
    const part = `${index}-part`;
    const template = { mappings: { properties: { from_part: { type: "keyword" } } } };
    await ask("cluster.putComponentTemplate", { name: part }, { template });
    const body = { index_patterns: [`${index}-made-*`], composed_of: [part], priority: 700 };
    await ask("indices.putIndexTemplate", { name: `${index}-template` }, body);
    const made = `${index}-made-1`;
    await ask("index", { index: made, id: "1", refresh: true }, isWrapped ? { n: 1 } : { document: { n: 1 } });
    const found = await ask("indices.getMapping", { index: made });
    assert.deepEqual(found[made].mappings.properties.from_part, { type: "keyword" });
    await ask("indices.deleteIndexTemplate", { name: `${index}-template` });
    await ask("cluster.deleteComponentTemplate", { name: part });
  },
  async reindex() {
    const dest = `${index}-copy`;
    const done = await ask("reindex", { refresh: true }, { source: { index }, dest: { index: dest } });
    assert.equal(done.created, books.length);
    assert.equal((await ask("count", { index: dest })).count, books.length);
  },
  async "by-query"() {
    const updated = await ask("updateByQuery", { index, conflicts: "proceed", refresh: true });
    assert.equal(updated.updated, books.length);
    const deleted = await ask("deleteByQuery", { index, refresh: true }, { query: { term: { tag: "t2" } } });
    assert.equal(deleted.deleted, 10);
  },
  async delete() {
    assert.equal((await ask("delete", { index, id: "1990" })).result, "deleted");
    await ask("indices.delete", { index });
    assert.equal(await ask("indices.exists", { index }), false);
  },
};

for (const [flow, run] of Object.entries(flows)) {
  let outcome = "ok";
  let why = "";
  try {
    await run();
  } catch (error) {
    why = `${error.message} ${JSON.stringify(error.meta?.body ?? "")}`.replace(/\s+/g, " ").slice(0, 400);
    outcome = why.includes("is not supported by Pinakes") ? "refused" : "failed";
  }
  process.stdout.write(`${flow}\t${outcome}\t${why}\n`);
}
await client.close();
