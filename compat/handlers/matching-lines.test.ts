import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seeded } from "../../engine/kernels/testing.js";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;

const POLL = "use std::task;\n\nfn poll_next(x: u8) {\n    poll_next(x - 1)\n}\n";
const EINVAL = "int f(void)\r\n{\r\n\treturn -EINVAL;\r\n}\r\n\r\nint g(void)\r\n{\r\n\treturn -einval;\r\n}";
const DOCUMENTS: Record<string, Record<string, unknown>> = {
  poll: { path: "a.rs", lang: "rust", body: POLL },
  einval: { path: "b.c", lang: "c", body: EINVAL },
  words: { path: "c.md", lang: "text", body: ["élan lan\n\u212aelvin\n", `${"x".repeat(2000)} lan é\n`] },
  empty: { path: "d", lang: "text", body: "" },
  none: { path: "e", lang: "text" },
};

beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/files", {
    mappings: {
      properties: {
        path: { type: "keyword" },
        lang: { type: "keyword" },
        body: { type: "text", fields: { lines: { type: "wildcard" } } },
        title: { type: "text" },
        size: { type: "integer" },
      },
    },
  });
  const lines = Object.entries(DOCUMENTS).flatMap(([id, source]) => [
    JSON.stringify({ index: { _id: id } }),
    JSON.stringify({ ...source, title: source.body }),
  ]);
  await node.call("POST", "/files/_bulk?refresh=true", `${lines.join("\n")}\n`);
});
afterAll(() => node.close());

interface Line {
  line: number;
  byte: number;
  text: string;
  ranges: [number, number][];
  cut_bytes: number;
}

type Fields = Record<string, { total: number; lines: Line[] }>;
type Shown = { id: string } & { "body.lines": Fields[string]; title: Fields[string] };

interface Answer {
  hits: {
    total?: { value: number; relation: string };
    hits: {
      _id: string;
      _score: number;
      _source?: unknown;
      _explanation?: unknown;
      matching_lines?: Fields;
    }[];
  };
  matching_lines?: { lines: number; documents: number };
  profile?: Record<string, unknown>;
  error?: { type: string; reason: string; root_cause: { type: string; reason: string }[] };
  status?: number;
}

const search = async (body: unknown) => (await node.call("POST", "/files/_search", body)).json as never as Answer;
const lines = (options: object | string, field = "body.lines") => ({ matching_lines: { [field]: options } });
const ids = (answer: Answer) => answer.hits.hits.map((hit) => hit._id).sort();
const find = async (options: object | string, field = "body.lines") =>
  ids(await search({ query: lines(options, field) }));

