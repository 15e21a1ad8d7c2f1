/** What a write answers, alone or as an item of a bulk. */
import type { Index, WriteOutcome } from "../../engine/index.js";
import { replicasOf } from "../indices/settings.js";
import { quote } from "../search/render.js";

export type Written = Extract<WriteOutcome, { ok: true }>;

/** Of an update that wrote nothing, alone: no copy was asked. In a bulk the others of its shard were. */
export const NO_SHARDS = `"_shards":{"total":0,"successful":0,"failed":0}`;

/** The `_shards` member of writes to an index: every copy that should be there, the one that is. */
export function shardsText(index: Index): string {
  return `"_shards":{"total":${1 + replicasOf(index.definition.settings)},"successful":1,"failed":0}`;
}

/** Members of the answer, braces not included. `place` comes from `placeText`, `shards` from `shardsText`, once per index. */
export function writeMembers(written: Written, place: string, shards: string, refreshed: boolean): string {
  return `${place},"_id":${quote(written.id)},"_version":${written.version},"result":"${written.result}",${
    refreshed ? `"forced_refresh":true,` : ""
  }${shards},"_seq_no":${written.seqNo},"_primary_term":${written.primaryTerm}`;
}

/** 201 created, 404 nothing to delete, else 200. */
export function writeStatus(written: Written): number {
  if (written.result === "created") return 201;
  return written.result === "not_found" ? 404 : 200;
}
