/**
 * The budget contract over ten thousand made calls: no answer of any tool passes its budget, frame included, whatever the
 * arguments; answers are valid UTF-8 without control characters; and who follows the continuations sees everything that
 * there is, once, in order. A failing case prints its seed: `fc.assert(..., { seed, path })` runs it again.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BYTES_PER_TOKEN, INDEX, printable } from "../code/index.js";
import { DEFAULT_TOKENS, idTokens, MAX_TOKENS, MIN_TOKENS } from "./page.js";
import { CodeFolder } from "./testing/code-folder.js";
import { FakeNode } from "./testing/fake-node.js";
import { InProcessClient } from "./testing/in-process-client.js";
import { callTool } from "./tools.js";

const WORDS = ["alpha", "beta", "größe", "設定", "x".repeat(700), "\u001b[2J\u0007", "𝒻\u0085"];
const node = new FakeNode();
const client = new InProcessClient(node);
const folder = new CodeFolder(node, "a repository with a name");
const locators: string[] = [];

beforeAll(() => {
  for (let i = 0; i < 16; i++) {
    const deep = i % 7 === 0 ? "a/very/deep/path/that/goes/on/".repeat(4) : "src/";
    const body = Array.from(
      { length: i * 5 },
      (_, at) => `  ${WORDS[(i + at) % WORDS.length]} ${"word ".repeat(i)};`,
    ).join("\n");
    const name = i % 9 === 0 ? `name${i}${"Long".repeat(60)}` : `name${i}`;
    folder.add(`${deep}f${i}.ts`, `function ${name}() {\n  alpha();\n${body}\n}\n`);
    node.put(INDEX.references, String(i), { repo: folder.repo, path: "x", name: [name] });
    if (i % 5 === 0) folder.write(`${deep}f${i}.ts`, `// edited\nfunction ${name}() {\n  alpha();\n${body}\n}\n`);
  }
  folder.add("src/bel\u0007l\u009b.ts", "function ring() {\n}\n");
  folder.add("src/minified.js", `${"\u0001alpha(1);größe".repeat(900)}\n`);
  folder.finish(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`reason number ${at}`, at])));
  const declared = [...(node.indices.get(INDEX.declarations)?.values() ?? [])];
  locators.push(
    ...declared.map(({ locator }) => String(locator)),
    "src/f1.ts:1-9#gone@0123456789ab~0123456789ab",
    "no locator",
  );
});
afterAll(() => {
  client.close();
  folder.dispose();
});

const RUNS = 9_600;
const tokens = fc.oneof(fc.integer({ min: MIN_TOKENS, max: 400 }), fc.integer({ min: MIN_TOKENS, max: 6000 }));
const query = fc.oneof(
  fc.constantFrom(
    ...["alpha", "beta alpha", "größe 設定", "nowhere", "alpha of every kind there is &&", "foo:bar", "def:name3"],
    ...["kind:function", `"alpha" -zzz ${"path:s* ".repeat(80)}`, "\ud800 half", "lang:typescrpt x", "type:commit x"],
    ...["/a.pha/", "/w\\w+d/ path:src/*", "content:größe", "/[/", "(alpha or beta) -/x{9}/", "(("],
  ),
  fc.string({ maxLength: 40 }),
);
const path = fc.constantFrom(
  ...[
    "src/f1.ts",
    "src/f15.ts",
    "src/f10.ts",
    "src/minified.js",
    "nowhere.ts",
    "n".repeat(3000),
    "src/bel\u0007l\u009b.ts",
  ],
  `${"a/very/deep/path/that/goes/on/".repeat(4)}f14.ts`,
);
const locator = fc.integer({ min: 0, max: 200 }).map((at) => locators[at % locators.length]);
/** Anything at all that JSON can say, in place of an argument or beside it. */
const junk = fc.dictionary(
  fc.oneof(fc.constantFrom("query", "limit", "path", "locator", "max_tokens"), fc.string()),
  fc.jsonValue(),
);

