/** The order of hits on a real node: what comes before what, and that it never changes. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readQuery, toSearch } from "../code/index.js";
import { pinakes, removeFolder, send, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const FILES: Readonly<Record<string, string>> = {
  "src/retry.ts": `/** Computes how long to wait before the next attempt. */
export function retryDelay(attempt: number): number {
  return Math.min(30_000, 100 * 2 ** attempt);
}

export function retryDelayOfHost(host: string): number {
  return retryDelay(attemptsOf(host));
}
`,
  "src/client.ts": `import { retryDelay } from "./retry.js";

export class Client {
  send(request: string): void {
    if (this.closed) throw new Error("the connection was closed by the server");
    setTimeout(() => this.resend(request), retryDelay(this.attempts) + retryDelay(0));
  }

  resend(request: string): void {
    this.socket.write(request);
  }
}
`,
  "src/table.h": "int table_insert(struct table *t, int key);\n",
  "src/table.c": `#include "table.h"

int table_insert(struct table *t, int key) {
  int slot = key % t->size;
  while (t->keys[slot] != 0) slot = (slot + 1) % t->size;
  t->keys[slot] = key;
  return slot;
}
`,
  "src/lexer.ts": `export class Lexer {
  tokens = 0;
  lexer(): number {
    return this.tokens;
  }
}

export function readToken(lexer: Lexer): number {
  const advance = () => {
    return lexer.tokens++;
  };
  return advance();
}

export function read_token(): void {}
`,
  "src/other/lexer.ts": "export function unrelated(): void {}\n\n\n\n\n\n\n\nexport function later(): void {}\n",
  "test/retry.test.ts": "function retryDelay() {\n  return 0;\n}\nretryDelay();\n",
  "docs/retry.md": "# retryDelay\n\nHow retryDelay waits. The retryDelay is computed.\n",
  "src/broken.py": `# a\n# b\ndef ok_before():\n    return 1\n\ndef broken(((:\n  class = = =\n\ndef ok_after():\n    return 2\n`,
  "src/row.py": "def shout(ok, after):\n    return ok + after\n\ndef flat():\n    return okafter\n",
  "src/scattered.py": `def scattered():
    """ok is what comes after"""
    return 1

def after_all(ok):
    return ok
`,
  "src/same.ts": `${Array.from({ length: 60 }, (_, at) => `export function twin${at}() {\n  return samePlace;\n}\n`).join("")}`,
};

let node: TestNode;
const project = realpathSync(temporaryFolder("ranking"));

beforeAll(async () => {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), text);
  }
  node = await startTestNode();
  expect(await pinakes(["autoindex", project, "--url", node.url])).toMatchObject({ status: 0 });
}, 120_000);
afterAll(async () => {
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(project);
});

interface Hit {
  _score: number;
  _explanation?: unknown;
  _source: { path: string; name: string; qualified_name: string };
}

async function hitsFor(text: string, more: Record<string, unknown> = {}): Promise<Hit[]> {
  const body = { ...toSearch(readQuery(text), { from: 0, size: 50, words: "all" }), ...more };
  const { status, json } = await send(node.url, { method: "POST", path: "/pinakes-decls/_search", body });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.hits.hits;
}

async function order(text: string): Promise<string[]> {
  return (await hitsFor(text)).map(({ _source }) => `${_source.path}#${_source.qualified_name}`);
}

