import { connect } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoint } from "./endpoints/row.js";
import { json } from "./http/reply.js";
import { startServer } from "./server.js";
import { fakeEngine } from "./testing/fake-engine.js";
import { type TestServer, testServer } from "./testing/http.js";

const LIMIT = 100_000;
let server: TestServer;
let begun: () => void;
const working = new Promise<void>((resolve) => {
  begun = resolve;
});
let aborted: () => void;
const clientGone = new Promise<void>((resolve) => {
  aborted = resolve;
});

const NATIVE = endpoint("pinakes.wait", "GET /_pinakes/wait", {
  status: "full",
  missing: "",
  parameters: [],
  body: "none",
  privilege: "read",
  handler: (request) =>
    new Promise((resolve) => {
      request.task.signal.addEventListener("abort", () => {
        aborted();
        resolve(json({}));
      });
      begun();
    }),
});

beforeAll(async () => {
  server = await testServer(fakeEngine(), { maxContentBytes: LIMIT, nativeRows: NATIVE });
  await server.call("PUT", "/i/_doc/1", { a: "x" });
});
afterAll(() => server.close());

describe("who is let in", () => {
  test.each(["evil.example", "evil.example:9200", "127.0.0.1.evil.example", "10.0.0.1", "localhost.evil"])(
    "the host %s is refused",
    async (host) => {
      const answer = await server.call("GET", "/", undefined, { host });
      expect([answer.status, answer.json.error]).toMatchObject([403, { type: "security_exception" }]);
    },
  );

  test.each(["localhost", "localhost:9200", "127.0.0.1", "127.1.2.3:80", "[::1]:9200"])(
    "the host %s is let in",
    async (host) => {
      expect((await server.call("GET", "/", undefined, { host })).status).toBe(200);
    },
  );

  test.each(["http://evil.example", "null", "http://localhost:3000"])("the web page %s is refused", async (origin) => {
    expect((await server.call("GET", "/_search", undefined, { origin })).status).toBe(403);
  });

  test("a page of this node is let in", async () => {
    expect(
      (await server.call("GET", "/", undefined, { host: "localhost:1", origin: "http://localhost:1" })).status,
    ).toBe(200);
  });

  test.each(["0.0.0.0", "192.168.1.1", "::", "example.org"])("listening on %s is refused", async (host) => {
    await expect(startServer({ engine: fakeEngine(), host, port: 0 })).rejects.toThrow(`refusing to listen on ${host}`);
  });
});

describe("every answer", () => {
  test.each([
    ["GET", "/", 200],
    ["HEAD", "/", 200],
    ["HEAD", "/nope", 404],
    ["GET", "/nope/_search", 404],
    ["GET", "/no/such/path", 400],
    ["PATCH", "/_search", 405],
  ])("%s %s says it is Elasticsearch", async (method, path, status) => {
    const answer = await server.call(method, path, undefined, { "x-opaque-id": "mine" });
    expect([answer.status, answer.headers["x-elastic-product"], answer.headers["x-opaque-id"]]).toEqual([
      status,
      "Elasticsearch",
      "mine",
    ]);
    if (method === "HEAD") expect(answer.bytes.length).toBe(0);
  });

  test("its type is the one asked for", async () => {
    const type = async (accept?: string) =>
      (await server.call("GET", "/", undefined, accept === undefined ? {} : { accept })).headers["content-type"];
    expect(await type()).toBe("application/json");
    expect(await type("application/vnd.elasticsearch+json; compatible-with=9,text/plain")).toBe(
      "application/vnd.elasticsearch+json;compatible-with=9",
    );
  });

  test("its identity follows the client", async () => {
    const version = async (headers: Record<string, string>) =>
      (await server.call("GET", "/", undefined, headers)).json.version;
    expect(await version({})).toMatchObject({ number: "8.19.2", build_flavor: "default" });
    expect(await version({ accept: "application/vnd.elasticsearch+json; compatible-with=9" })).toMatchObject({
      number: "9.1.2",
    });
    expect(await version({ "user-agent": "opensearch-js/3.9.0 (linux)" })).toMatchObject({
      number: "2.19.2",
      distribution: "opensearch",
    });
  });

  test("pretty, filter_path and human shape it", async () => {
    expect((await server.call("GET", "/i/_doc/1?pretty&filter_path=_source")).text).toBe(
      '{\n  "_source" : {\n    "a" : "x"\n  }\n}\n',
    );
    expect((await server.call("GET", "/nope?filter_path=error.type")).text).toBe(
      '{"error":{"type":"index_not_found_exception"}}',
    );
    expect((await server.call("GET", "/_stats?human&filter_path=_all.total.store")).json).toEqual({
      _all: { total: { store: { size: "0b", size_in_bytes: 0, reserved: "0b", reserved_in_bytes: 0 } } },
    });
  });

  test("error_trace adds the stack", async () => {
    expect((await server.call("GET", "/nope?error_trace")).json.error).toHaveProperty("stack_trace");
    expect((await server.call("GET", "/nope")).json.error).not.toHaveProperty("stack_trace");
  });

  test("a large one is compressed for those who take it", async () => {
    await server.call("PUT", "/big/_doc/1", { text: "x".repeat(10_000) });
    const answer = await server.call("GET", "/big/_doc/1", undefined, { "accept-encoding": "gzip" });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(answer.bytes).toString())).toMatchObject({ found: true });
    expect(
      (await server.call("GET", "/i/_doc/1", undefined, { "accept-encoding": "gzip" })).headers["content-encoding"],
    ).toBeUndefined();
  });
});

