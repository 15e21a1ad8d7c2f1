import { request } from "node:http";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../../compat/testing/node.js";

const LIMIT = 200_000;
let node: TestNode;
beforeAll(async () => {
  node = await testNode({ maxContentBytes: LIMIT });
});
afterAll(() => node.close());

/** A Zstandard frame of one stored block (RFC 8878, 3.1.1): what Node 20 cannot make by itself. */
function zstdFrame(content: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(0xfd2fb528, 0);
  // One segment, its size in four bytes.
  head[4] = 0xa0;
  head.writeUInt32LE(content.length, 5);
  head.writeUIntLE((content.length << 3) | 1, 9, 3);
  return Buffer.concat([head, content]);
}

/** A frame of one block that repeats a byte: four bytes for up to 128 KB. */
function zstdRun(bytes: number): Buffer {
  const frame = Buffer.alloc(13, "x");
  frame.writeUInt32LE(0xfd2fb528, 0);
  frame[4] = 0xa0;
  frame.writeUInt32LE(bytes, 5);
  frame.writeUIntLE((bytes << 3) | 3, 9, 3);
  return frame;
}

const DOCUMENT = Buffer.from('{"a":"packed"}');

test.each([
  ["gzip", gzipSync(DOCUMENT)],
  ["deflate", deflateSync(DOCUMENT)],
  ["zstd", zstdFrame(DOCUMENT)],
])("a body packed with %s is read", async (encoding, body) => {
  const written = await node.call("PUT", `/${encoding}/_doc/1`, body, { "content-encoding": encoding });
  expect(written.status).toBe(201);
  expect((await node.call("GET", `/${encoding}/_source/1`)).text).toBe(DOCUMENT.toString());
});

describe("is refused", () => {
  test.each([
    ["br", DOCUMENT, 400, /Content-Encoding \[br\] is not supported: use gzip, deflate or zstd/],
    ["gzip", DOCUMENT, 400, /the body is not valid gzip/],
    ["zstd", DOCUMENT, 400, /it begins with no frame/],
    ["zstd", zstdFrame(DOCUMENT).subarray(0, 15), 400, /the body is not valid zstd/],
    // A window of 2^41 bytes.
    ["zstd", Buffer.from("28b52ffd00f8010000", "hex"), 400, /its window of \d+ bytes is larger/],
    ["gzip", gzipSync(Buffer.alloc(10 * LIMIT, " ")), 413, /larger than \[http.max_content_length\]/],
    [
      "zstd",
      Buffer.concat(Array.from({ length: 20 }, () => zstdRun(120_000))),
      413,
      /larger than \[http.max_content_length\]/,
    ],
  ])("%s: %#", async (encoding, body, status, reason) => {
    const answer = await node.call("POST", "/x/_search", body, { "content-encoding": encoding });
    expect([answer.status, (answer.json.error as { reason: string }).reason]).toEqual([
      status,
      expect.stringMatching(reason),
    ]);
  });

  test("a plain body beyond the limit, its length said or not", async () => {
    const body = Buffer.alloc(LIMIT + 1, " ");
    expect((await node.call("POST", "/x/_search", body)).status).toBe(413);
    expect((await sendChunks([body], { "transfer-encoding": "chunked" })).status).toBe(413);
  });
});

function sendChunks(chunks: Buffer[], headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const [host, port] = node.address.split(":");
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host,
        port,
        method: "POST",
        path: "/chunked/_doc",
        headers: { "content-type": "application/json", ...headers },
      },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

test("a body in chunks is one body", async () => {
  const { status, text } = await sendChunks([Buffer.from('{"a":'), Buffer.from('"b"}')], {});
  expect([status, JSON.parse(text)]).toMatchObject([201, { _index: "chunked", result: "created" }]);
});
