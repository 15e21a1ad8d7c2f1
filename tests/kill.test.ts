import { describe, expect, it } from "vitest";
import { removeFolder, send, startTestNode, temporaryFolder } from "./support/node.js";

const KILLS = 20;
const BATCH = 50;
const NDJSON = { "content-type": "application/x-ndjson" };

/** Sends batches until the connection dies. */
class Writing {
  /** Ids. */
  readonly acknowledged: string[] = [];
  readonly ended: Promise<void>;
  #told: () => void = () => {};

  constructor(
    private readonly url: string,
    private readonly round: number,
  ) {
    this.ended = this.#untilKilled();
    // Whoever waits for it is told.
    this.ended.catch(() => {});
  }

  /** Waits until so many batches are acknowledged. */
  async batches(count: number): Promise<void> {
    while (this.acknowledged.length < count * BATCH) {
      const told = new Promise<"told">((resolve) => {
        this.#told = () => resolve("told");
      });
      const what = await Promise.race([told, this.ended]);
      if (what !== "told") throw new Error("the node ended by itself");
    }
  }

  async #untilKilled(): Promise<void> {
    for (let batch = 0; ; batch++) {
      const ids = Array.from({ length: BATCH }, (_, i) => `${this.round}-${batch}-${i}`);
      const lines = ids.map((id) => `{"index":{"_id":"${id}"}}\n{"round":${this.round},"text":"document ${id}"}\n`);
      const request = { method: "POST", path: "/kept/_bulk", body: lines.join(""), headers: NDJSON };
      const reply = await send(this.url, request).catch(() => undefined);
      if (reply === undefined) return;
      expect(reply.json.errors).toBe(false);
      this.acknowledged.push(...ids);
      this.#told();
    }
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
  it(`loses no acknowledged document in ${KILLS} kills`, { timeout: 600_000 }, async () => {
    const data = temporaryFolder("kill");
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      const node = await startTestNode(data);
      expect(await missing(node.url, acknowledged)).toEqual([]);
      const writing = new Writing(node.url, round);
      if (round % 3 === 1) await send(node.url, { method: "POST", path: "/kept/_flush" });
      // So many batches later, however long they take; and a moment, for the kill to come within a request too.
      await writing.batches(1 + ((round * 7) % 12));
      await new Promise((resolve) => setTimeout(resolve, round % 7));
      await node.kill();
      await writing.ended;
      acknowledged.push(...writing.acknowledged);
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
