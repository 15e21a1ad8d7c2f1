import type { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import type { PreparedBatch } from "../memtable/prepared.js";

/** Documents prepared together: by place, deletes included. */
export interface PreparedRun {
  readonly batch: PreparedBatch;
  readonly errors: ReadonlyMap<number, EngineError>;
  /** The fields its records name, and the version of the mapping they are from. */
  readonly fields: readonly Field[];
  readonly mappingVersion: number;
}
