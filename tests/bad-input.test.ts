import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeFolder, send, startTestNode, type TestNode, type WireReply } from "./support/node.js";

const NDJSON = { "content-type": "application/x-ndjson" };
let node: TestNode;

beforeAll(async () => {
  node = await startTestNode();
  await send(node.url, { method: "PUT", path: "/kept/_doc/1?refresh=true", body: { note: "was here before" } });
});
afterAll(async () => {
  await node.stop();
  removeFolder(node.dataFolder);
});

const post = (path: string, body: string | Buffer | object, headers?: Record<string, string>) =>
  send(node.url, { method: "POST", path, body, headers });

/** An error in Elasticsearch's shape, and a node that still has what it acknowledged. */
async function refused(reply: WireReply, status: number, type: string | RegExp): Promise<void> {
  expect({ status: reply.status, text: reply.text.slice(0, 300) }).toMatchObject({ status });
  expect(reply.json.status).toBe(status);
  expect(reply.json.error.type).toMatch(type);
  expect(reply.json.error.reason.length).toBeGreaterThan(5);
  expect(reply.json.error.root_cause[0].reason.length).toBeGreaterThan(5);
  expect(reply.headers["x-elastic-product"]).toBe("Elasticsearch");
  const kept = await send(node.url, { method: "GET", path: "/kept/_doc/1" });
  expect(kept.json._source).toEqual({ note: "was here before" });
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("bodies that are no JSON", () => {
  it("is refused as a document", async () => {
    await refused(await post("/bad/_doc", '{"a": '), 400, /document_parsing_exception|mapper_parsing_exception|parse/);
    await refused(await post("/bad/_doc", '{"a": 1} trailing'), 400, /parsing_exception|parse/);
    await refused(await post("/bad/_doc", "[1]"), 400, /parsing_exception|parse/);
    await refused(await post("/bad/_doc", ""), 400, /parse_exception|validation/);
  });

  it("is refused as a search", async () => {
    await refused(await post("/kept/_search", '{"query": {'), 400, /parse|parsing/);
    await refused(await post("/kept/_search", "nonsense"), 400, /parse|parsing/);
  });

  it("fails one item of a bulk request and not the others", async () => {
    const lines = [
      '{"index":{"_id":"a"}}',
      '{"ok": 1}',
      '{"index":{"_id":"b"}}',
      '{"broken": ',
      '{"index":{"_id":"c"}}',
      '{"ok": 2}',
      "",
    ];
    const reply = await post("/mixed/_bulk?refresh=true", lines.join("\n"), NDJSON);
    expect(reply.status).toBe(200);
    expect(reply.json.errors).toBe(true);
    expect(reply.json.items.map((item: { index: { status: number } }) => item.index.status)).toEqual([201, 400, 201]);
    const { json } = await send(node.url, { method: "GET", path: "/mixed/_count" });
    expect(json.count).toBe(2);
  });

  it("refuses a bulk request whose action line is broken, and one without its last newline", async () => {
    await refused(await post("/bad/_bulk", '{"index":{}\n{"a":1}\n', NDJSON), 400, /parse|illegal_argument/);
    await refused(await post("/bad/_bulk", '{"index":{}}\n{"a":1}', NDJSON), 400, /illegal_argument_exception/);
    await refused(await post("/bad/_bulk", '{"shred":{}}\n{"a":1}\n', NDJSON), 400, /illegal_argument_exception/);
  });
});

describe("bytes that are no UTF-8", () => {
  it("are refused in a document", async () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]);
    await refused(await post("/bad/_doc", body), 400, /parsing_exception|parse/);
  });

  it("are refused in a search", async () => {
    const body = Buffer.concat([
      Buffer.from('{"query":{"match":{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}}}'),
    ]);
    await refused(await post("/kept/_search", body), 400, /parse|parsing/);
  });
});

describe("more than is good", () => {
  it("a body of 200 MB is refused with 413", async () => {
    const reply = await send(node.url, {
      method: "POST",
      path: "/bad/_bulk",
      headers: { "content-type": "application/x-ndjson", "content-length": String(200 * 1024 * 1024) },
      body: Buffer.alloc(1024, 0x0a),
    }).catch((error: NodeJS.ErrnoException) => error);
    // The node may close the connection instead of reading 200 MB that it will not take.
    if (reply instanceof Error) expect(["ECONNRESET", "EPIPE"]).toContain(reply.code);
    else expect(reply.status).toBe(413);
    const kept = await send(node.url, { method: "GET", path: "/kept/_doc/1" });
    expect(kept.status).toBe(200);
  });

  it("a document nested 1,000 levels deep fails by name; 10 levels pass", async () => {
    await refused(await post("/deep/_doc", nested(1000)), 400, /illegal_argument_exception|document_parsing_exception/);
    expect((await post("/deep/_doc", nested(10))).status).toBe(201);
  });

  it("a query nested 1,000 levels deep fails by name", async () => {
    const query = `${'{"bool":{"must":'.repeat(1000)}{"match_all":{}}${"}}".repeat(1000)}`;
    await refused(await post("/kept/_search", `{"query":${query}}`), 400, /exception/);
  });

  it("a document of 100,000 new fields fails by the limit of fields", async () => {
    const document = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field${i}`, i]));
    await refused(await post("/wide/_doc", document), 400, /illegal_argument_exception|document_parsing_exception/);
  });

  it("a string of 5 MB is stored and found", async () => {
    const body = { text: `needle ${"hay ".repeat(1_250_000)}` };
    expect((await post("/long/_doc?refresh=true", body)).status).toBe(201);
    const found = await post("/long/_search", { query: { match: { text: "needle" } }, _source: false });
    expect(found.json.hits.total.value).toBe(1);
  });

  it("a page beyond the result window is refused", async () => {
    await refused(
      await post("/kept/_search", { from: 10_000, size: 10 }),
      400,
      /illegal_argument_exception|search_phase/,
    );
  });
});

describe("requests that are not for us", () => {
  it("another Host is refused, so that no name that resolves here reaches the node", async () => {
    const reply = await send(node.url, { method: "GET", path: "/", headers: { host: "evil.example" } });
    expect(reply.status).toBe(403);
    expect(reply.json.error.reason).toContain("evil.example");
  });

  it("another web page's Origin is refused", async () => {
    const headers = { origin: "https://evil.example" };
    expect((await send(node.url, { method: "GET", path: "/_cat/indices", headers })).status).toBe(403);
  });

  it("an unknown parameter, an unknown key and an unknown route are named", async () => {
    await refused(await post("/kept/_search?sizee=1", {}), 400, "illegal_argument_exception");
    const key = await post("/kept/_search", { querry: {} });
    expect(key.status).toBe(400);
    expect(key.json.error.reason).toContain("querry");
    const route = await send(node.url, { method: "GET", path: "/_no_such_thing" });
    expect(route.status).toBe(400);
    expect(route.text).toContain("_no_such_thing");
  });
});
