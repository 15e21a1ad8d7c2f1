/**
 * Searching indices of which some are damaged: the others answer, and the answer says which shards are missing; where
 * none is left, or the request wants all or nothing, it is Elasticsearch's 503 of a red index.
 */
import type { EngineFace } from "../../engine/index.js";
import { ApiError } from "../errors.js";
import { shardsOf } from "../indices/settings.js";
import type { ShardTarget } from "../indices/shards.js";
import { causeOf, type MissingShards, shardFailure } from "./shard-report.js";

/** The targets that can be searched, and what the others lack. */
export interface Sound {
  readonly sound: readonly ShardTarget[];
  readonly missing: readonly MissingShards[];
}

/** Whether a search may leave shards out. */
export type Partial = "partial" | "whole";

export interface Reached<T> {
  readonly result: T;
  readonly missing: readonly MissingShards[];
}

/**
 * Does the work on the indices that are sound, and again on fewer when it meets damage. Throws ApiError 503 when none is
 * left, or one is missing of a whole.
 */
export async function onReachable<T>(
  engine: EngineFace,
  targets: readonly ShardTarget[],
  wanted: Partial,
  work: (targets: readonly ShardTarget[]) => Promise<T>,
): Promise<Reached<T>> {
  for (;;) {
    const { sound, missing } = reachable(engine, targets, wanted);
    try {
      return { result: await work(sound), missing };
    } catch (error) {
      if (!sound.some(({ index }) => engine.damage(index) !== undefined)) throw error;
    }
  }
}

/** The targets whose indices are sound, and what the others lack. Throws ApiError 503. */
export function reachable(engine: EngineFace, targets: readonly ShardTarget[], wanted: Partial): Sound {
  const { sound, missing } = soundTargets(engine, targets);
  if (missing.length === 0) return { sound, missing };
  if (wanted === "whole") throw rejected(missing);
  if (sound.length === 0) throw allFailed(missing);
  return { sound, missing };
}

/** The same, whatever is missing. */
export function soundTargets(engine: EngineFace, targets: readonly ShardTarget[]): Sound {
  const missing: MissingShards[] = [];
  const sound = targets.filter((target) => {
    const index = engine.index(target.index);
    if (index?.damage === undefined) return true;
    missing.push({ index, count: target.shards ?? shardsOf(index.definition.settings) });
    return false;
  });
  return { sound, missing };
}

function allFailed(missing: readonly MissingShards[]): ApiError {
  return new ApiError(503, "search_phase_execution_exception", "all shards failed", {
    rootCause: causeOf(missing[0].index),
    fields: { phase: "query", grouped: true, failed_shards: missing.map(shardFailure) },
  });
}

function rejected(missing: readonly MissingShards[]): ApiError {
  const names = missing.flatMap(({ index, count }) =>
    Array.from({ length: count }, (_, at) => `[${index.name}][${at}]`),
  );
  const fields = { phase: "query", grouped: true, failed_shards: missing.map(shardFailure) };
  const reason = `Search rejected due to missing shards [${names.join(", ")}]. Consider using \`allow_partial_search_results\` setting to bypass this error.`;
  return new ApiError(503, "search_phase_execution_exception", "", {
    rootCause: causeOf(missing[0].index),
    fields,
    causedBy: { type: "search_phase_execution_exception", reason, fields },
  });
}
