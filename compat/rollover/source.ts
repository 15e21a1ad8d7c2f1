/** What is rolled over: an alias with its write index, or a data stream. */
import type { EngineFace, Index } from "../../engine/index.js";
import { type DataStream, dataStreamOf, writeIndexName } from "../data-streams/kept.js";
import { streamBehind } from "../data-streams/write-checks.js";
import { ApiError, illegalArgument } from "../errors.js";
import type { Identity } from "../identities.js";
import { type AliasEntry, rawAliasOf } from "../indices/aliases.js";

export type RolloverSource = { readonly index: Index } & (
  | { readonly kind: "alias"; readonly name: string; readonly entry: AliasEntry }
  | { readonly kind: "data stream"; readonly name: string; readonly stream: DataStream }
);

/** No index has an empty name. */
const NOWHERE: [string, AliasEntry] = ["", {}];

/** Throws ApiError where there is nothing to roll over. */
export function rolloverSource(engine: EngineFace, name: string, identity: Identity): RolloverSource {
  const streamName = streamBehind(engine, name);
  const stream = streamName === undefined ? undefined : dataStreamOf(engine, streamName);
  if (streamName !== undefined && stream !== undefined) {
    return { kind: "data stream", name: streamName, stream, index: writeIndex(engine, name, writeIndexName(stream)) };
  }
  if (engine.index(name) !== undefined) {
    throw illegalArgument("rollover target is a [concrete index] but one of [alias,data_stream] was expected");
  }
  const alias = rawAliasOf(engine, name);
  if (alias === undefined) throw noTarget(name, identity);
  const entries = Object.entries(alias);
  const [index, entry] =
    entries.find(([, one]) => one.is_write_index === true) ??
    (entries.length === 1 && entries[0][1].is_write_index !== false ? entries[0] : NOWHERE);
  return { kind: "alias", name, entry, index: writeIndex(engine, name, index) };
}

function writeIndex(engine: EngineFace, name: string, index: string): Index {
  const found = engine.index(index);
  if (found === undefined) throw illegalArgument(`rollover target [${name}] does not point to a write index`);
  return found;
}

/** OpenSearch kept the status that Elasticsearch had before 8.19. */
function noTarget(name: string, { distribution }: Identity): ApiError {
  const reason = `rollover target [${name}] does not exist`;
  return distribution === "opensearch"
    ? illegalArgument(reason)
    : new ApiError(404, "resource_not_found_exception", reason);
}
