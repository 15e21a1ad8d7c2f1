/** Makes one segment file out of several. */
import type { MergeJob, MergeJobResult } from "../../jobs.js";
import { loadFieldTable } from "../../mapping/field-table.js";
import { mergeSegments } from "../../segment/merge.js";
import type { JobContext } from "../handler.js";

/** Writes the segment file, complete but not synced. Ended early it leaves none behind. */
export function* merge(context: JobContext, job: MergeJob): Generator<void, MergeJobResult> {
  const inputs = job.inputs.map(({ ref, live }) => ({ segment: context.segment(ref), live }));
  const { byOrdinal } = context.shared(job.fields, loadFieldTable);
  const docMaps = yield* mergeSegments(context.storage, inputs, byOrdinal, { folder: job.folder, name: job.name });
  context.transfer(...docMaps.map((map) => map.buffer as ArrayBuffer));
  return { docMaps };
}
