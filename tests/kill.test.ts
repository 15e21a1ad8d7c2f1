import { describe, expect, it } from "vitest";
import { removeFolder, send, startTestNode, temporaryFolder } from "./support/node.js";

const KILLS = 20;
const BATCH = 50;
const NDJSON = { "content-type": "application/x-ndjson" };

/** Sends batches until the connection dies; returns the ids that were acknowledged. */
async function writeUntilKilled(url: string, round: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let batch = 0; ; batch++) {
    const ids = Array.from({ length: BATCH }, (_, i) => `${round}-${batch}-${i}`);
    const body = ids.map((id) => `{"index":{"_id":"${id}"}}\n{"round":${round},"text":"document ${id}"}\n`).join("");
    const reply = await send(url, { method: "POST", path: "/kept/_bulk", body, headers: NDJSON }).catch(
      () => undefined,
    );
    if (reply === undefined) return acknowledged;
    expect(reply.json.errors).toBe(false);
    acknowledged.push(...ids);
  }
}

async function missing(url: string, ids: string[]): Promise<string[]> {
  const gone: string[] = [];
  for (let at = 0; at < ids.length; at += 1000) {
    const wanted = ids.slice(at, at + 1000);
    const reply = await send(url, { method: "POST", path: "/kept/_mget?_source=false", body: { ids: wanted } });
    reply.json.docs.forEach((doc: { found: boolean }, i: number) => {
      if (!doc.found) gone.push(wanted[i]!);
    });
  }
  return gone;
}

describe("kill -9 during bulk", () => {
  it(`loses no acknowledged document in ${KILLS} kills`, { timeout: 180_000 }, async () => {
    const data = temporaryFolder("kill");
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      const node = await startTestNode(data);
      expect(await missing(node.url, acknowledged)).toEqual([]);
      const writing = writeUntilKilled(node.url, round);
      if (round % 3 === 1) await send(node.url, { method: "POST", path: "/kept/_flush" });
      // The moment of the kill differs from round to round, within and between requests.
      await new Promise((resolve) => setTimeout(resolve, 20 + ((round * 37) % 200)));
      await node.kill();
      acknowledged.push(...(await writing));
    }
    const node = await startTestNode(data);
    expect(acknowledged.length).toBeGreaterThan(KILLS * BATCH);
    expect(await missing(node.url, acknowledged)).toEqual([]);
    await send(node.url, { method: "POST", path: "/kept/_refresh" });
    const { json } = await send(node.url, { method: "GET", path: "/kept/_count" });
    expect(json.count).toBeGreaterThanOrEqual(acknowledged.length);
    await node.stop();
    removeFolder(data);
  });
});
