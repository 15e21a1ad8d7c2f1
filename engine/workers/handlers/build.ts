/** Makes segment files out of a sealed write buffer. */
import { loadFieldTable } from "../../mapping/field-table.js";
import { type BuildJob, type BuildJobResult, buildSegments } from "../../memtable/build-job.js";
import type { JobContext } from "../handler.js";

export function* build(context: JobContext, job: BuildJob): Generator<void, BuildJobResult> {
  const { byOrdinal } = context.shared(job.fields, loadFieldTable);
  return { segments: yield* buildSegments(context.storage, byOrdinal, job.rows, job) };
}
