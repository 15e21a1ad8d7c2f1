/** Prepares documents that lie in the arena. */
import { createAnalyzerRegistry } from "../../analysis/registry.js";
import { loadFieldTable } from "../../mapping/field-table.js";
import { Preparer } from "../../shard/prepare.js";
import { prepareWith } from "../../shard/prepare-here.js";
import type { PrepareJob, PrepareJobResult } from "../../shard/prepare-job.js";
import type { Storage } from "../../store/storage.js";
import type { JobContext } from "../handler.js";

/** One for each thread: it keeps scratch memory. */
const preparers = new WeakMap<Storage, Preparer>();

/** Answers with records in the arena, which are the caller's to free. Throws `overloaded`. */
// biome-ignore lint/correctness/useYield: documents of a few milliseconds are one step
export function* prepare(context: JobContext, job: PrepareJob): Generator<void, PrepareJobResult> {
  const table = context.shared(job.fields, loadFieldTable);
  const analyzers = context.shared(job.analysis, createAnalyzerRegistry);
  const result = prepareWith(preparerOf(context.storage), { ...job, table, analyzers });
  // The records are the write buffer's from here on: they must outlive this thread.
  context.storage.arena.handOver(result.batch.address);
  context.transfer(result.batch.starts.buffer as ArrayBuffer, result.batch.ends.buffer as ArrayBuffer);
  return result;
}

function preparerOf(storage: Storage): Preparer {
  const known = preparers.get(storage);
  if (known) return known;
  const made = new Preparer(storage.arena, storage.kernels);
  preparers.set(storage, made);
  return made;
}
