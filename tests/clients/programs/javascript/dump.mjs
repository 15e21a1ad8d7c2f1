// Dumps an index with elasticdump and loads it under another name: node dump.mjs URL INDEX FIXTURE
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [url, index, fixture] = process.argv.slice(2);
const { books, mappings } = JSON.parse(readFileSync(fixture, "utf8"));
const TYPES = ["settings", "mapping", "data", "alias"];
const loaded = `${index}-loaded`;

async function ask(method, path, body, type = "application/json") {
  const response = await fetch(url + path, { method, body, headers: body && { "content-type": type } });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${text}`);
  return JSON.parse(text);
}

function elasticdump(...args) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/elasticdump/bin/elasticdump", ...args],
    {
      encoding: "utf8",
    },
  );
  assert.equal(status, 0, `elasticdump ${args.join(" ")}: ${stderr} ${stdout}`);
}

const file = (type) => `${type}.json`;

async function dump() {
  await ask("PUT", `/${index}`, JSON.stringify({ mappings, aliases: { [`${index}-alias`]: {} } }));
  const lines = books.map((book) => `{"index":{"_id":"${book.year}"}}\n${JSON.stringify(book)}\n`);
  await ask("POST", `/${index}/_bulk?refresh=true`, lines.join(""), "application/x-ndjson");
  for (const type of TYPES)
    elasticdump(`--input=${url}/${index}`, `--output=${file(type)}`, `--type=${type}`, "--limit=7", "--overwrite");
  const documents = readFileSync(file("data"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    documents.map(({ _source }) => _source.year).sort(),
    books.map(({ year }) => year),
  );
}

async function load() {
  for (const type of ["settings", "mapping", "data"])
    elasticdump(`--input=${file(type)}`, `--output=${url}/${loaded}`, `--type=${type}`, "--limit=7");
  await ask("POST", `/${loaded}/_refresh`);
  assert.equal((await ask("GET", `/${loaded}/_count`)).count, books.length);
  assert.deepEqual((await ask("GET", `/${loaded}/_mapping`))[loaded].mappings, mappings);
  elasticdump(`--input=${file("alias")}`, `--output=${url}`, "--type=alias");
}

for (const [flow, run] of Object.entries({ dump, load })) {
  let [outcome, why] = ["ok", ""];
  try {
    await run();
  } catch (error) {
    why = error.message.replace(/\s+/g, " ").slice(0, 600);
    outcome = why.includes("is not supported by Pinakes") ? "refused" : "failed";
  }
  process.stdout.write(`${flow}\t${outcome}\t${why}\n`);
}
