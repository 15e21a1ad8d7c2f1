import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/i", { mappings: { properties: { k: { type: "keyword" } } } });
  const lines = Array.from({ length: 5_000 }, (_, n) => `{"index":{"_id":"${n}"}}\n{"k":"key${n}"}\n`);
  await node.call("POST", "/i/_bulk?refresh=true", lines.join(""));
});
afterAll(() => node.close());

const set = (settings: Record<string, string | number | null>) =>
  node.call("PUT", "/_cluster/settings", { transient: settings });
afterEach(() => set({ "indices.breaker.*": null, "network.breaker.*": null }));

async function breaker(name: string) {
  const { nodes } = (await node.call("GET", "/_nodes/stats/breaker")).json as never as {
    nodes: Record<string, { breakers: Record<string, Record<string, number>> }>;
  };
  return Object.values(nodes)[0].breakers[name];
}

describe("a search past the limit", () => {
  const body = { size: 0, aggs: { c: { cardinality: { field: "k" } } } };

  test("is a 429 in Elasticsearch's shape, counted, and leaves nothing behind", async () => {
    await set({ "indices.breaker.request.limit": "10kb" });
    const { status, json } = await node.call("POST", "/i/_search", body);
    const cause = {
      type: "circuit_breaking_exception",
      reason: expect.stringMatching(
        /^\[request\] Data too large, data for \[<agg \[c\]>\] would be \[\d+\/[\d.]+kb\], /,
      ),
      bytes_wanted: expect.any(Number),
      bytes_limit: 10_240,
      durability: "TRANSIENT",
    };
    expect([status, json]).toMatchObject([
      429,
      {
        error: {
          root_cause: [cause],
          type: "search_phase_execution_exception",
          reason: "all shards failed",
          phase: "query",
          failed_shards: [{ shard: 0, index: "i", reason: cause }],
          caused_by: cause,
        },
        status: 429,
      },
    ]);
    expect(await breaker("request")).toMatchObject({
      limit_size_in_bytes: 10_240,
      estimated_size_in_bytes: 0,
      tripped: 1,
    });
    await set({ "indices.breaker.request.limit": null });
    expect((await node.call("POST", "/i/_search", body)).json).toMatchObject({ aggregations: { c: { value: 5_000 } } });
    expect((await breaker("request")).estimated_size_in_bytes).toBe(0);
  });

  test("fails alone in a multi-search", async () => {
    await set({ "indices.breaker.request.limit": "10kb" });
    const lines = ["{}", JSON.stringify(body), "{}", '{"size":0}'].map((line) => `${line}\n`).join("");
    const { responses } = (await node.call("POST", "/i/_msearch", lines)).json as never as {
      responses: { status: number }[];
    };
    expect(responses.map(({ status }) => status)).toEqual([429, 200]);
  });
});

describe("the settings", () => {
  test.each([
    [
      "indices.breaker.request.limit",
      "abc",
      "failed to parse setting [indices.breaker.request.limit] with value [abc] as a size in bytes: unit is missing or unrecognized",
    ],
    [
      "indices.breaker.request.limit",
      "50",
      "failed to parse setting [indices.breaker.request.limit] with value [50] as a size in bytes: unit is missing or unrecognized",
    ],
    ["indices.breaker.total.limit", "120%", "percentage should be in [0-100], got [120]"],
    [
      "indices.breaker.fielddata.overhead",
      "x",
      "Failed to parse value [x] for setting [indices.breaker.fielddata.overhead]",
    ],
  ])("%s: %s is refused", async (name, value, reason) => {
    const { status, json } = await set({ [name]: value });
    expect([status, json.error]).toMatchObject([400, { type: "illegal_argument_exception", reason }]);
  });

  test("are percent of the budget or bytes, -1 for none, and have defaults", async () => {
    const usual = await breaker("request");
    await set({ "indices.breaker.request.limit": "50%" });
    expect((await breaker("request")).limit_size_in_bytes).toBe(usual.limit_size_in_bytes * 2);
    await set({ "indices.breaker.request.limit": "-1" });
    expect((await breaker("request")).limit_size_in_bytes).toBe(-1);
    await set({ "indices.breaker.request.limit": null });
    expect(await breaker("request")).toMatchObject({ limit_size_in_bytes: usual.limit_size_in_bytes });
    const { defaults } = (await node.call("GET", "/_cluster/settings?include_defaults&flat_settings")).json;
    expect(defaults).toMatchObject({ "indices.breaker.request.limit": "25%", "indices.breaker.total.limit": "95%" });
  });
});

describe("bodies in flight", () => {
  const lines = (bytes: number) => `{"index":{"_index":"x"}}\n{"a":"${"b".repeat(bytes)}"}\n`;

  test("that find no room are a 429, and the same connection serves the next try", async () => {
    await set({ "network.breaker.inflight_requests.limit": "100kb" });
    const [host, port] = node.address.split(":");
    const { Agent } = await import("node:http");
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    const post = (body: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const options = { host, port, agent, method: "POST", path: "/_bulk" };
        const sent = httpRequest(
          { ...options, headers: { "content-type": "application/x-ndjson", ...headers } },
          (response) => {
            ports.push(response.socket.localPort);
            const chunks: Buffer[] = [];
            response.on("data", (chunk: Buffer) => chunks.push(chunk));
            response.on("end", () =>
              resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
            );
          },
        );
        sent.on("error", reject);
        if (headers["transfer-encoding"] === undefined) sent.setHeader("content-length", Buffer.byteLength(body));
        sent.end(body);
      });
    const refused = await post(lines(300_000));
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: {
        type: "circuit_breaking_exception",
        reason: expect.stringMatching(/^\[in_flight_requests\] Data too large, data for \[<http_request>\] would be /),
        bytes_limit: 102_400,
      },
    });
    expect((await post(lines(300_000), { "transfer-encoding": "chunked" })).status).toBe(429);
    expect((await post(lines(1_000))).status).toBe(200);
    expect(new Set(ports).size).toBe(1);
    agent.destroy();
    expect(await breaker("in_flight_requests")).toMatchObject({ estimated_size_in_bytes: 0, tripped: 2 });
  });

  test("count what they unpack to", async () => {
    await set({ "network.breaker.inflight_requests.limit": "100kb" });
    const packed = gzipSync(lines(5_000_000));
    expect(packed.length).toBeLessThan(50_000);
    const answer = await node.call("POST", "/_bulk", packed, { "content-encoding": "gzip" });
    expect([answer.status, answer.json.error]).toMatchObject([429, { type: "circuit_breaking_exception" }]);
    await set({ "network.breaker.inflight_requests.limit": null });
    expect((await node.call("POST", "/_bulk", packed, { "content-encoding": "gzip" })).status).toBe(200);
    expect((await breaker("in_flight_requests")).estimated_size_in_bytes).toBe(0);
  });

  test("the parent refuses too, told what is used", async () => {
    await set({ "indices.breaker.total.limit": "1mb" });
    const answer = await node.call("POST", "/i/_search", { size: 0 });
    expect([answer.status, answer.json.error]).toMatchObject([
      429,
      { type: "circuit_breaking_exception", reason: expect.stringContaining("real usage: [") },
    ]);
    // What watches and manages the node goes on: else no limit could be changed any more.
    expect((await node.call("GET", "/_nodes/stats/breaker")).status).toBe(200);
    expect((await set({ "indices.breaker.total.limit": null })).status).toBe(200);
    expect((await node.call("POST", "/i/_search", { size: 0 })).status).toBe(200);
  });
});