describe("bodies", () => {
  test("with GET are read", async () => {
    expect((await server.call("GET", "/i/_search", { query: { term: { a: "other" } } })).json.hits).toMatchObject({
      total: { value: 0 },
    });
  });

  test("may be compressed", async () => {
    const body = gzipSync(JSON.stringify({ query: { term: { a: "x" } } }));
    const answer = await server.call("POST", "/i/_search", body, { "content-encoding": "gzip" });
    expect(answer.json.hits).toMatchObject({ total: { value: 1 } });
    expect((await server.call("POST", "/i/_search", "no gzip", { "content-encoding": "gzip" })).status).toBe(400);
  });

  test("that are too large are a 413, before they are sent whole", async () => {
    const text = await raw(
      server.address,
      `POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 200000000\r\n\r\n{"index":`,
    );
    expect(text).toContain("413 Payload Too Large");
    expect(text).toContain("content_too_large_exception");
  });

  test("that grow too large while they come are a 413", async () => {
    const chunk = `${(60_000).toString(16)}\r\n${"x".repeat(60_000)}\r\n`;
    const text = await raw(
      server.address,
      `POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`,
    );
    expect(text).toContain("413 Payload Too Large");
  });

  test("that unpack to too much are a 413", async () => {
    const answer = await server.call("POST", "/_bulk", gzipSync(Buffer.alloc(LIMIT * 10)), {
      "content-encoding": "gzip",
    });
    expect([answer.status, answer.json.error]).toMatchObject([413, { type: "content_too_large_exception" }]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"])(
    "of type %s are a 406",
    async (type) => {
      const answer = await server.call("POST", "/i/_search", "{}", { "content-type": type });
      expect([answer.status, answer.json]).toEqual([
        406,
        { error: `Content-Type header [${type}] is not supported`, status: 406 },
      ]);
    },
  );

  test("where none belongs are a 400", async () => {
    expect((await server.call("GET", "/_cluster/health", {})).json.error).toMatchObject({
      reason: "request [GET /_cluster/health] does not support having a body",
    });
  });

  test("whose version disagrees with the answer's are a 400", async () => {
    const answer = await server.call(
      "POST",
      "/i/_search",
      {},
      { accept: "application/vnd.elasticsearch+json;compatible-with=9" },
    );
    expect([answer.status, answer.json.error]).toMatchObject([400, { type: "status_exception" }]);
  });

  test("that are no JSON say where", async () => {
    expect((await server.call("POST", "/i/_search", '{"query":\n x}')).json.error).toMatchObject({
      type: "x_content_parse_exception",
      line: 2,
      col: 2,
    });
  });

  test("nested a thousand levels deep are refused, and the server goes on", async () => {
    const deep = `{"query":${'{"bool":{"must":'.repeat(5_000)}`;
    expect((await server.call("POST", "/i/_search", deep)).json.error).toMatchObject({
      type: "x_content_parse_exception",
    });
    expect((await server.call("GET", "/")).status).toBe(200);
  });

  test("with an unknown key name it and its place", async () => {
    expect((await server.call("POST", "/i/_search", '{"foo":1}')).json).toEqual({
      error: {
        root_cause: [
          { type: "parsing_exception", reason: "Unknown key for a VALUE_NUMBER in [foo].", line: 1, col: 8 },
        ],
        type: "parsing_exception",
        reason: "Unknown key for a VALUE_NUMBER in [foo].",
        line: 1,
        col: 8,
      },
      status: 400,
    });
  });
});

test("a known endpoint that is not built is refused by name", async () => {
  expect((await server.call("GET", "/_async_search/1?x=y")).json.error).toMatchObject({
    type: "illegal_argument_exception",
    reason: "[GET /_async_search/{id}] (async_search.get) is not supported by Pinakes",
  });
});

test("OPTIONS names the methods of a path", async () => {
  const answer = await server.call("OPTIONS", "/i/_doc/1");
  expect([answer.status, answer.headers.allow]).toEqual([200, "DELETE,GET,HEAD,POST,PUT"]);
});

test("the table is on the wire", async () => {
  const { endpoints } = (await server.call("GET", "/_pinakes/compat")).json as unknown as {
    endpoints: { name: string }[];
  };
  expect(endpoints.some((row) => row.name === "pinakes.wait")).toBe(true);
});

test("work stops when the client goes away", async () => {
  const socket = connect(Number(server.address.split(":")[1]), "127.0.0.1");
  socket.write("GET /_pinakes/wait HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await working;
  socket.destroy();
  await clientGone;
});

/** Sends bytes and resolves with what comes back until the server closes. */
function raw(address: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(address.split(":")[1]), "127.0.0.1", () => socket.write(request));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
}

/** What the server answers to bytes as they are. */
function exchange(request: string): Promise<string> {
  const [host, port] = server.address.split(":");
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), host, () => socket.write(request));
    socket.on("data", (chunk) => {
      text += chunk.toString();
      const [head, body] = text.split("\r\n\r\n", 2);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (body !== undefined && length !== undefined && body.length >= Number(length)) socket.end();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

describe("what is no request still gets Elasticsearch's error", () => {
  const HOST = "Host: localhost\r\n";
  const POST = `POST /i/_search HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;
  test.each([
    ["an escape in the index that is none", `GET /%zz/_search HTTP/1.1\r\n${HOST}\r\n`, 400, "malformed escape"],
    ["an escape in the id that is none", `GET /i/_doc/%zz HTTP/1.1\r\n${HOST}\r\n`, 400, "malformed escape"],
    ["a chunk without a size", `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, "chunk size"],
    ["two lengths", `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, "Content-Length"],
    ["a length that is no number", `${POST}Content-Length: abc\r\n\r\n{}`, 400, "Content-Length"],
    ["a method that HTTP does not have", `BREW /i HTTP/1.1\r\n${HOST}\r\n`, 400, "HTTP method"],
    ["a header that is too large", `GET / HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(20_000)}\r\n\r\n`, 431, "too large"],
    ["a path that is too long", `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, "too large"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 403, "not this machine"],
  ])("%s", async (_title, request, status, reason) => {
    const text = await exchange(request);
    const [head, body] = text.split("\r\n\r\n", 2);
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head.toLowerCase()).toContain("x-elastic-product: elasticsearch");
    const answer = JSON.parse(body) as { error: { reason: string; root_cause: unknown[] }; status: number };
    expect(answer.status).toBe(status);
    expect(answer.error.root_cause).toHaveLength(1);
    expect(answer.error.reason).toContain(reason);
  });

  test("a method that no endpoint has is a 405 with the methods there are", async () => {
    const text = await exchange(`PROPFIND /i HTTP/1.1\r\n${HOST}\r\n`);
    expect(text).toContain("HTTP/1.1 405 ");
    expect(text).toContain("Incorrect HTTP method for uri [/i] and method [PROPFIND]");
  });
});

