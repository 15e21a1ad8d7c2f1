/** Contract: a snapshot of an index that is being written to is the index at one moment: no batch is torn, none skipped. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { good, shownDocuments } from "../testing/engine-fixture.js";
import type { WriteOperation } from "../write.js";
import { type BackupFixture, backupFixture } from "./testing.js";

/** Documents of a batch: more than the engine publishes in one go. */
const BATCH = 2500;
const IDS = 4000;

let backup: BackupFixture;

beforeEach(async () => {
  backup = await backupFixture();
});
afterEach(() => backup.remove());

/** Batch `b` writes BATCH documents, each with the number of the batch, and deletes one of the batch before. */
function batchOf(b: number): WriteOperation[] {
  const writes = Array.from({ length: BATCH }, (_, i): WriteOperation => {
    return { kind: "index", id: `d${(b * 997 + i) % IDS}`, source: Buffer.from(`{"n":${b}}`) };
  });
  return [...writes, { kind: "delete", id: `d${(b * 997 + 5) % IDS}` }];
}

/** What the index holds after batches 0 to `last`: the batch by id. */
function modelAfter(last: number): Map<string, number> {
  const model = new Map<string, number>();
  for (let b = 0; b <= last; b++) {
    for (const { kind, id } of batchOf(b)) kind === "delete" ? model.delete(id as string) : model.set(id as string, b);
  }
  return model;
}

it("every snapshot taken during a stream of batches is the state after one of them, and at least after those acknowledged before", async () => {
  let acknowledged = -1;
  let stop = false;
  const writing = (async () => {
    for (let b = 0; !stop; b++) {
      good(await backup.index().write(batchOf(b)));
      acknowledged = b;
      if (b % 3 === 0) await backup.index().refresh();
    }
  })();
  const atLeast: number[] = [];
  for (let s = 0; s < 6; s++) {
    while (acknowledged < s * 2) await new Promise((resolve) => setImmediate(resolve));
    atLeast.push(acknowledged);
    await backup.snapshot(`s${s}`);
  }
  stop = true;
  await writing;
  for (const [s, least] of atLeast.entries()) {
    await backup.restore(`s${s}`, ["x"], `r${s}-`);
    const documents = shownDocuments(backup.engine, `r${s}-x`);
    const found = new Map(documents.map(({ id, source }) => [id, (source as { n: number }).n]));
    const last = Math.max(...found.values());
    expect(last).toBeGreaterThanOrEqual(least);
    expect(new Map([...found].sort())).toEqual(new Map([...modelAfter(last)].sort()));
  }
}, 60_000);
