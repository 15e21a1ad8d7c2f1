/** `slice`: one of several disjoint parts of a scroll or a point in time, so that many can read it beside one another. */
import type { EngineFace, PinnedReaders, Query } from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import type { Slice } from "../indices/shards.js";
import type { JsonObject } from "../json/value.js";
import { checkLimit } from "./index-limits.js";
import type { ReadSearch } from "./request.js";

const SLICE = shape("slice", "object", { id: "integer", max: "integer", field: "string" });

/** Elasticsearch's words for a slice of a search that holds no readers. */
export const SLICE_ALONE = "`slice` cannot be used outside of a scroll context";

/** Reads the object under `slice`. Throws ApiError 400. */
export function readSlice(given: JsonObject): Slice {
  const { id, max, field }: BodyOf<typeof SLICE> = readShape(given, SLICE);
  if (field !== undefined && field !== "_id") throw notSupported("[field] other than [_id] in [slice]");
  if (id === undefined || max === undefined) throw parsingError("Required [id, max] in [slice]", "slice");
  if (id < 0) throw illegalArgument(`id must be greater than or equal to 0`);
  if (max <= 1) throw illegalArgument(`max must be greater than 1`);
  if (id >= max) throw illegalArgument("max must be greater than id");
  return { id, max };
}

/** Refuses more slices than an index allows. Throws ApiError 400. */
export function checkSlice(engine: EngineFace, indices: readonly { readonly index: string }[], { max }: Slice): void {
  checkLimit(engine, indices, { setting: "max_slices_per_scroll", asked: max });
}

/** A search of a point in time narrowed to a slice; the search itself where none was asked for. */
export function sliceOfReaders(
  engine: EngineFace,
  readers: PinnedReaders,
  { slice, read }: { slice: JsonObject | undefined; read: ReadSearch },
): ReadSearch {
  if (slice === undefined) return read;
  const part = readSlice(slice);
  checkSlice(engine, readers.targets, part);
  const own: Query = { kind: "virtual_shard", shards: part.max, wanted: [part.id], boost: 1 };
  const query: Query = {
    kind: "bool",
    must: [read.request.query],
    should: [],
    filter: [own],
    mustNot: [],
    boost: 1,
  };
  return { ...read, request: { ...read.request, query } };
}
