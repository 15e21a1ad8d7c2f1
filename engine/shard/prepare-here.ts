import { errorToData } from "../error-data.js";
import { storeFieldTable } from "../mapping/field-table.js";
import type { PrepareRequest, Preparer } from "./prepare.js";
import type { PrepareJobResult } from "./prepare-job.js";

/** Does the job on this thread, with what its keys stand for. Throws `overloaded`. */
export function prepareWith(preparer: Preparer, request: PrepareRequest): PrepareJobResult {
  const prepared = preparer.prepare(request);
  return {
    batch: prepared.batch,
    errors: [...prepared.errors].map(([place, error]) => [place, errorToData(error)]),
    grown: prepared.table === request.table ? null : storeFieldTable(prepared.table),
  };
}
