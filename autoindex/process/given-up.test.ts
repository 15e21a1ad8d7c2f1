import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractFile } from "./extract-file.js";

const FILES: readonly [name: string, text: string, detail: RegExp | ""][] = [
  ["plain.ts", "export function plain() {}\n", ""],
  [
    "long.ts",
    `${"// a comment that is long enough to add up\n".repeat(60_000)}function f() {}\n`,
    /^without declarations: longer/,
  ],
  ["app.min.js", `${"function a(b){return b+1};".repeat(4000)}\n`, /^without declarations: its lines are too long/],
];

describe("settings of a program", () => {
  it.each([
    ["tsconfig.json", 0],
    ["references.json", 1],
  ])("are no data set, whatever lists they have: %s", async (name, datasets) => {
    const root = mkdtempSync(path.join(tmpdir(), "pinakes-settings-"));
    const references = ["a", "b", "c"].map((one) => ({ path: `../packages/${one}` }));
    writeFileSync(path.join(root, name), JSON.stringify({ references }));
    const job = { path: name, knownBlob: "", knownVersion: "", records: "dataset" } as const;
    const result = await extractFile(job, { root, repo: "r", branches: [], maxFileBytes: 1 << 24 });
    rmSync(root, { recursive: true });
    expect(result.kind === "indexed" && result.datasets.length).toBe(datasets);
  });
});

describe("a text that its grammar is not asked for", () => {
  let root = "";
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), "pinakes-given-up-"));
    for (const [name, text] of FILES) writeFileSync(path.join(root, name), text);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(FILES)("is indexed, and its entry says why it has no declarations: %s", async (name, _, detail) => {
    const job = { path: name, knownBlob: "", knownVersion: "", records: "text" } as const;
    const result = await extractFile(job, { root, repo: "r", branches: [], maxFileBytes: 1 << 24 });
    expect(result).toMatchObject({ kind: "indexed" });
    if (detail === "") expect(result).toHaveProperty("detail", "");
    else expect(result).toHaveProperty("detail", expect.stringMatching(detail));
  });
});
