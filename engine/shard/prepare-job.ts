/** The job of preparing documents: what it is told and what it says. Done by prepare-here.ts on whatever thread. */
import type { ErrorData } from "../error-data.js";
import type { StoredFieldTable } from "../mapping/field-table.js";
import type { MappingLimits } from "../mapping/merge.js";
import type { PreparedBatch } from "../memtable/prepared.js";
import type { SourcePlaces } from "./source-run.js";

/** Documents of one index. Plain data. */
export interface PrepareJob {
  /** Keys of shared values: a StoredFieldTable, AnalysisSettings. */
  readonly fields: string;
  readonly analysis: string;
  readonly limits: MappingLimits;
  readonly sources: SourcePlaces;
  readonly ids: readonly string[];
}

/** What became of them. Plain data. */
export interface PrepareJobResult {
  readonly batch: PreparedBatch;
  /** Why a document failed, by its place. */
  readonly errors: readonly (readonly [place: number, error: ErrorData])[];
  /** The field table with what the documents added; null: they added nothing. */
  readonly grown: StoredFieldTable | null;
}
