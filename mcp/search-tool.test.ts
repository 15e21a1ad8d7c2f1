import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CodeFolder } from "./testing/code-folder.js";
import { Session } from "./testing/session.js";

const SERVER = `// Reads requests.
function readTimeoutHandler(socket) {
  socket.timeout = 5;
}

function openSocket(port) {
  return listen(port);
}
`;

let session: Session;
let folder: CodeFolder;

beforeEach(async () => {
  session = await Session.start();
  folder = session.folder("app");
  folder.add("src/server.ts", SERVER);
  folder.add("test/server.test.ts", "function checksTimeout() {\n  readTimeoutHandler(null);\n}\n");
  folder.finish();
});
afterEach(() => session.stop());

async function search(query: string | string[], more: Record<string, unknown> = {}): Promise<string> {
  return (await session.call("search", { query, ...more })).text;
}

describe("a search", () => {
  test("shows the definition first, whole, with a locator that read takes", async () => {
    const text = await search("timeout handler");
    const lines = text.split("\n");
    expect(lines[0]).toMatch(/^hits 1-\d of \d$/);
    expect(lines[1]).toMatch(/^src\/server\.ts:2-4#readTimeoutHandler@[0-9a-f]{12}~[0-9a-f]{12} function$/);
    expect(lines.slice(2, 5)).toEqual(["2: function readTimeoutHandler(socket) {", "3:   socket.timeout = 5;", "4: }"]);
    const read = await session.call("read", { locator: lines[1].split(" ")[0] });
    expect(read.text).toContain("(exact)\n2: function readTimeoutHandler");
  });

  test.each([
    "def:/users/:id",
    'def:"GET /users/:id"',
    "sym:/users/:id",
    "/users/:id",
    "GET /users/:id",
    "kind:route users",
  ])("finds a route by %s, with a locator that read takes", async (query) => {
    folder.add("src/routes.ts", 'app.get("/users", all);\napp.get("/users/:id", one);\n');
    const [, head, line] = (await search(query, { limit: 1 })).split("\n");
    if (query === "kind:route users") return expect(head).toMatch(/^src\/routes\.ts:\d-\d#GET \/users/);
    expect(head).toMatch(/^src\/routes\.ts:2-2#GET \/users\/:id@[0-9a-f]{12}~[0-9a-f]{12} route/);
    expect(line).toBe('2: app.get("/users/:id", one);');
    const read = await session.call("read", { locator: head.replace(/ route.*$/, "") });
    expect(read.text).toContain('(exact)\n2: app.get("/users/:id", one);');
  });

  test("marks tests, and asks for several things at once", async () => {
    const text = await search(["def:openSocket", "def:checksTimeout", "sym:checksTimeout"]);
    expect(text).toMatch(/^hits 1-2 of \[1\] 1; \[2\] 1; \[3\] 1\n/);
    expect(text).toMatch(/#openSocket@\S+ function \(\[1\]\)\n/);
    expect(text).toMatch(/#checksTimeout@\S+ function, test \(\[2\]\[3\]\)\n/);
  });

  test("says when only most of the words were found, and what was not searched for", async () => {
    const text = await search("timeout handler unheard && of");
    expect(text).toContain(
      "note: nothing holds all words of timeout handler unheard && of: these hold most of them, or names begin with them\n",
    );
    expect(text).toContain("note: punctuation alone is not searched: &&\n");
    expect(text).toContain("#readTimeoutHandler@");
  });

  test("tells in which repository a hit is, when there are several", async () => {
    const other = session.folder("lib");
    other.add("a.ts", "function openSocket() {\n}\n");
    other.finish();
    const text = await search("def:openSocket");
    expect(text).toContain("(repo app)");
    expect(text).toContain("(repo lib)");
  });

  test("a query that cannot be read is an error that teaches", async () => {
    expect(await session.call("search", { query: "foo:bar" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/column 1.*lang:.*quote it/),
    });
    expect(await session.call("search", {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('needs "query"'),
    });
    expect(await session.call("search", { query: "a", continuation: "s1.zzz" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("is no continuation"),
    });
    expect(await session.call("search", { query: "a", max_token: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("max_token"),
    });
  });

  test("a node that is not there is an error that says how to start one", async () => {
    await session.node.stop();
    expect(await session.call("search", { query: "a" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("pinakes up FOLDER"),
    });
  });
});

describe("continuations", () => {
  beforeEach(() => {
    for (let i = 0; i < 23; i++) folder.add(`many/f${i}.ts`, `function item${i}(x) {\n  return common(x, ${i});\n}\n`);
  });

  /** Follows continuations to the end; locators in the order they were shown. */
  async function all(args: Record<string, unknown>): Promise<string[]> {
    const seen: string[] = [];
    let next: Record<string, unknown> | undefined = args;
    for (let calls = 0; next !== undefined; calls++) {
      expect(calls).toBeLessThan(60);
      const { text, isError }: { text: string; isError: boolean } = await session.call("search", next);
      expect(isError, text).toBe(false);
      seen.push(...[...text.matchAll(/^(\S+:\d+-\d+#\S+@[0-9a-f]{12}~[0-9a-f]{12})/gm)].map((found) => found[1]));
      const long: string | undefined = /next: search\((\{.*\})\)$/m.exec(text)?.[1];
      const short: string | undefined = /"continuation":"(@\d+)"$/m.exec(text)?.[1];
      if (long !== undefined) next = { ...JSON.parse(long), max_tokens: args.max_tokens };
      else next = short === undefined ? undefined : { ...args, continuation: short };
    }
    return seen;
  }

  test.each([
    ["common kind:function", 300],
    ["common kind:function", 1000],
    ["common kind:function", 20000],
    [["common kind:function", "item7", "x return"], 700],
    ["common kind:function -path:nowhere/very/long/path/that/makes/the/continuation/long", 150],
  ])("%j with %d tokens: every hit once, in one order", async (query, max_tokens) => {
    const whole = await all({ query, limit: 50, max_tokens: 50000 });
    const parts = await all({ query, limit: 7, max_tokens });
    expect(new Set(parts).size).toBe(parts.length);
    expect(parts).toEqual(whole);
    expect(parts.length).toBeGreaterThanOrEqual(23);
  });

  test("an answer that shows no hit goes on behind it, and says what it needs", async () => {
    const path = `${"a/very/deep/path/".repeat(12)}x.ts`;
    folder.add(path, "function onlyOne() {\n  common(deep);\n}\n");
    folder.add("z.ts", "function another() {\n  common(deep);\n}\n");
    const first = await search("common deep kind:function", { max_tokens: 100 });
    expect(first).toMatch(/^no hit shown of 2\nhit 1 needs max_tokens \d+\n1 more; next: .*"@1"\n$/);
    const needed = Number(/needs max_tokens (\d+)/.exec(first)?.[1]);
    expect(await search("common deep kind:function", { max_tokens: needed })).toContain(`${path}:1-3#onlyOne@`);
    expect(await search("common deep kind:function", { max_tokens: 100, continuation: "@1" })).toContain("z.ts:1-3#");
  });

  test("one that was forged is refused with what it may be", async () => {
    for (const continuation of ["@9999999", "@2000"]) {
      expect(await session.call("search", { query: "a", continuation })).toMatchObject({
        isError: true,
        text: expect.stringContaining("searches go to hit 2000"),
      });
    }
  });

  test("says how many are left", async () => {
    const first = await search("common kind:function", { limit: 3 });
    expect(first).toMatch(/^hits 1-3 of 23\n[\s\S]*\n20 more; next: search\(\{"continuation":"s1\.[\w-]+"\}\)\n$/);
    const more = /\n20 more; next: search\(\{"continuation":"s1\.[\w-]+","max_tokens":2100\}\)\n$/;
    expect(await search("common kind:function", { limit: 3, max_tokens: 2_100 })).toMatch(more);
    const { text } = await session.call("search", { continuation: /"(s1\.[\w-]+)"/.exec(first)![1] });
    expect(text).toMatch(/^hits 4-6 of 23 for common kind:function\n[\s\S]*\n17 more; next: /);
  });
});

describe("nothing found", () => {
  test("near names, what was searched, and what was left out", async () => {
    folder.finish({ binary: 3, "too large": 1 });
    const text = await search("readTimoutHandler");
    expect(text).toContain("no hits for readTimoutHandler\n");
    expect(text).toContain("searched 5 declarations in app\n");
    expect(text).toContain("near names: readTimeoutHandler");
    expect(text).toContain("not in the index: 4 files (binary 3, too large 1); `pinakes why PATH` tells about one\n");
  });

  test("counts what the keys of the query let through, not all that is there", async () => {
    const all = 5;
    const counts = await Promise.all(
      ["path:src/server.ts", "-path:src/server.ts", "path:nowhere/", "lang:typescript repo:app"].map(async (place) => {
        const text = await search(`readTimoutHandler ${place}`);
        return Number(new RegExp(`^searched (\\d+) declarations? of ${place}$`, "m").exec(text)?.[1]);
      }),
    );
    expect(counts[0]! + counts[1]!).toBe(all);
    expect(counts.slice(2)).toEqual([0, all]);
    const two = await session.call("search", { query: ["readTimoutHandler path:nowhere/", "readTimoutHandler"] });
    expect(two.text).toContain("searched 5 declarations in app\n");
  });

  test("says which languages there are when none of the one asked for is there", async () => {
    expect(await search("socket lang:typscript")).toContain(
      "no file of language typscript (did you mean typescript?); there are: typescript\n",
    );
    expect(await search("nothingness lang:ts,foo")).toContain("no file of language foo; there are: typescript\n");
    expect(await search("nothingness lang:ts")).not.toContain("no file of language");
  });

  test("says when a key took everything away", async () => {
    expect(await search("openSocket lang:go")).toContain("without keys and negations: 2 hits for openSocket\n");
    // What holds some of the words alone is no hit of the query that is named.
    const none = await search("openSocket unheardOf lang:go");
    expect(none).not.toContain("without keys");
    expect(none).not.toContain("on branches");
  });

  test("an empty index is called empty", async () => {
    session.node.indices.clear();
    expect(await search("a")).toContain("the index is empty: `pinakes up FOLDER` makes a folder searchable\n");
  });
});

describe("lines", () => {
  test("a hit on the comment above a declaration shows it, with its lines of now", async () => {
    const commented = SERVER.replace("function openSocket", "// Opens\n// a harbour.\nfunction openSocket");
    folder.add("src/server.ts", commented);
    const declared = [...(folder.node.indices.get("pinakes-decls")?.values() ?? [])];
    const source = declared.find(({ name, path }) => name === "openSocket" && path === "src/server.ts");
    Object.assign(source ?? {}, {
      comment: "// Opens\n// a harbour.",
      doc_start_line: 6,
      docstring: "Opens a harbour.",
    });
    expect(await search("harbour kind:function")).toMatch(
      /#openSocket@\S+ function\n6: \/\/ Opens\n7: \/\/ a harbour\.\n8: function openSocket/,
    );
    folder.write("src/server.ts", `\n${commented}`);
    expect(await search("harbour kind:function")).toContain("8: // a harbour.\n9: function openSocket");
    folder.write("src/server.ts", commented.replace("harbour", "port"));
    expect(await search("harbour kind:function")).not.toContain("harbour.");
  });

  test("are shown once, with the hit that comes first", async () => {
    const inner = "function inner() {\n  unusual(1);\n";
    const padding = Array.from({ length: 70 }, (_, at) => `  pad(${at});\n`).join("");
    folder.add("src/nested.ts", `${inner}${padding}}\n`);
    const text = await search("unusual");
    expect(text).toMatch(/^hits 1-2 of 2/);
    expect(text.match(/2: {3}unusual\(1\);/g)).toHaveLength(1);
  });

  test("end without a carriage return, and names of files without control characters", async () => {
    folder.add("src/odd\n\u001b[31m.ts", "function oddOne() {\r\n  plain();\r\n}\n");
    const text = await search("def:oddOne");
    for (const control of ["\r", "\u001b"]) expect(text).not.toContain(control);
    expect(text).toContain("src/odd%0A%1B[31m.ts:1-3#oddOne@");
    const read = await session.call("read", { path: "src/odd\n\u001b[31m.ts" });
    expect(read.text).toMatch(/^src\/odd\\n\\x1b\[31m\.ts:1-3 of 3 lines\n1: function oddOne\(\) \{\n/);
  });
});

describe("freshness", () => {
  const hit = "def:readTimeoutHandler";

  test("lines inserted above: moved, with the numbers of now", async () => {
    folder.write("src/server.ts", `// one\n// two\n// three\n${SERVER}`);
    const text = await search(hit);
    expect(text).toMatch(
      /src\/server\.ts:5-7#readTimeoutHandler@\S+ function \(moved \+3 lines\)\n5: function readTimeoutHandler/,
    );
  });

  test("changed text is shown as it is now, and marked", async () => {
    folder.write("src/server.ts", SERVER.replace("timeout = 5", "timeout = 99"));
    const text = await search(hit);
    expect(text).toContain("(changed, found by its name)\n");
    expect(text).toContain("3:   socket.timeout = 99;");
    expect(text).not.toContain("timeout = 5");
  });

  test("text that is gone is never shown", async () => {
    folder.write("src/server.ts", "nothing\n");
    const text = await search(hit);
    expect(text).toContain("(gone: the file no longer has this text or name)");
    expect(text).not.toContain("socket");
    folder.delete("src/server.ts");
    expect(await search(hit)).toContain("(gone: there is no src/server.ts any more)");
  });

  test("with an indexer at hand the file is read again, once, and the index tells where the name is", async () => {
    const changed = `// more\n${SERVER.replace("timeout = 5", "timeout = 99;\n  socket.more = 1")}`;
    const reindexed: string[] = [];
    await session.connect({
      reindexFile: async (root, path) => {
        reindexed.push(`${root}/${path}`);
        folder.index(path, changed);
      },
    });
    folder.write("src/server.ts", changed);
    const text = await search("socket kind:function");
    expect(text).toMatch(
      /src\/server\.ts:3-6#readTimeoutHandler@\S+ function \(changed, found by the index\)\n3: function[\s\S]*6: }\n/,
    );
    expect(text).toMatch(/src\/server\.ts:8-10#openSocket@\S+ function \(moved \+2 lines\)\n/);
    expect(reindexed).toEqual([`${folder.root}/src/server.ts`]);
  });

  test("with an indexer at hand the search is asked again: what lost its word is gone, what kept it is found", async () => {
    await session.connect({
      reindexFile: async (_root, path) => folder.index(path, texts[path] ?? ""),
    });
    folder.add("src/cats.ts", "function cats() {\n  return lynx;\n}\n");
    folder.add("data/t.csv", "a,b\n1,lynx\n");
    const texts: Record<string, string> = {
      "src/cats.ts": "function cats() {\n  return tapir;\n}\n",
      "data/t.csv": "a,b\n1,old lynx\n2,x\n",
    };
    for (const [path, text] of Object.entries(texts)) folder.write(path, text);
    const text = await search("lynx");
    expect(text).toMatch(/src\/cats\.ts:\S+.*\(gone: the file has changed and is no longer found\)/);
    expect(text).not.toContain("function cats");
    expect(text).not.toContain("tapir");
    expect(text).toMatch(/data\/t\.csv:1-3\S* window\n/);
    expect(text).toContain("1,old lynx");
  });

  test("a folder that another run is at is waited for once, not for each file", async () => {
    let asked = 0;
    await session.connect({
      reindexFile: async () => {
        asked++;
        throw Object.assign(new Error("being indexed by process 1"), { problem: "busy" });
      },
    });
    folder.add("src/other.ts", "function other() {\n  return server;\n}\n");
    folder.write("src/server.ts", `\n${SERVER}`);
    folder.write("src/other.ts", "\nfunction other() {\n  return server;\n}\n");
    const text = await search(["def:openSocket", "def:other"]);
    expect(text.match(/moved \+1 lines/g)).toHaveLength(2);
    expect([asked, text.match(/being indexed by process 1/g)?.length]).toEqual([1, 1]);
  });

  test("an indexer that fails is told about, and the answer still comes", async () => {
    await session.connect({
      reindexFile: async () => {
        throw new Error("no grammar");
      },
    });
    folder.write("src/server.ts", `\n${SERVER}`);
    const text = await search(hit);
    expect(text).toContain("(moved +1 lines)");
    expect(text).toContain("note: src/server.ts could not be indexed again: no grammar");
  });

  test("where the folder is not on this machine a hit is unverified", async () => {
    folder.dispose();
    expect(await search(hit)).toContain("function (unverified)\n2: function readTimeoutHandler");
  });
});
