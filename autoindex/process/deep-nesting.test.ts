/** Texts that nest deeper than the authors of grammars thought of end processes, and are found by their lines all the same. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { ExtractorPool } from "./pool.js";

const TEXTS: Readonly<Record<string, string>> = {
  "dashes.yaml": `${"- ".repeat(300)}needle\n`,
  "questions.yaml": `${"? ".repeat(300)}needle\n`,
  "keys.yaml": `${Array.from({ length: 300 }, (_, at) => `${" ".repeat(at)}a:\n`).join("")}${" ".repeat(300)}needle\n`,
  "braces.go": `${"{-".repeat(3_000)}needle${"-}".repeat(3_000)}\n`,
  "arrows.r": `${"x => ".repeat(3_000)}needle\n`,
};

const root = mkdtempSync(path.join(tmpdir(), "pinakes-deep-"));
for (const [name, text] of Object.entries({ ...TEXTS, "plain.yaml": "a:\n  - b: 1\n" }))
  writeFileSync(path.join(root, name), text);
const context = { root, repo: "r", branches: [], maxFileBytes: 1 << 24 };
const pool = new ExtractorPool({ workers: 1, tuning: "quick_start", silenceMs: 60_000 });
afterAll(() => {
  pool.close();
  rmSync(root, { recursive: true });
});

const read = (name: string) =>
  pool.extract(context, { path: name, knownBlob: "", knownVersion: "", records: "text" as const });

it.each(Object.keys(TEXTS))("%s is indexed as windows, with the reason", { timeout: 120_000 }, async (name) => {
  const [before, result, after] = await Promise.all([read("plain.yaml"), read(name), read("plain.yaml")]);
  expect(result).toMatchObject({
    kind: "indexed",
    references: 0,
    detail: expect.stringMatching(/^without declarations: /),
  });
  expect((result as { declarations: number }).declarations).toBeGreaterThan(0);
  expect(after).toMatchObject({ kind: "indexed", detail: "" });
  expect(after).toMatchObject({ declarations: (before as { declarations: number }).declarations });
});

it("what is not so deep is read by its grammar", { timeout: 60_000 }, async () => {
  writeFileSync(path.join(root, "shallow.yaml"), `a:\n  ${"- ".repeat(60)}b\nkey: 1\n`);
  const result = await read("shallow.yaml");
  expect(result).toMatchObject({ kind: "indexed", detail: "" });
});
