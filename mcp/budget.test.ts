import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countTokens, INDEX } from "../code/index.js";
import { FRAME_TOKENS } from "./page.js";
import type { CodeFolder } from "./testing/code-folder.js";
import { Session } from "./testing/session.js";

const WORDS = ["alpha", "beta", "größe", "設定", "x".repeat(700)];

let session: Session;
let folder: CodeFolder;

beforeAll(async () => {
  session = await Session.start();
  folder = session.folder("a repository with a name");
  for (let i = 0; i < 40; i++) {
    const deep = i % 7 === 0 ? "a/very/deep/path/that/goes/on/".repeat(4) : "src/";
    const body = Array.from(
      { length: i * 3 },
      (_, at) => `  ${WORDS[(i + at) % WORDS.length]} ${"word ".repeat(i)};`,
    ).join("\n");
    const name = i % 9 === 0 ? `name${i}${"Long".repeat(60)}` : `name${i}`;
    folder.add(`${deep}f${i}.ts`, `function ${name}() {\n  alpha();\n${body}\n}\n`);
    session.node.put(INDEX.references, String(i), { repo: folder.repo, path: "x", name });
    if (i % 5 === 0) folder.write(`${deep}f${i}.ts`, `// edited\nfunction ${name}() {\n  alpha();\n${body}\n}\n`);
  }
  folder.finish(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`reason number ${at}`, at])));
});
afterAll(() => session.stop());

const tokens = fc.oneof(fc.integer({ min: 100, max: 400 }), fc.integer({ min: 100, max: 6000 }));
const query = fc.constantFrom(
  "alpha",
  "beta alpha",
  "größe 設定",
  "nowhere",
  "alpha of every kind there is &&",
  "foo:bar",
  `"alpha" -zzz ${"path:s* ".repeat(80)}`,
);
const path = fc.constantFrom(
  "src/f1.ts",
  "src/f39.ts",
  "src/f30.ts",
  `${"a/very/deep/path/that/goes/on/".repeat(4)}f35.ts`,
  "nowhere.ts",
  "n".repeat(3000),
);
const call = fc.oneof(
  fc.record({
    name: fc.constant("search"),
    args: fc.record({
      query: fc.oneof(query, fc.array(query, { minLength: 1, maxLength: 4 })),
      limit: fc.integer({ min: 1, max: 50 }),
    }),
  }),
  fc.record({ name: fc.constant("read"), args: fc.record({ path, start_line: fc.integer({ min: 1, max: 60 }) }) }),
  fc.record({ name: fc.constant("map"), args: fc.record({ path: fc.constantFrom("", "src", "a/very") }) }),
);

test("a budget is a ceiling: no answer of any tool passes max_tokens, its frame included", async () => {
  await fc.assert(
    fc.asyncProperty(call, tokens, async ({ name, args }, max_tokens) => {
      const { text } = await session.call(name, { ...args, max_tokens });
      expect(countTokens(text) + FRAME_TOKENS).toBeLessThanOrEqual(max_tokens);
      expect(text).not.toBe("");
    }),
    { numRuns: 100 },
  );
});

test("what is left out of a search is said, whatever the budget", async () => {
  for (const max_tokens of [100, 110, 130, 160, 250, 500, 900]) {
    const { text } = await session.call("search", { query: "alpha", limit: 50, max_tokens });
    expect(text).toMatch(/^(no hit shown|hits 1-\d+) of \d+ for alpha\n/);
    expect(text).toMatch(/\n\d+ more; next: /);
  }
});
