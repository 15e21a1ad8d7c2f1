/**
 * A node on a small budget takes much more than that over HTTP (ten times as much with PINAKES_LONG, else twice): it stays within the budget, says so when it needs
 * time, and a client that retries loses nothing. Linux tells what a process really holds.
 */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeFolder, send, startTestNode, type TestNode, temporaryFolder } from "../support/node.js";

const MIB = 2 ** 20;
const BUDGET = 512 * MIB;
const TIMES = process.env.PINAKES_LONG ? 10 : 2;
const BODY_BYTES = 4 * MIB;
const DOCUMENT_BYTES = 16_000;
const CLIENTS = 6;
const PATIENCE_MS = 900_000;

let node: TestNode;
const folder = temporaryFolder("memory");
beforeAll(async () => {
  node = await startTestNode(folder, { flags: ["--memory", "512m"] });
}, PATIENCE_MS);
afterAll(async () => {
  await node.stop();
  removeFolder(folder);
}, PATIENCE_MS);

/** Documents without ids, so that the same body can be sent again and again. */
function bulkBody(): { body: Buffer; documents: number } {
  const lines: string[] = [];
  let bytes = 0;
  for (let n = 0; bytes < BODY_BYTES; n++) {
    const stored = `abcdefgh${n}`.repeat(DOCUMENT_BYTES / 12);
    const document = { n, k: `key${n % 50}`, t: `the text of document ${n}`, stored: { x: stored } };
    const line = `{"index":{"_index":"big"}}\n${JSON.stringify(document)}\n`;
    bytes += line.length;
    lines.push(line);
  }
  return { body: Buffer.from(lines.join("")), documents: lines.length };
}

/** Sends until it is taken; returns how often it was not. */
async function sendPatiently(body: Buffer): Promise<number> {
  const headers = { "content-type": "application/x-ndjson" };
  for (let refused = 0; ; refused++) {
    const reply = await send(node.url, {
      method: "POST",
      path: "/_bulk?filter_path=errors,items.*.status,error.type",
      body,
      headers,
    });
    if (reply.status === 200 && reply.json.errors === false) return refused;
    // Had only some items been refused, they would have to be sent alone.
    expect([reply.status, reply.json?.error?.type]).toEqual([
      429,
      expect.stringMatching(/^(es_rejected_execution|circuit_breaking)_exception$/),
    ]);
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, 10 * 2 ** refused)));
  }
}

/** The most the process ever held, in bytes. */
function highWaterMark(): number {
  const status = readFileSync(`/proc/${node.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

describe.skipIf(!existsSync("/proc/self/status"))("a node with 512 MB", () => {
  it(
    `takes ${TIMES} times as much from clients that retry, loses nothing, and stays within its memory`,
    async () => {
      const mappings = {
        properties: {
          n: { type: "long" },
          k: { type: "keyword" },
          t: { type: "text" },
          stored: { type: "object", enabled: false },
        },
      };
      await send(node.url, { method: "PUT", path: "/big", body: { mappings } });
      const { body, documents } = bulkBody();
      let left = Math.ceil((TIMES * BUDGET) / body.length);
      const expected = left * documents;
      let refused = 0;
      const client = async () => {
        while (left-- > 0) {
          const times = await sendPatiently(body);
          refused += times;
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      await send(node.url, { method: "POST", path: "/big/_refresh" });
      const count = await send(node.url, { method: "GET", path: "/big/_count" });
      expect(count.json.count).toBe(expected);
      expect(highWaterMark()).toBeLessThanOrEqual(BUDGET);
      const { json } = await send(node.url, { method: "GET", path: "/_nodes/stats/indexing_pressure,breaker,indices" });
      const [stats] = Object.values(json.nodes) as [Record<string, never>];
      expect(stats).toMatchObject({
        indices: { docs: { count: expected }, indexing: { index_total: expected, index_failed: 0 } },
        breakers: { in_flight_requests: { estimated_size_in_bytes: 0 }, request: { estimated_size_in_bytes: 0 } },
        indexing_pressure: { memory: { current: { all_in_bytes: 0 } } },
      });
      const { coordinating_rejections } = (
        stats as never as { indexing_pressure: { memory: { total: Record<string, number> } } }
      ).indexing_pressure.memory.total;
      expect(coordinating_rejections).toBeLessThanOrEqual(refused);
    },
    PATIENCE_MS,
  );

  it(
    "refuses an aggregation that needs more than there is, and answers the next search",
    async () => {
      const wide = Array.from({ length: 60_000 }, (_, n) => `{"index":{"_index":"wide"}}\n{"v":${n * 1.5}}\n`);
      for (let i = 0; i < 4; i++) await sendPatiently(Buffer.from(wide.join("")));
      await send(node.url, { method: "POST", path: "/wide/_refresh" });
      await send(node.url, {
        method: "PUT",
        path: "/_cluster/settings",
        body: { transient: { "indices.breaker.request.limit": "1mb" } },
      });
      const body = { size: 0, aggs: { c: { cardinality: { field: "v" } } } };
      const reply = await send(node.url, { method: "POST", path: "/wide/_search", body });
      expect([reply.status, reply.json.error.root_cause[0].type]).toEqual([429, "circuit_breaking_exception"]);
      await send(node.url, {
        method: "PUT",
        path: "/_cluster/settings",
        body: { transient: { "indices.breaker.request.limit": null } },
      });
      const again = await send(node.url, { method: "POST", path: "/wide/_search", body });
      expect(again.json.aggregations.c.value).toBe(60_000);
    },
    PATIENCE_MS,
  );
});