const call = fc.oneof(
  fc.record({
    name: fc.constant("search"),
    args: fc.record(
      {
        query: fc.oneof(query, fc.array(query, { minLength: 1, maxLength: 4 })),
        limit: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: ["query"] },
    ),
  }),
  fc.record({
    name: fc.constant("read"),
    args: fc.oneof(
      fc.record({ path, start_line: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ path, start_line: fc.constant(1), start_byte: fc.integer({ min: 0, max: 9000 }) }),
      fc.record({ locator: fc.oneof(locator, fc.array(locator, { minLength: 1, maxLength: 20 })) }),
    ),
  }),
  fc.record({
    name: fc.constant("symbol"),
    args: fc.record(
      {
        name: fc.oneof(fc.constantFrom("name3", "name9Long", "nowhere", "src/f8.ts:2", "alpha", "\u0007"), locator),
        section: fc.constantFrom("definition", "callers", "callees", "references", "others"),
        depth: fc.integer({ min: 1, max: 3 }),
      },
      { requiredKeys: ["name"] },
    ),
  }),
  fc.record({
    name: fc.constant("map"),
    args: fc.record({ path: fc.constantFrom("", "src", "a/very", "\u0007") }),
  }),
  fc.record({ name: fc.oneof(fc.constantFrom("search", "read", "map"), fc.string()), args: junk }),
);

/** The largest id of ten digits: most clients count their requests. */
const LONGEST_ID = 9_999_999_999;

/** Ids of a request: numbers, or texts of some length, such as UUIDs. */
const ids = fc.oneof(fc.integer(), fc.uuid(), fc.string({ maxLength: 80, unit: "binary" }));

/** Tokens of the whole line that an answer goes over the wire as, its text escaped: what a budget counts. */
function framedTokens(
  answer: { content: unknown[] },
  id: number | string = LONGEST_ID,
): { tokens: number; text: string } {
  const [{ text }] = answer.content as [{ text: string }];
  const line = `${JSON.stringify({ result: answer, jsonrpc: "2.0", id })}\n`;
  return { tokens: Math.ceil(Buffer.byteLength(line) / BYTES_PER_TOKEN), text };
}

/** Control characters other than line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** What a fault of the program reads like: it becomes an answer as any other error does. */
const CRASH = /Cannot read propert|is not a function|is not iterable|the fake node has no/;

describe("every answer of every tool", () => {
  test("keeps to its budget, is valid UTF-8 and moves no cursor", async () => {
    const property = fc.asyncProperty(call, fc.option(tokens), ids, async ({ name, args }, max_tokens, id) => {
      const given = max_tokens === null ? args : { ...args, max_tokens };
      const asked = (given as { max_tokens?: unknown }).max_tokens;
      const isBudget = Number.isInteger(asked) && Number(asked) >= MIN_TOKENS && Number(asked) <= MAX_TOKENS;
      const budget = isBudget ? Number(asked) : DEFAULT_TOKENS;
      const answer = await callTool({ client }, name, { args: given, idTokens: idTokens(id) });
      const { tokens: used, text } = framedTokens(answer, id);
      expect(used).toBeLessThanOrEqual(budget);
      expect(text).not.toBe("");
      expect(text).toBe(Buffer.from(text, "utf8").toString("utf8"));
      expect(text).not.toMatch(CONTROL);
      expect(text).not.toMatch(CRASH);
    });
    await fc.assert(property, { numRuns: RUNS });
  }, 300_000);

  test("says what is left out, whatever the budget", async () => {
    for (const max_tokens of [100, 110, 130, 160, 250, 500, 900]) {
      const { text } = await run("search", { query: "alpha", limit: 50, max_tokens });
      expect(text).toMatch(/^(no hit shown|hits 1-\d+) of \d+\n/);
      expect(text).toMatch(/\n\d+ more; next: /);
    }
  });
});

async function run(name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const answer = await callTool({ client }, name, { args });
  return { text: framedTokens(answer).text, isError: answer.isError === true };
}

/** The arguments of every call that an answer says comes next, made as it says, in its order. */
function nextCalls(text: string, args: Record<string, unknown>): Record<string, unknown>[] {
  return text.split("\n").flatMap((line) => {
    const whole = /^ *(?:at least )?\d+ more[^;]*; next: \w+\((\{.*\})\)$/.exec(line);
    if (whole) return [JSON.parse(whole[1]) as Record<string, unknown>];
    const beside = /next: the same (?:search|read|symbol|map) with ("\w+":.*)$/.exec(line);
    return beside ? [{ ...args, ...(JSON.parse(`{${beside[1]}}`) as object) }] : [];
  });
}

/** All answers, each continuation made before the ones that came behind it. */
async function follow(name: string, args: Record<string, unknown>): Promise<string[]> {
  const texts: string[] = [];
  const pending = [args];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { text, isError } = await run(name, next);
    expect(isError, text).toBe(false);
    texts.push(text);
    pending.push(...nextCalls(text, next).reverse());
    expect(texts.length).toBeLessThan(2000);
  }
  return texts;
}

