/** What an answer says of the shards that a search asked. */
import type { Index } from "../../engine/index.js";
import type { ErrorCause } from "../errors.js";

/** Shards of a damaged index that a search asked for. */
export interface MissingShards {
  readonly index: Index;
  readonly count: number;
}

/** `_shards` of a search's answer. */
export function shardReport(total: number, missing: readonly MissingShards[]): Record<string, unknown> {
  const failed = missing.reduce((sum, { count }) => sum + count, 0);
  const report = { total, successful: total - failed, skipped: 0, failed };
  return failed === 0 ? report : { ...report, failures: missing.map(shardFailure) };
}

/** What `failures` lists of a damaged index. */
export function shardFailure({ index }: MissingShards): Record<string, unknown> {
  const { type, reason, fields } = causeOf(index);
  return { shard: 0, index: index.name, node: null, reason: { type, reason, ...fields } };
}

/** Why the shards of a damaged index are not there. */
export function causeOf({ name, definition, damage }: Index): ErrorCause {
  const fields = { index_uuid: definition.uuid, shard: "0", index: name };
  return { type: "no_shard_available_action_exception", reason: damage?.message ?? null, fields };
}