describe("matching_lines finds documents", () => {
  test.each([
    [{ pattern: "fn\\s+poll_" }, ["poll"]],
    [{ pattern: "return -EINVAL;$" }, ["einval"]],
    [{ pattern: "^$" }, ["einval", "poll"]],
    [{ pattern: "-E.*-e" }, []],
    [{ pattern: "x - 1)", syntax: "literal" }, ["poll"]],
    [{ pattern: "KELVIN", case_insensitive: true }, ["words"]],
    [{ pattern: "lan", whole_word: true }, ["words"]],
    [{ pattern: "elan", whole_word: true }, []],
    [{ pattern: "\\{\\s+return", multiline: true }, ["einval"]],
    [{ pattern: "\\{\\s+return" }, []],
    [{ pattern: "" }, ["einval", "poll", "words"]],
  ])("%j", async (options, expected) => {
    expect(await find(options)).toEqual(expected);
    // The field around, and a field without such an index, whose values are read from _source.
    expect(await find(options, "body")).toEqual(expected);
    expect(await find(options, "title")).toEqual(expected);
  });

  test("among others, with a constant score", async () => {
    const rust = { term: { lang: "rust" } };
    const query = { bool: { must: [lines({ pattern: "poll", boost: 3 })], filter: [rust] } };
    const { hits } = await search({ query, explain: true });
    expect(hits.hits.map((hit) => [hit._id, hit._score])).toEqual([["poll", 3]]);
    expect(hits.hits[0]._explanation).toMatchObject({
      value: 3,
      details: [{ value: 3, description: expect.stringContaining("body.lines:/poll/") }, { value: 0 }],
    });
    expect(ids(await search({ query: { bool: { must_not: [lines("return"), lines("poll")] } } }))).toEqual([
      "empty",
      "none",
      "words",
    ]);
    const either = { bool: { should: [lines("poll"), lines("EINVAL")], minimum_should_match: 1, filter: [rust] } };
    expect(ids(await search({ query: either }))).toEqual(["poll"]);
  });

  test("stops when the page is full and nobody counts", async () => {
    const answer = await search({ query: lines(""), size: 1, track_total_hits: false, profile: true });
    expect(ids(answer)).toEqual(["poll"]);
    expect(answer.profile).toMatchObject({ matching_lines: [{ field: "body.lines", documents: 1 }] });
    const sorted = await search({ query: lines(""), size: 2, track_total_hits: false, sort: ["_doc"], profile: true });
    expect(ids(sorted)).toEqual(["einval", "poll"]);
    expect(sorted.profile).toMatchObject({ matching_lines: [{ documents: 2 }] });
    expect((await search({ query: lines(""), size: 1, track_total_hits: 2 })).hits.total).toEqual({
      value: 2,
      relation: "gte",
    });
    expect((await search({ query: lines(""), size: 1 })).hits.total).toEqual({ value: 3, relation: "eq" });
  });

  test("can be counted, and validated", async () => {
    expect((await node.call("POST", "/files/_count", { query: lines("return|poll") })).json).toMatchObject({
      count: 2,
    });
    const valid = await node.call("POST", "/files/_validate/query", { query: lines("a|b") });
    expect(valid.json).toMatchObject({ valid: true });
    const broken = await node.call("POST", "/files/_validate/query?explain=true", { query: lines("a(b") });
    expect(broken.json).toMatchObject({ valid: false });
    expect(JSON.stringify(broken.json)).toContain("at column 2");
  });
});

describe("matching_lines refuses by name", () => {
  test.each([
    [{ pattern: "a(b" }, "there is no ) for the ( that opens at column 2"],
    [{ pattern: "x(?=y)" }, "looking ahead or behind is not supported: no bound on its time is known at column 2"],
    [{ pattern: "a\\nb" }, "set multiline to match over lines at column 2"],
    [{ pattern: "a", flags: "i" }, "[matching_lines] query does not support [flags]"],
    [{ pattern: "a", syntax: "glob" }, "[matching_lines] [syntax] must be one of [regex, literal] but was [glob]"],
    [{ case_insensitive: true }, "[matching_lines] requires [pattern]"],
  ])("%j", async (options, reason) => {
    const answer = await search({ query: lines(options) });
    expect(answer.status).toBe(400);
    expect(answer.error?.root_cause[0].reason).toContain(reason);
  });

  test("a field that has no text", async () => {
    const answer = await search({ query: lines("1", "size") });
    expect(answer.status).toBe(400);
    expect(answer.error?.root_cause[0].reason).toContain("not on [size] which is of type [integer]");
    expect(await find("1", "nowhere")).toEqual([]);
  });

  test.each([
    [{ lines: {} }, "[ext] unknown field [lines]"],
    [{ matching_lines: { count: 1 } }, "[matching_lines] unknown field [count]"],
    [{ matching_lines: { before: 101 } }, "[before] must be between 0 and 100 but was [101]"],
  ])("ext %j", async (ext, reason) => {
    const answer = await search({ query: lines("a"), ext });
    expect(answer.status).toBe(400);
    expect(answer.error?.reason).toContain(reason);
  });
});

