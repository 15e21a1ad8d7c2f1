import type { AnalysisSettings, Mapping } from "./mapping/mapping.js";

/** What an index is created with. `settings` are opaque strings to the engine except those named here. */
export interface IndexDefinition {
  uuid: string;
  createdAt: number;
  /** Its files lie on the disk and are not open: nothing is read, nothing written. */
  closed?: boolean;
  mapping: Mapping;
  analysis: AnalysisSettings;
  /** Milliseconds between automatic refreshes; -1: only when asked. */
  refreshIntervalMs: number;
  durability: "request" | "async";
  /** Longest time between syncs of the log when durability is `async`, in milliseconds (default 5000). */
  syncIntervalMs?: number;
  /** When the log holds more bytes than this that segments lack, they are made (default 96 MiB). */
  flushThresholdBytes?: number;
  /** Mapping limit on the number of fields (default 1000). */
  totalFieldsLimit: number;
  /** Objects of nested fields that a document may have (default 10,000). */
  nestedObjectsLimit?: number;
  maxResultWindow: number;
  /** How long versions of deleted documents are remembered (default 60 seconds). */
  gcDeletesMs?: number;
  /** Everything else, kept and handed back (number_of_shards, ...). */
  settings: Record<string, string>;
}
