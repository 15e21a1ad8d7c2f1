import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plantedFiles } from "./support/mixed-folder.js";
import { pinakes, removeFolder, send, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const files = await plantedFiles();
const folder = temporaryFolder("mixed");
const data = temporaryFolder("data");
let node: TestNode;

beforeAll(async () => {
  for (const { path: name, bytes } of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), bytes);
  }
  node = await startTestNode(data);
  const indexed = await pinakes(["autoindex", "--data", data, folder]);
  expect(indexed.stdout).toMatch(/: 84 files indexed,[\s\S]*left out 8: 8 binary\n/);
  expect(indexed.status).toBe(0);
}, 120_000);
afterAll(async () => {
  await node?.stop();
  removeFolder(folder);
  removeFolder(data);
});

/** The file documents of a path that have a phrase in their text or their name. */
async function find(at: string, phrase: string) {
  const should = [{ match_phrase: { body: phrase } }, { match_phrase: { "name.text": phrase } }];
  const query = { bool: { filter: [{ term: { path: at } }], should, minimum_should_match: 1 } };
  const answer = await send(node.url, { method: "POST", path: "/pinakes-files/_search", body: { query } });
  return answer.json.hits.hits.map(({ _source }: { _source: object }) => _source) as { format: string }[];
}

describe("a folder of everything", () => {
  it("has at least 60 files of 25 formats in 8 encodings", () => {
    const formats = new Set(files.map(({ path: name, format }) => (format === "text" ? path.extname(name) : format)));
    expect(files.length).toBeGreaterThanOrEqual(60);
    expect(formats.size).toBeGreaterThanOrEqual(25);
    expect(new Set(files.map(({ encoding }) => encoding)).size).toBeGreaterThanOrEqual(8);
  });

  it.each(files.map((file) => [file.path, file] as const))("gives what was put into %s", async (_, file) => {
    const found = await find(file.within ?? file.path, file.value);
    expect(found).toEqual([expect.objectContaining({ format: file.format })]);
  });

  it("explains every file", async () => {
    const why = await pinakes(["why", "--data", data, ...files.map(({ path: name }) => path.join(folder, name))]);
    const lines = why.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(files.length);
    for (const [index, line] of lines.entries()) {
      expect(line).toMatch(/: (?:indexed: It is indexed\.|binary: The content is binary\.)/);
      expect(line).toContain(path.basename(files[index]!.path));
    }
  });

  it.each([
    ["quillpdf", "documents/a.pdf", "The quillpdf words"],
    ["def:quillipynb", "documents/a.ipynb", "def quillipynb"],
    ["def:quillzip", "archives/a.zip!/src/a.py", "def quillzip"],
    ["quilldeep", "archives/b.zip!/in/report.docx", "The quilldeep words\n"],
    ["quillmbox", "documents/a.mbox", "The quillmbox words"],
    ["quillsong", "binaries/quillsong.mp3", ""],
  ])("is answered by the search of code: %s", async (query, at, shown) => {
    const { stdout } = await pinakes(["search", "--data", data, query], {}, folder);
    expect(stdout.startsWith(`${at}:`)).toBe(true);
    expect(stdout).toContain(shown);
  });
});