describe("ext.matching_lines shows lines", () => {
  const show = async (query: unknown, options: object = {}) => {
    const answer = await search({ query, _source: false, ext: { matching_lines: options } });
    return answer.hits.hits.map((hit): Shown => ({ id: hit._id, ...hit.matching_lines }) as Shown);
  };

  test("with number, place and ranges, and without what ends them", async () => {
    expect(await show(lines("poll_\\w+"))).toEqual([
      {
        id: "poll",
        "body.lines": {
          total: 2,
          lines: [
            { line: 3, byte: 16, text: "fn poll_next(x: u8) {", ranges: [[3, 12]], cut_bytes: 0 },
            { line: 4, byte: 38, text: "    poll_next(x - 1)", ranges: [[4, 13]], cut_bytes: 0 },
          ],
        },
      },
    ]);
    const [, einval] = await show(lines({ pattern: "-e(in)val|;$", case_insensitive: true }, "title"));
    expect(einval).toEqual({
      id: "einval",
      title: {
        total: 2,
        lines: [
          { line: 3, byte: 16, text: "\treturn -EINVAL;", ranges: [[8, 15], [15, 16]], cut_bytes: 0 }, // biome-ignore format: short
          { line: 8, byte: 55, text: "\treturn -einval;", ranges: [[8, 15], [15, 16]], cut_bytes: 0 }, // biome-ignore format: short
        ],
      },
    });
  });

  test("with those around them, each once, and no more than asked for", async () => {
    const [poll] = await show(lines("poll"), { before: 1, after: 1 });
    expect(poll["body.lines"].lines.map(({ line, ranges }) => [line, ranges.length])).toEqual([[2, 0], [3, 1], [4, 1], [5, 0]]); // biome-ignore format: short
    const [first] = await show(lines("poll"), { size: 1, before: 5, after: 1 });
    expect(first["body.lines"]).toMatchObject({ total: 2 });
    expect(first["body.lines"].lines.map(({ line, text }) => [line, text])).toEqual([
      [1, "use std::task;"],
      [2, ""],
      [3, "fn poll_next(x: u8) {"],
      [4, "    poll_next(x - 1)"],
    ]);
    expect((await show(lines("poll"), { size: 0 }))[0]["body.lines"]).toEqual({ total: 2, lines: [] });
  });

  test("of several values, long ones cut at the end of a character", async () => {
    const [words] = await show(lines({ pattern: "lan", whole_word: true }), { max_line_bytes: 1 });
    expect(words["body.lines"]).toEqual({
      total: 2,
      lines: [
        { line: 1, byte: 0, text: "", ranges: [[6, 9]], cut_bytes: 9 },
        { line: 1, byte: 0, text: "x", ranges: [[2001, 2004]], cut_bytes: 2006 },
      ],
    });
  });

  test("of matches over several lines: all that they touch, each with its part", async () => {
    const [einval] = await show(lines({ pattern: "\\{\\s+return", multiline: true }));
    expect(einval["body.lines"].lines.map(({ line, ranges }) => [line, ranges])).toEqual([
      [2, [[0, 1]]],
      [3, [[0, 7]]],
      [7, [[0, 1]]],
      [8, [[0, 7]]],
    ]);
  });

  test("of every pattern that is asked for, not of those that are excluded", async () => {
    const both = { bool: { must: [lines("poll"), lines("use|poll_next\\(x:")], must_not: [lines("nothing")] } };
    const [poll] = await show(both);
    expect(poll["body.lines"].lines.map(({ line, ranges }) => [line, ranges])).toEqual([
      [1, [[0, 3]]],
      [3, [[3, 7], [3, 15]]], // biome-ignore format: short
      [4, [[4, 8]]],
    ]);
  });

  test("and counts them over all documents", async () => {
    const ext = { matching_lines: { totals: true, size: 1 } };
    expect((await search({ query: lines("return|poll"), size: 0, ext })).matching_lines).toEqual({
      lines: 4,
      documents: 2,
    });
    const narrowed = {
      query: lines("return|poll"),
      size: 1,
      track_total_hits: false,
      post_filter: { term: { lang: "c" } },
      ext,
    };
    expect((await search(narrowed)).matching_lines).toEqual({ lines: 2, documents: 1 });
  });
});

