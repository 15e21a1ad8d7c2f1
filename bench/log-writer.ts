/**
 * The writer of the mixed benchmark, a process of its own: `log-writer.js URL INDEX RATE` sends log documents until it is
 * told to stop; RATE in documents a second, 0: the next batch when the last is answered. Refused batches are tried again.
 * Prints a line when it has begun and one with what it wrote when it ends.
 */
import { Client } from "../client/index.js";
import { logBatches } from "./corpus/logs.js";

const BATCH = 1000;
const BATCHES = 200;
const RETRY_MS = 50;

const [url, index, rateText] = process.argv.slice(2) as [string, string, string];
const rate = Number(rateText);
const bodies = logBatches(BATCH * BATCHES, BATCH, 43);
const client = new Client({ url, connections: 1, timeoutMs: 600_000 });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let stopped = false;
process.once("SIGTERM", () => {
  stopped = true;
});

const began = performance.now();
let sent = 0;
let refused = 0;
while (!stopped) {
  const due = rate === 0 ? 0 : began + (sent * 1000 * BATCH) / rate - performance.now();
  if (due > 0) await sleep(due);
  const reply = await client.request("POST", `/${index}/_bulk`, bodies[sent % BATCHES], "application/x-ndjson");
  if (reply.status === 429) {
    refused++;
    await sleep(RETRY_MS);
    continue;
  }
  if (reply.status !== 200 || !reply.text.includes('"errors":false')) throw new Error(reply.text.slice(0, 300));
  if (sent++ === 0) process.stdout.write("begun\n");
}
const seconds = (performance.now() - began) / 1000;
process.stdout.write(`${Math.round((sent * BATCH) / seconds)} documents/s written, ${refused} batches refused\n`);
client.close();
