import { send } from "../support/node.js";
import type { Model } from "./model.js";

const NDJSON = { "content-type": "application/x-ndjson" };
const IDS_PER_WRITER = 400;
const VALUES = 1_000_000;

export interface Counts {
  operations: number;
  wrong: string[];
}

/** One client that writes random batches to its own ids until the node is gone. */
export async function writeUntilGone(
  url: string,
  lane: number,
  random: () => number,
  torture: { model: Model; counts: Counts },
): Promise<void> {
  const upTo = (n: number) => Math.floor(random() * n);
  for (;;) {
    const batch = new Map<string, number | null>();
    for (let i = 1 + upTo(20); i > 0; i--)
      batch.set(`${lane}-${upTo(IDS_PER_WRITER)}`, upTo(5) === 0 ? null : upTo(VALUES));
    const lines = [...batch].map(([id, value]) => linesOf(id, value, upTo(4) === 0));
    for (const [id, value] of batch) torture.model.sent(id, value);
    const reply = await send(url, {
      method: "POST",
      path: "/torture/_bulk",
      body: lines.join(""),
      headers: NDJSON,
    }).catch(() => undefined);
    if (reply === undefined) return;
    check(reply.json, torture.counts);
    for (const [id, value] of batch) torture.model.acknowledge(id, value);
    torture.counts.operations += batch.size;
    if (upTo(30) === 0 && !(await maintain(url, upTo(3)))) return;
  }
}

function linesOf(id: string, value: number | null, asUpdate: boolean): string {
  if (value === null) return `{"delete":{"_id":"${id}"}}\n`;
  const source = `{"value":${value},"text":"word${value % 17} word${value % 5}"}`;
  if (asUpdate) return `{"update":{"_id":"${id}"}}\n{"doc":${source},"doc_as_upsert":true}\n`;
  return `{"index":{"_id":"${id}"}}\n${source}\n`;
}

function check(answer: { errors: boolean; items: Record<string, { status: number }>[] }, counts: Counts): void {
  // Deleting what is not there is a 404 and no error.
  const failed = answer.items.filter((item) => Object.values(item)[0]!.status >= 400 && !("delete" in item));
  if (answer.errors || failed.length > 0)
    counts.wrong.push(`bulk: ${JSON.stringify(failed[0] ?? answer).slice(0, 300)}`);
}

/** Refresh, flush or merge; false when the node is gone. */
async function maintain(url: string, kind: number): Promise<boolean> {
  const path = ["/torture/_refresh", "/torture/_flush", "/torture/_forcemerge?max_num_segments=1"][kind]!;
  return (await send(url, { method: "POST", path }).catch(() => undefined)) !== undefined;
}
