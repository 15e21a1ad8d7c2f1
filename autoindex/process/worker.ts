/**
 * The extractor process: reads the files it is sent, in order, and answers each. Started by pool.ts alone.
 *
 * It has no state between files but loaded grammars. Anything thrown here is a fault of ours or a grammar that could
 * not be loaded, which leaves the heap unusable: the process ends and the parent blames the file it was at.
 */
import type { FolderAttributes } from "../classes/attributes.js";
import { chooseTiers } from "../grammar/tiering.js";
import type { Tuning } from "./child.js";
import { extractFile } from "./extract-file.js";
import { PartsWriter } from "./parts-file.js";
import type { Batch, FileResult } from "./protocol.js";

/** How V8 was told to treat grammars, and the descriptor of the file for the operations where the parent gave one. */
const [, , tuning, file] = process.argv;
if ((tuning as Tuning) === "long_run") chooseTiers();
const writer = file === undefined ? undefined : new PartsWriter(Number(file));

const queue: Batch[] = [];
let isRunning = false;

async function drain(): Promise<void> {
  isRunning = true;
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    writer?.restart();
    const attributes: FolderAttributes = new Map();
    for (const job of batch.jobs) await answer(await extractFile(job, batch.context, attributes));
  }
  isRunning = false;
}

/** Waits until the channel has taken the answer, so that a slow parent bounds our memory. */
function answer(result: FileResult): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(writer?.send(result) ?? { result }, undefined, undefined, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}

process.on("message", (batch: Batch) => {
  queue.push(batch);
  if (!isRunning) drain().catch(fail);
});
process.on("disconnect", () => process.exit(0));
