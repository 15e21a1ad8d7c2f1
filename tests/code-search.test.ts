/** The query language on a real node: each key, how terms go together, what is printed, and the request that does the same. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { pinakes, removeFolder, send, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const FILES: Readonly<Record<string, string>> = {
  "src/poll.rs": `use crate::Waker;

/// Polls the socket once.
pub fn poll_ready(waker: &Waker) -> bool {
    waker.wake();
    true
}

pub fn poll_write(waker: &Waker) -> bool {
    poll_ready(waker)
}

pub struct PollState {
    ready: bool,
}
`,
  "src/server.ts": `import { parseOptions } from "./options.js";

export class Server extends Base {
  start(port: number): void {
    const options = parseOptions(port);
    this.listen(options);
  }
}
`,
  "src/options.ts": "export function parseOptions(port: number) {\n  return { port, retry: 3 };\n}\n",
  "lib/parse.py":
    'def parse_options(text):\n    """Reads options."""\n    return text.split("==")\n\n\nclass Retry:\n    pass\n',
  "test/server.test.ts": 'test("starts", () => {\n  new Server().start(parseOptions(80).port);\n});\n',
  "docs/read (me).md": "# Options\n\nHow parseOptions reads a port.\n",
  "src/größe.ts": "export const größeÄndern = 1;\r\nexport const second = größeÄndern;\r\n",
};

let node: TestNode;
const project = realpathSync(temporaryFolder("code-search"));

beforeAll(async () => {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  node = await startTestNode();
  expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
}, 60_000);
afterAll(async () => {
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(project);
});

const search = (...args: string[]) => pinakes(["search", "--url", node.url, ...args], {}, project);

/** Hits of `/_code/search`: names of declarations, paths of files. */
async function found(query: string): Promise<string[]> {
  const { status, json } = await send(node.url, {
    method: "POST",
    path: "/_code/search",
    body: { query, size: 100 },
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.hits.hits.map(
    ({ _source }: { _source: { name?: string; path: string } }) => _source.name ?? _source.path,
  );
}

describe("a query finds declarations by", () => {
  test.each([
    ["def:poll_ready", ["poll_ready"]],
    ["def:Server.start", ["start"]],
    ["sym:options kind:function", ["parseOptions", "parse_options"]],
    ["kind:struct,class -def:Server", ["PollState", "Retry"]],
    ["kind:class lang:py or kind:struct", ["PollState", "Retry"]],
    ["calls:parseOptions kind:method", ["start"]],
    ["calls:poll_ready", ["poll_write"]],
    ["ref:Base kind:class", ["Server"]],
    ["ref:poll_ready -calls:wake kind:function", ["poll_write"]],
    ["(def:poll_ready or def:Retry) -lang:rust", ["Retry"]],
    ["-(lang:typescript or lang:rust) kind:function", ["parse_options"]],
    ["kind:function path:src/**/*.{rs,py}", ["poll_ready", "poll_write"]],
    ["kind:function path:parse*.py", ["parse_options"]],
    ["kind:class class:source path:src/*", ["Server"]],
    ["socket or retry kind:function path:src/options.ts", ["parseOptions", "poll_ready"]],
    ['"polls the socket" kind:function', ["poll_ready"]],
  ])("%s", async (query, names) => {
    const given = await found(query);
    expect([...new Set(given)].filter((name) => !name.includes("."))).toEqual(expect.arrayContaining(names));
    expect([...new Set(given)].sort()).toEqual([...names].sort());
  });
});

describe("the request that a search makes", () => {
  test.each(["parseOptions", "def:poll_ready or kind:class", "socket -lang:go"])(
    "%s, sent by hand, gives the same hits",
    async (query) => {
      const explained = (await search("--explain", query)).stdout;
      const [head = "", ...body] = explained.split("\n");
      const [method, where] = head.split(" ");
      const byHand = await send(node.url, { method: method!, path: where!, body: body.join("\n") });
      // What has no name of its own is called by its path in the index, and by nothing where it is shown.
      const placeOf = (locator: string) => locator.replace(/#[^@]*@/, "@");
      const locators = byHand.json.hits.hits.map((hit: { _source: { locator: string } }) =>
        placeOf(hit._source.locator),
      );
      const shown = (await search("--json", query)).stdout.trim().split("\n").slice(0, -1);
      expect(shown.map((line) => placeOf(JSON.parse(line).locator))).toEqual(locators);
      expect(locators.length).toBeGreaterThan(0);
    },
  );

  it("comes with the answer of /_code/search, which is that of _search", async () => {
    const ask = {
      method: "GET",
      path: "/_code/search",
      body: { query: "poll_ready", size: 1, from: 1, explain: true },
    };
    const { json } = await send(node.url, ask);
    const { method, path: where, body } = json.request;
    const byHand = await send(node.url, { method, path: where, body });
    expect(json.hits).toEqual(byHand.json.hits);
    expect(json.hits.hits).toHaveLength(1);
    expect(json.hits.hits[0]._explanation.value).toBeGreaterThan(0);
    expect(Object.keys(json)[0]).toBe("request");
  });
});

/** Lines of the project that JavaScript's engine finds, as `path:line:text`: nothing of the node takes part. */
function linesWith(pattern: RegExp, files: (file: string) => boolean = () => true): string[] {
  return Object.entries(FILES)
    .filter(([file]) => files(file))
    .flatMap(([file, text]) =>
      text.split(/\r?\n/).flatMap((line, at, all) => {
        const isPastEnd = at === all.length - 1 && line === "";
        return !isPastEnd && pattern.test(line) ? [`${file}:${at + 1}:${line}`] : [];
      }),
    )
    .sort();
}

describe("a query finds the lines of", () => {
  const isRust = (file: string) => file.endsWith(".rs");
  test.each<[string, string[]]>([
    ["/poll_\\w+/", linesWith(/poll_\w+/i)],
    ["/Poll\\w+/", linesWith(/Poll\w+/)],
    ["/POLL/i", linesWith(/poll/i)],
    ["/^\\s*}$/", linesWith(/^\s*}$/)],
    ["/;$/ lang:ts class:source", linesWith(/;$/, (file) => /^src.*ts$/.test(file))],
    ["/größeä/i", linesWith(/größeä/i)],
    ["content:'split(\"==\")'", linesWith(/nothing at all/)],
    ['content:"split(\\"==\\")"', linesWith(/split\("=="\)/)],
    ["content:Waker)", linesWith(/Waker\)/)],
    ["case:yes Retry", linesWith(/Retry/)],
    ["case:no /RETRY/", linesWith(/retry/i)],
    ["word:yes ready", linesWith(/\bready\b/i)],
    ["word:yes /port|poll_read/", linesWith(/\bport\b/i)],
    ["/waker/ path:src/**/*.rs", linesWith(/waker/i, isRust)],
    ["/options/ path:/\\.(py|md)$/", linesWith(/options/i, (file) => /\.(py|md)$/.test(file))],
    ["/return/ or content:retry", linesWith(/return|retry/i)],
    ["/return/ -lang:python", linesWith(/return/i, (file) => !file.endsWith(".py"))],
    ["/options/ (/split/ or class:docs)", linesWith(/options|split/i, (file) => /\.(py|md)$/.test(file))],
    ["/port/ -(class:test or content:listen)", linesWith(/port/i, (file) => !/server/.test(file))],
    ["socket /pub fn/", linesWith(/pub fn/i, isRust)],
  ])("%s", async (query, lines) => {
    const { stdout, status } = await search(query);
    expect(stdout.split("\n").filter(Boolean).sort()).toEqual(lines);
    expect(status).toBe(lines.length > 0 ? 0 : 1);
  });

  it("a pattern that crosses lines, by all that it touches", async () => {
    expect((await search("/class \\w+:\\s+pass/m")).stdout).toBe(
      "lib/parse.py:6:class Retry:\nlib/parse.py:7:    pass\n",
    );
  });

  it("files without a pattern, by their paths", async () => {
    expect((await search("--", "-/e/ lang:rust or -/options/i class:source lang:ts")).stdout).toBe("src/größe.ts\n");
  });

  it("declarations where a key is theirs alone", async () => {
    expect((await search("/waker\\b/ kind:function", "--json")).stdout.match(/"name":"\w+"/g)?.sort()).toEqual([
      '"name":"poll_ready"',
      '"name":"poll_write"',
    ]);
    expect((await search("case:yes parseOptions kind:method")).stdout).toBe(
      "src/server.ts:5:    const options = parseOptions(port);\n",
    );
  });
});

describe("lines are printed", () => {
  it("with those around, counted, as paths, and as JSON", async () => {
    expect((await search("/poll_write/", "-A", "1", "-B", "1")).stdout).toBe(
      "src/poll.rs-8-\nsrc/poll.rs:9:pub fn poll_write(waker: &Waker) -> bool {\nsrc/poll.rs-10-    poll_ready(waker)\n",
    );
    expect((await search("-c", "/poll_/")).stdout).toBe("src/poll.rs:3\n");
    expect((await search("-l", "/parseOptions/")).stdout.trim().split("\n").sort()).toEqual([
      "docs/read (me).md",
      "src/options.ts",
      "src/server.ts",
      "test/server.test.ts",
    ]);
    const [hit] = (await search("--json", "/größeÄ/")).stdout.split("\n");
    expect(JSON.parse(hit!)).toMatchObject({
      ...{ type: "file", path: "src/größe.ts", state: "exact", total: 2 },
      lines: [
        { line: 1, text: "export const größeÄndern = 1;", ranges: [[13, 22]] },
        { line: 2, text: "export const second = größeÄndern;", ranges: [[22, 31]] },
      ],
    });
  });

  it("by the request that --explain prints, sent by hand", async () => {
    for (const query of ["/poll_\\w+/", "socket /fn/", "case:yes Server -class:test"]) {
      const [head = "", ...body] = (await search("--explain", query)).stdout.split("\n");
      const [method, where] = head.split(" ");
      const { json } = await send(node.url, { method: method!, path: where!, body: body.join("\n") });
      const byHand = json.hits.hits.flatMap((hit: LinesHit) =>
        hit.matching_lines["body.lines"].lines.map(({ line, text }) => `${hit._source.path}:${line}:${text}`),
      );
      expect((await search(query)).stdout.trim().split("\n")).toEqual(byHand);
    }
  });

  it("as they are now, where a file has changed since", { timeout: 60_000 }, async () => {
    const file = path.join(project, "src/options.ts");
    writeFileSync(file, `// parseOptions moves down\n${FILES["src/options.ts"]}`);
    const moved = await search("/function parseoptions/i");
    expect(moved.stdout).toBe("src/options.ts:2:export function parseOptions(port: number) {\n");
    writeFileSync(file, "// parse no more\n");
    const gone = await search("/retry: 3/");
    expect(gone).toMatchObject({ status: 1, stdout: "" });
    writeFileSync(file, FILES["src/options.ts"]!);
    expect((await pinakes(["autoindex", project, "--url", node.url])).status).toBe(0);
  });

  it("or what is wrong with a pattern is said, with its column", async () => {
    const wrong = await search("/poll(/");
    expect(wrong).toMatchObject({ status: 2, stdout: "" });
    expect(wrong.stderr).toMatch(/poll\(|column|parenthesis/);
  });
});

interface LinesHit {
  _source: { path: string };
  matching_lines: { "body.lines": { lines: { line: number; text: string }[] } };
}

describe("what a query names and the index has nothing of is told", () => {
  it("by /_code/search, as notes, beside hits and without", async () => {
    const ask = (query: string) => send(node.url, { method: "POST", path: "/_code/search", body: { query } });
    const { json } = await ask("poll_ready (lang:rust or lang:rsut)");
    expect(json.notes).toEqual([
      expect.stringMatching(/^no file of language rsut \(did you mean rust\?\); there are: /),
    ]);
    expect(json.hits.hits).not.toEqual([]);
    const nothing = (await ask("poll_ready repo:nope -branch:none")).json;
    expect(nothing.notes).toEqual([
      expect.stringMatching(/^no file of repository nope; there are: /),
      expect.stringMatching(/^no file of branch none/),
    ]);
    expect(nothing.hits.hits).toEqual([]);
    expect((await ask("poll_ready lang:rust")).json.notes).toBeUndefined();
    const wildcard = (await ask("p?ll_ready lang:rust")).json;
    expect(wildcard).toMatchObject({ notes: [expect.stringContaining("/p.ll_ready/ for lines")], hits: { hits: [] } });
  });

  it("by pinakes search, once, beside hits and without", async () => {
    const { stderr, status } = await search("poll_ready (lang:rust or lang:rsut)");
    expect(status).toBe(0);
    expect(stderr.match(/no file of language rsut/g)).toHaveLength(1);
    const nothing = await search("poll_ready repo:nope");
    expect(nothing.status).toBe(1);
    expect(nothing.stderr.match(/no file of repository nope; there are: /g)).toHaveLength(1);
    expect((await search("type:commit x repo:nope")).status).toBe(1);
  });
});

describe("/_code/search refuses", () => {
  test.each([
    [{ query: "x class:tests" }, "parsing_exception", /^column 9: class: cannot be "tests"/],
    [{ query: "author:ada -type:commit" }, "illegal_argument_exception", /-type: cannot be taken away/],
    [{ query: "changed:" }, "illegal_argument_exception", /changed:all: it needs the folders and their git/],
    [{ query: "since:2020-13-45" }, "illegal_argument_exception", /since:2020-13-45: .*no date from 1970 to 2099/],
    [{ query: `path:${"{a,b}".repeat(9)}` }, "illegal_argument_exception", /more than 64 patterns/],
    [{ query: 5 }, "x_content_parse_exception", /\[code_search\] query is a text, .* not of type: VALUE_NUMBER/],
    [{ query: ["x"] }, "x_content_parse_exception", /query is a text, .* not of type: START_ARRAY/],
    [{ query: { match_all: {} } }, "x_content_parse_exception", /query is a text, .* not of type: START_OBJECT/],
    [{ query: true }, "x_content_parse_exception", /query is a text, .* not of type: VALUE_BOOLEAN/],
    [{}, "illegal_argument_exception", /\[query\] is missing/],
    [{ query: "x", limit: 3 }, "x_content_parse_exception", /unknown field \[limit\]/],
  ])("%j", async (body, type, reason) => {
    const { status, json } = await send(node.url, { method: "POST", path: "/_code/search", body });
    expect(status).toBe(400);
    expect(json.error.type).toBe(type);
    expect(json.error.reason).toMatch(reason);
  });

  it("with the column of what cannot be read", async () => {
    const columnOf = async (query: string) => {
      const { json } = await send(node.url, { method: "POST", path: "/_code/search", body: { query } });
      expect(json.error.line).toBe(1);
      return json.error.col;
    };
    expect(await columnOf("a (b")).toBe(3);
    expect(await columnOf(`x path:${"{a,b}".repeat(9)}`)).toBe(8);
    expect(await columnOf("x since:2020-13-45")).toBe(9);
    expect(await columnOf("x since:v1")).toBe(9);
    expect(await columnOf("\u{1F600} (b")).toBe(3);
  });
});

describe("pinakes search", () => {
  it("prints path:line:text, lines around, paths and counts", async () => {
    expect((await search("def:poll_ready")).stdout).toBe("src/poll.rs:4:pub fn poll_ready(waker: &Waker) -> bool {\n");
    expect((await search("def:Server.start", "-C", "1")).stdout).toBe(
      "src/server.ts-3-export class Server extends Base {\nsrc/server.ts:4:  start(port: number): void {\nsrc/server.ts-5-    const options = parseOptions(port);\n",
    );
    expect((await search("-l", "kind:function")).stdout.trim().split("\n").sort()).toEqual([
      "lib/parse.py",
      "src/options.ts",
      "src/poll.rs",
    ]);
    expect((await search("-c", "kind:function lang:rust")).stdout).toBe("src/poll.rs:2\n");
  });

  it("counts and lists all files of a word, more than the usual ten and more than a page", async () => {
    const many = path.join(project, "many");
    mkdirSync(many);
    for (let at = 10; at < 23; at++)
      writeFileSync(path.join(many, `f${at}.ts`), `export function price${at}() {}\n`.repeat(at === 22 ? 600 : 1));
    expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
    const counts = Array.from({ length: 13 }, (_, at) => `many/f${at + 10}.ts:${at === 12 ? 600 : 1}\n`).join("");
    expect(await search("-c", "price")).toMatchObject({ status: 0, stdout: counts, stderr: "" });
    expect((await search("-l", "price")).stdout).toBe(counts.replace(/:\d+$/gm, ""));
    expect((await search("-l", "price", "--limit", "2")).stdout.trim().split("\n").length).toBeLessThanOrEqual(2);
    removeFolder(many);
    expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
  }, 60_000);

  it("searches a file that changed again: what lost its word is told of, what kept it is found", async () => {
    const write = (name: string, text: string) => writeFileSync(path.join(project, name), text);
    write("c5.md", "# Title\n\nThe lynx walks.\n");
    write("c6.md", "# Title\n\nA lynx sleeps.\n");
    write("t.csv", "a,b\n1,lynx\n");
    write("x.txt", "a lynx here\n");
    expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
    write("c5.md", "# Title\n\nThe tapir walks.\n");
    write("c6.md", "# Title\n\nA young lynx sleeps.\n");
    write("t.csv", "a,b\n1,a lynx\n3,x\n");
    write("x.txt", "an old lynx here\nmore\n");
    const { status, stdout, stderr } = await search("lynx");
    expect(status).toBe(0);
    expect(stdout.trim().split("\n").sort()).toEqual([
      "c6.md:3:A young lynx sleeps.  (changed, found by the index)",
      "t.csv:2:1,a lynx",
      "x.txt:1:an old lynx here",
    ]);
    expect(stderr).toMatch(/^c5\.md:1: \(gone: the file has changed and is no longer found\)$/m);
    write("x.txt", "nothing\n");
    expect(await search("lynx", "path:x.txt")).toMatchObject({ status: 1, stdout: "" });
    for (const name of ["c5.md", "c6.md", "t.csv", "x.txt"]) removeFolder(path.join(project, name));
    expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
  }, 60_000);

  it("ends with 0, 1 or 2, as grep does", async () => {
    expect((await search("def:poll_ready")).status).toBe(0);
    expect((await search("def:nowhere")).status).toBe(1);
    expect((await search("kind:(")).status).toBe(2);
    expect((await pinakes(["search", "--url", "http://127.0.0.1:9", "x"])).status).toBe(2);
  });

  it("points at the trouble of a query", async () => {
    expect((await search("foo class:tests")).stderr).toBe(
      `pinakes: column 11: class: cannot be "tests"; did you mean test? It is one of source, test, vendored, generated, build, config, docs, data\n  foo class:tests\n  ${" ".repeat(10)}^\n`,
    );
  });

  it("before anything is indexed finds nothing, and says so", async () => {
    const empty = await startTestNode();
    const nothing = await pinakes(["search", "--url", empty.url, "x"]);
    expect(nothing).toMatchObject({ status: 1, stdout: "" });
    expect(nothing.stderr).toContain("the index is empty");
    await empty.stop();
    removeFolder(empty.dataFolder);
  });
});
