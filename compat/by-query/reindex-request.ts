/** The body of `_reindex`. */
import type { SortKey } from "../../engine/index.js";
import { type BodyOf, oneOf, readShape, shape } from "../body/shape.js";
import { illegalArgument, validationFailed } from "../errors.js";
import type { Json, JsonObject } from "../json/value.js";
import { readSort } from "../search/sort.js";
import { readSourceOption, type SourceOption } from "../search/source-option.js";
import { type RemoteHost, readRemote } from "./remote-host.js";

/** The body, its parts in their own shapes. */
export const REINDEX_SHAPE = shape(
  "reindex",
  "object",
  { source: "object", dest: "object", max_docs: "integer", size: "integer", conflicts: "string" },
  ["script"],
);

const SOURCE_SHAPE = shape(
  "source",
  "object",
  { index: "strings", query: "object", remote: "object", size: "integer", sort: "any", _source: "any" },
  ["slice", "runtime_mappings", "type"],
);

const DEST_SHAPE = shape(
  "dest",
  "object",
  { index: "string", version_type: "string", op_type: "string", routing: "string", pipeline: "string" },
  ["type"],
);

/** Where documents come from. */
export interface ReindexSource {
  readonly indices: readonly string[];
  readonly query: JsonObject | undefined;
  /** Documents of a page; undefined: the usual number. */
  readonly size: number | undefined;
  readonly sort: readonly SortKey[];
  readonly shown: SourceOption;
  readonly remote: RemoteHost | undefined;
  /** The parts that another cluster is asked with, as they were given. */
  readonly remoteBody: JsonObject;
}

/** Where they go to. */
export interface ReindexDest {
  readonly index: string;
  readonly kind: "index" | "create";
  readonly versions: "internal" | "external" | "external_gte";
  /** `keep`, `discard`, or the value that all get. */
  readonly routing: { readonly kind: "keep" | "discard" } | { readonly kind: "value"; readonly value: string };
  readonly pipeline: string | undefined;
}

/** A body that was read. */
export interface ReindexRequest {
  readonly source: ReindexSource;
  readonly dest: ReindexDest;
  readonly maxDocs: number | undefined;
}

/** Reads a body. Throws ApiError 400. */
export function readReindex(body: BodyOf<typeof REINDEX_SHAPE>): ReindexRequest {
  const source = readSource(readShape(body.source ?? {}, SOURCE_SHAPE));
  const given = readShape(body.dest ?? {}, DEST_SHAPE);
  const problems: string[] = [];
  if (source.indices.length === 0) problems.push("use _all if you really want to copy from all existing indexes");
  if (given.index === undefined) problems.push("index must be specified");
  if (problems.length > 0) throw validationFailed(...problems);
  // `size` is the old name of `max_docs`.
  return { source, dest: readDest(given), maxDocs: body.max_docs ?? body.size };
}

function readSource(given: BodyOf<typeof SOURCE_SHAPE>): ReindexSource {
  const { query, sort, _source } = given;
  const shown = readSourceOption(_source);
  if (shown === "none") throw illegalArgument("[_source] of [false] leaves nothing to copy");
  const remoteBody: JsonObject = {};
  for (const [name, value] of Object.entries({ query, sort, _source }) as [string, Json | undefined][]) {
    if (value !== undefined) remoteBody[name] = value;
  }
  return {
    indices: (given.index ?? []).flatMap((index) => index.split(",")),
    query,
    size: given.size,
    sort: readSort(sort),
    shown,
    remote: given.remote === undefined ? undefined : readRemote(given.remote),
    remoteBody,
  };
}

function readDest(given: BodyOf<typeof DEST_SHAPE>): ReindexDest {
  const kind = oneOf((given.op_type ?? "index").toLowerCase(), ["index", "create"] as const, "[op_type]");
  const versions = oneOf(
    (given.version_type ?? "internal").toLowerCase(),
    ["internal", "external", "external_gte"] as const,
    "[version_type]",
  );
  if (kind === "create" && versions !== "internal") {
    throw validationFailed(`create operations only support internal versioning. use index instead`);
  }
  return {
    index: given.index as string,
    kind,
    versions,
    routing: readRouting(given.routing),
    pipeline: given.pipeline,
  };
}

function readRouting(text = "keep"): ReindexDest["routing"] {
  if (text === "keep" || text === "discard") return { kind: text };
  if (text.startsWith("=")) return { kind: "value", value: text.slice(1) };
  throw validationFailed("routing must be unset, [keep], [discard] or [=<some new value>]");
}
