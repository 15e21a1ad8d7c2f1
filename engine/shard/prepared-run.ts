import type { EngineError } from "../errors.js";
import type { StoredFieldTable } from "../mapping/field-table.js";
import type { PreparedBatch } from "../memtable/prepared.js";
import type { HeldMemory } from "../store/held-memory.js";
import type { SourcePlaces } from "./source-run.js";

/** Documents prepared together: by place, deletes included. */
export interface PreparedRun {
  readonly batch: PreparedBatch;
  readonly sources: SourcePlaces;
  readonly errors: ReadonlyMap<number, EngineError>;
  /** Version of the mapping it was prepared with. */
  readonly mappingVersion: number;
  /** The fields of that version and those that the documents need beyond it; null: they need none. */
  readonly grown: StoredFieldTable | null;
  /** What records and sources lie in, held until `releaseRun`. */
  readonly memory: readonly HeldMemory[];
}

/** Lets go of a run; documents of it that a write buffer keeps stay. */
export function releaseRun(run: PreparedRun): void {
  for (const memory of run.memory) memory.release();
}