describe("a body in the query string", () => {
  const source = encodeURIComponent('{"size":0}');
  test("is read where there is none in the request", async () => {
    const answer = await server.call("GET", `/i/_search?source=${source}&source_content_type=application/json`);
    expect(answer.json.hits).toMatchObject({ hits: [] });
  });

  test.each([
    ["GET", `/i/_search?source=${source}`, "source and source_content_type parameters are required"],
    ["GET", `/i/_search?source=${source}&source_content_type=zzz`, "invalid Content-Type header [zzz]"],
    ["POST", `/i/_refresh?source=${source}&source_content_type=application/json`, "unrecognized parameters: [source]"],
    ["PUT", `/i/_doc/1?source=${source}&source_content_type=application/json`, "unrecognized parameters: [source]"],
  ])("%s %s is refused", async (method, path, reason) => {
    const answer = await server.call(method, path);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  test("is refused beside one in the request", async () => {
    const path = `/i/_search?source=${source}&source_content_type=application/json`;
    expect((await server.call("POST", path, {})).status).toBe(400);
  });
});

test.each([
  ["/?pretty=zzz", "Failed to parse value [zzz] as only [true] or [false] are allowed."],
  ["/_stats?human=zzz", "Failed to parse value [zzz] as only [true] or [false] are allowed."],
  ["/?error_trace=zzz", "Failed to parse value [zzz] as only [true] or [false] are allowed."],
  ["/_cluster/health?wait_for_active_shards=zzz", "cannot parse ActiveShardCount[zzz]"],
  ["/_cluster/health?wait_for_active_shards=-1", "shard count cannot be a negative value"],
])("%s is refused", async (path, reason) => {
  const answer = await server.call("GET", path);
  expect([answer.status, answer.json.error]).toMatchObject([400, { reason }]);
});