describe("what changes is seen at the next refresh", () => {
  test("updates and deletes", async () => {
    await node.call("PUT", "/changing", {
      mappings: { properties: { body: { type: "text", fields: { lines: { type: "wildcard" } } } } },
    });
    const found = async () => {
      const body = { query: lines("needle"), ext: { matching_lines: {} } };
      const answer = (await node.call("POST", "/changing/_search", body)).json as never as Answer;
      return answer.hits.hits.map((hit) => [
        hit._id,
        hit.matching_lines?.["body.lines"].lines.map((line) => line.line),
      ]);
    };
    await node.call("PUT", "/changing/_doc/1?refresh=true", { body: "a\nneedle\n" });
    await node.call("PUT", "/changing/_doc/2?refresh=true", { body: "needle\n" });
    expect(await found()).toEqual([["1", [2]], ["2", [1]]]); // biome-ignore format: short
    await node.call("PUT", "/changing/_doc/1?refresh=true", { body: "a\nb\nneedle" });
    expect(await found()).toEqual([["2", [1]], ["1", [3]]]); // biome-ignore format: short
    await node.call("DELETE", "/changing/_doc/2?refresh=true");
    expect(await found()).toEqual([["1", [3]]]);
    await node.call("POST", "/changing/_forcemerge?max_num_segments=1");
    expect(await found()).toEqual([["1", [3]]]);
    await node.call("DELETE", "/changing/_doc/1?refresh=true");
    expect(await found()).toEqual([]);
  });
});

describe("over random documents", () => {
  const SEED = Number(process.env.LINES_SEED ?? Date.now() % 2 ** 31);
  const random = seeded(SEED);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const LETTERS = ["a", "b", "ab", "foo", "Bar", "_", "1", " ", "\t", "é", "日", "(", "\u212a"];
  const PATTERNS = [
    "foo",
    "a.b",
    "[ab]+1",
    "^\\s*foo",
    "\\)?$",
    "(ab|Bar)_",
    "\\d\\S",
    "é|日",
    "^$",
    "fooBar",
    "\\w+é",
    "o{2}b?",
    "b[^a]*1",
  ];

  const text = (): string =>
    Array.from({ length: random() * 60 }, () =>
      Array.from({ length: random() * 12 }, () => one(LETTERS)).join(""),
    ).join(one(["\n", "\r\n"])) + one(["", "\n", "x ".repeat(10_000)]);

  /** Line numbers as a loop over the lines finds them. */
  function slowly(body: string, pattern: string, flags: string): number[] {
    const expression = new RegExp(
      pattern.replaceAll("\\w", "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]"),
      flags,
    );
    const lines = body.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines.flatMap((line, i) => (expression.test(line) ? [i + 1] : []));
  }

  test(`lines are those that a loop over lines finds, seed ${SEED}`, async () => {
    await node.call("PUT", "/random", {
      mappings: { properties: { body: { type: "text", fields: { lines: { type: "wildcard" } } } } },
    });
    const bodies = Array.from({ length: 60 }, text);
    for (let from = 0; from < bodies.length; from += 20) {
      const lines = bodies
        .slice(from, from + 20)
        .flatMap((body, i) => [JSON.stringify({ index: { _id: String(from + i) } }), JSON.stringify({ body })]);
      await node.call("POST", "/random/_bulk?refresh=true", `${lines.join("\n")}\n`);
    }
    for (const pattern of PATTERNS) {
      for (const [flags, folded] of [
        ["u", false],
        ["iu", true],
      ] as const) {
        const query = lines({ pattern, case_insensitive: folded }, "body");
        const ext = { matching_lines: { size: 1000, max_line_bytes: 0 } };
        const body = { query, size: 100, _source: false, ext };
        const answer = (await node.call("POST", "/random/_search", body)).json as never as Answer;
        const found = Object.fromEntries(
          answer.hits.hits.map((hit) => [hit._id, hit.matching_lines?.body.lines.map(({ line }) => line)]),
        );
        const expected = Object.fromEntries(
          bodies
            .map((one, i) => [String(i), slowly(one, pattern, flags)] as const)
            .filter(([, some]) => some.length > 0),
        );
        expect({ pattern, flags, found }).toEqual({ pattern, flags, found: expected });
      }
    }
  }, 60_000);
});