describe("the order of hits", () => {
  test.each([
    ["a definition before its uses", "retryDelay", "src/retry.ts#retryDelay", "src/client.ts#Client.send"],
    ["source before tests", "retryDelay", "src/retry.ts#retryDelay", "test/retry.test.ts#retryDelay"],
    ["source before documentation", "retryDelay", "src/retry.ts#retryDelay", "docs/retry.md#retryDelay"],
    ["the whole name before longer ones", "retryDelay", "src/retry.ts#retryDelay", "src/retry.ts#retryDelayOfHost"],
    ["the name of its words before uses", "retry delay", "src/retry.ts#retryDelay", "src/client.ts#Client.send"],
    ["a definition before its header", "table_insert", "src/table.c#table_insert", "src/table.h#table_insert"],
    [
      "a function before its class, for a question",
      "where is the request written to the socket",
      "src/client.ts#Client.resend",
      "src/client.ts#Client",
    ],
  ])("has %s", async (_what, text, first, second) => {
    const hits = await order(text);
    expect(hits[0]).toBe(first);
    expect(hits.indexOf(second)).toBeGreaterThan(0);
  });

  test.each([
    ["Lexer", "src/lexer.ts#Lexer", "src/lexer.ts#Lexer.lexer"],
    ["readToken", "src/lexer.ts#readToken", "src/lexer.ts#read_token"],
    ["read_token", "src/lexer.ts#read_token", "src/lexer.ts#readToken"],
  ])("has %s as it is written before the same name in another case", async (text, first, second) => {
    expect((await order(text)).slice(0, 2)).toEqual([first, second]);
  });

  it("has the class before a field of its name, for one who types no capitals", async () => {
    expect((await order("retrydelay"))[0]).toBe("src/retry.ts#retryDelay");
    expect((await order("lexer"))[0]).toBe("src/lexer.ts#Lexer");
  });

  it.each(["ok_after", "okAfter", "OK_AFTER"])("has an identifier whole, then its parts in a row: %s", async (text) => {
    const paths = (await hitsFor(text)).map(({ _source }) => _source.path);
    expect(paths).toContain("src/broken.py");
    expect(paths.lastIndexOf("src/broken.py")).toBeLessThan((await order(text)).indexOf("src/row.py#shout"));
  });

  it("has an identifier where it stands without capitals", async () => {
    expect(await order("okAfter")).toContain("src/row.py#flat");
  });

  it("has no identifier of parts that stand apart", async () => {
    for (const text of ["ok_after", "okAfter", "after_ok", "table_slot"]) {
      expect(
        (await order(text)).filter((hit) => hit.startsWith("src/scattered.py") || hit.endsWith("table_insert")),
      ).toEqual([]);
    }
  });

  it("finds a name by its beginning", async () => {
    expect((await order("retryDelayOf"))[0]).toBe("src/retry.ts#retryDelayOfHost");
  });

  it("gives equal hits by where they stand, and a page of ten is the beginning of a page of fifty", async () => {
    const fifty = await order("samePlace");
    expect(fifty.slice(0, 3)).toEqual(["src/same.ts#twin0", "src/same.ts#twin1", "src/same.ts#twin2"]);
    for (const text of ["samePlace", "how is the retry delay computed", "retryDelay"]) {
      const ten = await hitsFor(text, { size: 10 });
      expect((await order(text)).slice(0, 10)).toEqual(
        ten.map(({ _source }) => `${_source.path}#${_source.qualified_name}`),
      );
    }
  });
});

describe("prose", () => {
  test.each([
    ["a question", "how long does the client wait before the next attempt", "src/retry.ts#retryDelay"],
    ["a question in other forms of the words", "where are keys inserted into the table", "src/table.c#table_insert"],
    ["an error message", "Error: the connection was closed by the server", "src/client.ts#Client.send"],
    [
      "a bug report",
      "Requests are sent too often\n\n```\nError: boom\n    at Client.resend (/app/src/client.ts:9:5)\n    at foo (/app/src/foo.ts:1:1)\n```\nexpected: fewer requests, key: value",
      "src/client.ts#Client.resend",
    ],
  ])("finds by %s", async (_what, text, first) => {
    expect((await order(text))[0]).toBe(first);
  });

  test.each([
    ["a frame", "at readToken (src/lexer.ts:8:3)", "src/lexer.ts#readToken"],
    ["a frame without a name, the innermost declaration", "at src/lexer.ts:10:5", "src/lexer.ts#readToken.advance"],
    ["a frame of another machine", "    at file:///home/ada/app/src/lexer.ts:4:9", "src/lexer.ts#Lexer.lexer"],
    ["a frame whose line has moved, by its name", "at Lexer.lexer (/app/src/lexer.ts:9:1)", "src/lexer.ts#Lexer.lexer"],
    ["a compiler's place", "src/other/lexer.ts:9:17: error TS2304", "src/other/lexer.ts#later"],
    ["a frame of Python", '  File "/srv/src/retry.ts", line 2, in retryDelay', "src/retry.ts#retryDelay"],
  ])("finds by %s", async (_what, text, first) => {
    expect((await order(text))[0]).toBe(first);
  });

  it("takes keys beside it", async () => {
    expect((await order("how is the retry delay computed path:test/*")).every((hit) => hit.startsWith("test/"))).toBe(
      true,
    );
  });

  it("finds nothing, and does not fail, where no word of it is there", async () => {
    expect(await order("how is the\n of and the to")).toEqual([]);
  });

  it("of any length is one search", async () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `word${at} someName${at} a/b${at}.py`).join(" ");
    expect(await hitsFor(`retryDelay is wrong\n${words}`)).not.toEqual([]);
  });
});

/** All leaves of an explanation. */
function leaves(explanation: {
  value: number;
  description: string;
  details: never[];
}): { value: number; description: string }[] {
  return explanation.details.length === 0 ? [explanation] : explanation.details.flatMap(leaves);
}

it("explains every part of a score", async () => {
  for (const text of ["retryDelay", "how is the retry delay computed"]) {
    const [hit] = await hitsFor(text, { explain: true });
    const explanation = hit?._explanation as { value: number; description: string; details: never[] };
    expect(explanation.value).toBeCloseTo(hit?._score ?? Number.NaN, 3);
    const parts = explanation.details.map(({ value }) => value as number);
    expect(parts.reduce((sum, value) => sum + value, 0)).toBeCloseTo(hit?._score ?? Number.NaN, 2);
    const said = JSON.stringify(explanation);
    expect(leaves(explanation).length).toBeGreaterThan(parts.length);
    for (const part of ["name.text", "kind", "class:source"]) expect(said).toContain(part);
  }
});
