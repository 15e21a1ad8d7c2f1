/**
 * `wait_for_active_shards`: how many copies must be there before a write begins. There is one, and there will be no other:
 * a write that wants more fails at once, as it does in Elasticsearch after its timeout.
 */
import type { Index } from "../../engine/index.js";
import { ApiError } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { replicasOf } from "../indices/settings.js";
import { printDuration } from "../units.js";

const DEFAULT_TIMEOUT_MS = 60_000;

/** Whether an index has as many copies as are wanted. */
export function hasActiveShards(parameters: Parameters, index: Index): boolean {
  return neededShards(parameters, index) <= 1;
}

/** Throws ApiError 503 `unavailable_shards_exception`. */
export function checkActiveShards(parameters: Parameters, index: Index): void {
  const needed = neededShards(parameters, index);
  if (needed <= 1) return;
  const wanted = parameters.text("wait_for_active_shards")?.toUpperCase();
  const timeout = printDuration(parameters.duration("timeout") ?? DEFAULT_TIMEOUT_MS);
  throw new ApiError(
    503,
    "unavailable_shards_exception",
    `[${index.name}][0] Not enough active copies to meet shard count of [${wanted}] (have 1, needed ${needed}). Timeout: [${timeout}]`,
  );
}

function neededShards(parameters: Parameters, index: Index): number {
  const wanted = parameters.text("wait_for_active_shards");
  if (wanted === undefined || wanted === "") return 1;
  return wanted === "all" ? 1 + replicasOf(index.definition.settings) : Number(wanted);
}
