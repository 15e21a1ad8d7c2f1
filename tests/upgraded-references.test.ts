/** Indices of references that an earlier version made are brought up to date by the next run. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { INDEX, PROPERTIES } from "../code/index.js";
import { openSymbolGraph } from "../mcp/index.js";
import { removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const FILES = {
  "app/load.py":
    "import os\n\ndef load(path):\n    return clean(os.read(path))\n\ndef clean(text):\n    return text.strip()\n",
  "app/main.py":
    "from app.load import load\n\nclass Main(Base):\n    def run(self):\n        return load('a') + load('b')\n",
};

/** Fields of the index before documents were one a declaration (extractor version 10). */
const { edges: _, ...COMMON } = PROPERTIES[INDEX.references]!;
const OLD_PROPERTIES = { ...COMMON, line: { type: "integer" }, certainty: { type: "keyword" } };

let node: TestNode;
let client: Client;
const project = temporaryFolder("upgraded");

interface Hit {
  _id: string;
  _source: Record<string, unknown>;
}

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  node = await startTestNode();
  client = new Client({ url: node.url });
}, 60_000);
afterAll(async () => {
  client.close();
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(project);
});

const index = () => autoindex({ client, folder: project, globalIgnore: "none", workers: 1 });

async function all(name: string): Promise<Hit[]> {
  await client.json("POST", `/${name}/_refresh`);
  const body = { size: 1000, query: { match_all: {} } };
  const answer = await client.json<{ hits: { hits: Hit[] } }>("POST", `/${name}/_search`, body);
  return answer.hits.hits.map(({ _id, _source }) => ({ _id, _source })).sort((a, b) => (a._id < b._id ? -1 : 1));
}

/** What an edge of a document was before: a document of its own. */
function oldDocuments({ _id, _source }: Hit): Hit[] {
  const { edges, name: _names, kind: _kinds, start_byte: _first, ...common } = _source;
  return (edges as string[]).map((edge) => {
    const [kind = "", places = "", name = ""] = edge.split(" ");
    const [line = [], start_byte = []] = [0, 1].map((at) =>
      places.split(",").map((place) => Number(place.split(":")[at])),
    );
    const id = `${_id.slice(0, 16)}.${start_byte[0]!.toString(36)}.${(start_byte[0]! + name.length).toString(36)}.${kind}`;
    return { _id: id, _source: { ...common, kind, name, line, start_byte, certainty: "exact" } };
  });
}

/** Makes the node's indices what version 10 would have left. */
async function makeOld(fresh: readonly Hit[]): Promise<void> {
  await client.json("DELETE", `/${INDEX.references}`);
  await client.json("PUT", `/${INDEX.references}`, { mappings: { dynamic: "strict", properties: OLD_PROPERTIES } });
  const old = fresh.flatMap(oldDocuments);
  expect(old.length).toBeGreaterThan(fresh.length);
  const entries = (await all(INDEX.catalog)).filter(({ _source }) => _source.entry === "file");
  const lines = [
    ...old.flatMap(({ _id, _source }) => [{ index: { _index: INDEX.references, _id } }, _source]),
    ...entries.flatMap(({ _id, _source }) => {
      const version = String(_source.version).replace(/^\d+/, "10");
      const documents = (_source.documents as number[] | undefined)?.with(
        2,
        old.filter((one) => one._source.path === _source.path).length,
      );
      return [{ update: { _index: INDEX.catalog, _id } }, { doc: { version, ...(documents && { documents }) } }];
    }),
  ];
  const { failures } = await client.bulk(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(failures).toEqual([]);
  expect(await all(INDEX.references)).toHaveLength(old.length);
}

it("old documents say nothing, and that they do; they are replaced, none stays, and what is there is what a fresh index has", async () => {
  await index();
  const fresh = await all(INDEX.references);
  expect(fresh.map(({ _source }) => _source.edges)).toContainEqual(["call 5:79,5:91 load"]);
  await makeOld(fresh);
  const graph = await openSymbolGraph({ client });
  expect(await graph.index.references({ names: ["load"] })).toEqual([]);
  expect(graph.workspace.warnings).toEqual([expect.stringContaining("written by an earlier version: `pinakes up`")]);
  expect(await index()).toMatchObject({ indexed: 2, unchanged: 0 });
  expect(await all(INDEX.references)).toEqual(fresh);
  const { mappings } = (
    await client.json<Record<string, { mappings: { properties: object } }>>("GET", `/${INDEX.references}/_mapping`)
  )[INDEX.references]!;
  expect(mappings.properties).toHaveProperty("edges");
  expect(await (await openSymbolGraph({ client })).index.firstReferences({ names: ["load"] }, 1)).toMatchObject({
    rows: [{ path: "app/main.py", kind: "import", name: "load", lines: [1] }],
    moreDeclarations: 1,
  });
  expect(await index()).toMatchObject({ indexed: 0, unchanged: 2 });
});