describe("on a keyword field", () => {
  const NAMES = ["readTimeout", "ReadTimeout", "", "read", "timeout", "größe", "a".repeat(300), "read\nlast", "cr\r"];

  async function named(index: string, names: readonly (string | string[])[], pattern: object): Promise<string[]> {
    const mappings = { properties: { name: { type: "keyword" } } };
    await node.call("PUT", `/${index}`, { mappings });
    const lines = names.flatMap((name, id) => [
      JSON.stringify({ index: { _id: String(id) } }),
      JSON.stringify({ name }),
    ]);
    await node.call("POST", `/${index}/_bulk`, `${lines.join("\n")}\n`);
    await node.call("DELETE", `/${index}/_doc/0`);
    await node.call("POST", `/${index}/_refresh`);
    const query = { matching_lines: { name: pattern } };
    const { json } = await node.call("POST", `/${index}/_search`, { query, size: 100, sort: ["_doc"] });
    const { hits } = json as never as Answer;
    await node.call("DELETE", `/${index}`);
    return hits.hits.map(({ _id }) => _id);
  }

  test.each([
    ["a part", { pattern: "imeout" }, [1, 4]],
    ["whatever its case", { pattern: "^readtimeout$", case_insensitive: true }, [1]],
    ["a whole word", { pattern: "read", syntax: "literal", whole_word: true }, [3, 7]],
    ["letters of any script", { pattern: "^\\p{L}{5}$" }, [5]],
    ["a line among several", { pattern: "^last$" }, [7]],
    ["any line at all, which an empty value has not", { pattern: "" }, [1, 3, 4, 5, 6, 7, 8]],
  ])("finds %s, with values of several lines and without", async (_, pattern, expected) => {
    const ids = (list: readonly number[]) => list.map(String);
    expect(await named("mixed", NAMES, pattern)).toEqual(ids(expected));
    const single = NAMES.map((name) => (/[\r\n]/.test(name) ? "" : name));
    expect(await named("single", single, pattern)).toEqual(ids(expected.filter((id) => id < 7)));
  });

  test("gives the lines of hits, and counts those of all", async () => {
    await node.call("PUT", "/counted", { mappings: { properties: { name: { type: "keyword" } } } });
    for (const [id, name] of [
      ["a", "readTimeout"],
      ["b", ["timeout", "other", "timeouts"]],
      ["c", "none"],
    ] as const)
      await node.call("PUT", `/counted/_doc/${id}?refresh=true`, { name });
    const body = {
      query: { matching_lines: { name: { pattern: "imeout" } } },
      ext: { matching_lines: { totals: true } },
      sort: ["_doc"],
      size: 1,
    };
    const { hits, matching_lines } = (await node.call("POST", "/counted/_search", body)).json as never as Answer;
    expect(matching_lines).toEqual({ lines: 3, documents: 2 });
    expect(hits.hits[0].matching_lines?.name.lines).toMatchObject([
      { line: 1, text: "readTimeout", ranges: [[5, 11]] },
    ]);
  });

  test("tries thousands of values, many to a document, in batches", async () => {
    const names = Array.from({ length: 3000 }, (_, i) =>
      Array.from({ length: 5 }, (_, j) => `name${i}of${j}${"x".repeat(i % 40)}`),
    );
    const expected = names.flatMap((own, id) =>
      id > 0 && own.some((name) => /e\d*7of3x{5}$/.test(name)) ? [String(id)] : [],
    );
    expect((await named("many", names, { pattern: "e\\d*7of3x{5}$" })).slice(0, 100)).toEqual(expected.slice(0, 100));
  });
});
