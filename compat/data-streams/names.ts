/** Names of data streams and of the indices behind them. */
import type { EngineFace } from "../../engine/index.js";
import { ApiError, indexNotFound, toApiError } from "../errors.js";
import type { Identity } from "../identities.js";
import { checkIndexName, wildcard } from "../indices/names.js";
import { dataStreamNames, dataStreamOf } from "./kept.js";

const BACKING_PREFIX = ".ds-";
const GENERATION_DIGITS = 6;

/** `.ds-NAME-yyyy.MM.dd-000001` as Elasticsearch has it, without the date as OpenSearch has it. `now` in ms since 1970. */
export function backingIndexName(
  { identity, now }: { readonly identity: Identity; readonly now: number },
  stream: string,
  generation: number,
): string {
  const number = String(generation).padStart(GENERATION_DIGITS, "0");
  if (identity.distribution === "opensearch") return `${BACKING_PREFIX}${stream}-${number}`;
  const date = new Date(now).toISOString().slice(0, 10).replaceAll("-", ".");
  return `${BACKING_PREFIX}${stream}-${date}-${number}`;
}

/** Throws ApiError 400 for a name that no data stream may have. OpenSearch's may not begin with a dot at all. */
export function checkDataStreamName(name: string, { distribution }: Identity): void {
  const refused = distribution === "opensearch" ? "." : BACKING_PREFIX;
  if (name !== name.toLowerCase()) throw refusedName(`data_stream [${name}] must be lowercase`);
  if (name.startsWith(refused)) throw refusedName(`data_stream [${name}] must not start with '${refused}'`);
  try {
    checkIndexName(name);
  } catch (error) {
    const { message } = toApiError(error);
    throw new ApiError(400, "invalid_index_name_exception", message.replace("index name", "data_stream name"), {
      fields: { index_uuid: "_na_", index: name },
    });
  }
}

function refusedName(reason: string): ApiError {
  return new ApiError(400, "illegal_argument_exception", reason);
}

/** Whether wildcards mean hidden data streams too. */
export interface StreamOptions {
  readonly hidden: boolean;
  readonly open: boolean;
  readonly closed: boolean;
}

/** Data streams of a list of names and patterns, sorted. Throws ApiError 404 for a name that is not there. */
export function dataStreamsNamed(engine: EngineFace, expression: string, options: StreamOptions): string[] {
  const all = dataStreamNames(engine);
  const chosen = new Set<string>();
  for (const part of expression.split(",")) {
    if (part === "_all" || part.includes("*")) {
      const matches = wildcard(part === "_all" ? "*" : part);
      const found = options.open || options.closed ? all.filter(matches) : [];
      for (const name of found) if (options.hidden || !isHidden(engine, name) || part.startsWith(".")) chosen.add(name);
    } else if (all.includes(part)) chosen.add(part);
    else throw indexNotFound(part);
  }
  return all.filter((name) => chosen.has(name));
}

function isHidden(engine: EngineFace, name: string): boolean {
  return dataStreamOf(engine, name)?.hidden === true;
}