describe("who follows the continuations", () => {
  const LOCATOR = /^(\S+:\d+-\d+#.*?@[0-9a-f]{12}~[0-9a-f]{12})/gm;
  const NEEDS = /^hit \d+ needs max_tokens (\d+)$/gm;
  const found = (texts: string[]) => texts.flatMap((text) => [...text.matchAll(LOCATOR)].map((hit) => hit[1]));

  test("of a search sees every hit once, in order, or is told which budget one needs", async () => {
    const all = async (query: string | string[]) =>
      found(await follow("search", { query, limit: 50, max_tokens: MAX_TOKENS }));
    const queries: (string | string[])[] = ["alpha", "kind:function", "größe", ["alpha", "beta", "def:name3"], "word"];
    const wanted = new Map<unknown, string[]>();
    for (const query of queries) wanted.set(query, await all(query));
    const property = fc.asyncProperty(
      fc.constantFrom(...queries),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 110, max: 1500 }),
      async (query, limit, max_tokens) => {
        const texts = await follow("search", { query, limit, max_tokens });
        const seen = found(texts);
        const needy = texts.flatMap((text) => [...text.matchAll(NEEDS)]).length;
        const expected = wanted.get(query) ?? [];
        expect(seen.length + needy).toBe(expected.length);
        // Those that had no room are missing from a list that is otherwise the same.
        const kept = new Set(seen);
        expect(seen).toEqual(expected.filter((one) => kept.has(one)));
      },
    );
    await fc.assert(property, { numRuns: 100 });
  }, 300_000);

  test("of a read sees every line once, in order", async () => {
    const property = fc.asyncProperty(
      fc.constantFrom("src/f15.ts", "src/f11.ts", "src/f8.ts"),
      fc.oneof(fc.integer({ min: MIN_TOKENS, max: 160 }), fc.integer({ min: MIN_TOKENS, max: 3000 })),
      async (path, max_tokens) => {
        const texts = await follow("read", { path, max_tokens });
        // A line that did not fit is gone on with at the byte it was left at.
        const pieces = texts.flatMap((text) => [...text.matchAll(/^(\d+): (?:\(\+\d+ bytes\) \.\.\. )?(.*)$/gm)]);
        const lines: string[] = [];
        for (const [, line, piece] of pieces) lines[Number(line) - 1] = (lines[Number(line) - 1] ?? "") + piece;
        const order = pieces.map(([, line]) => Number(line));
        expect(order).toEqual([...order].sort((a, b) => a - b));
        const whole = readFileSync(join(folder.root, path), "utf8").replace(/\n$/, "");
        const wanted = whole.split("\n").map((line) => printable(line, "\t"));
        expect(lines.length).toBe(wanted.length);
        expect(lines.findIndex((line, at) => line !== wanted[at])).toBe(-1);
      },
    );
    await fc.assert(property, { numRuns: 100 });
  }, 300_000);

  test("of a batch of locators sees the head of every one, in order", async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 20 }),
      fc.integer({ min: 250, max: 3000 }),
      async (picked, max_tokens) => {
        const names = picked
          .map((at) => locators.filter((one) => /^src\/f\d+\.ts:.*#name\d+@/.test(one))[at % 13])
          .filter((one) => one);
        const asked = [...new Set(names)];
        if (asked.length < 2) return;
        // The continuation of the batch alone is followed: those of its passages show more of each.
        const seen: string[] = [];
        for (let args: Record<string, unknown> | undefined = { locator: asked, max_tokens }; args !== undefined; ) {
          const { text } = await run("read", args);
          seen.push(...[...text.matchAll(/^\S+#(name\d+)@/gm)].map((head) => head[1]));
          const rest = text.split("\n").filter((line) => /"locator":|the same read/.test(line));
          [args] = nextCalls(rest.join("\n"), args);
        }
        expect(seen).toEqual(asked.map((one) => /#(name\d+)@/.exec(one)?.[1]));
      },
    );
    await fc.assert(property, { numRuns: 100 });
  }, 300_000);

  test("of a section of the map sees every item once", async () => {
    const all = (await run("map", { section: "declarations", max_tokens: MAX_TOKENS })).text
      .split("\n")
      .slice(1)
      .filter((line) => line !== "");
    expect(all.length).toBeGreaterThan(10);
    const property = fc.asyncProperty(fc.integer({ min: 250, max: 1500 }), async (max_tokens) => {
      const texts = await follow("map", { section: "declarations", max_tokens });
      const items = texts.flatMap((text) => text.split("\n").filter((line) => /used by \d+\)$|bytes\)$/.test(line)));
      expect(items).toEqual(all);
    });
    await fc.assert(property, { numRuns: 100 });
  }, 300_000);
});
