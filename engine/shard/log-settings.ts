/** What an index's definition says of its log. */
import type { IndexDefinition } from "../engine-types.js";
import type { LogSettings } from "../wal/index.js";

/** Elasticsearch's default of `index.translog.sync_interval`. */
const SYNC_INTERVAL_MS = 5000;
/** A log with more in it that segments lack is worth a flush. Elasticsearch waits for more: replay is slower here than a merge. */
const FLUSH_THRESHOLD_BYTES = 96 << 20;
const MOST_FILE_BYTES = 32 << 20;
const LEAST_FILE_BYTES = 64 << 10;

type LogDefinition = Pick<IndexDefinition, "durability" | "syncIntervalMs" | "flushThresholdBytes">;

/** How the log is kept; of a log that is flushed early the files are small, so that a flush lets some go. */
export function logSettings(definition: LogDefinition): LogSettings {
  const file = Math.min(MOST_FILE_BYTES, flushThreshold(definition) / 3);
  return {
    durability: definition.durability,
    syncIntervalMs: definition.syncIntervalMs ?? SYNC_INTERVAL_MS,
    maxFileBytes: Math.max(LEAST_FILE_BYTES, file),
  };
}

/** Bytes of the log that segments lack, above which they are made. */
export function flushThreshold({ flushThresholdBytes }: LogDefinition): number {
  return flushThresholdBytes ?? FLUSH_THRESHOLD_BYTES;
}
