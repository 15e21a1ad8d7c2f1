/**
 * `collapse`: of hits with the same value of a field only the first in order is shown. Hits are read in their order, a page
 * at a time over held readers, until there are enough groups; the total counts all of them, as in Elasticsearch.
 */
import type {
  EngineFace,
  Hit,
  PinnedReaders,
  Query,
  SearchRequest,
  SearchResult,
  SearchTarget,
  SortValue,
} from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import { Parameters } from "../http/parameters.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { COLLAPSE, checkCollapse } from "./collapse-field.js";
import { type ReadSearch, readSearch } from "./request.js";
import { SEARCH_SHAPE } from "./shape.js";

/** Hits read at once, at least. */
const PAGE = 100;
const SCORE = { field: "_score", order: "desc", missing: "_last" } as const;
const SHARD_DOC = { field: "_shard_doc", order: "asc", missing: "_last" } as const;

/** Searches, one hit for each value of the field. Throws ApiError 400 for a document with several. */
export async function collapsedSearch(
  engine: EngineFace,
  targets: readonly SearchTarget[] | PinnedReaders,
  read: ReadSearch,
): Promise<SearchResult> {
  checkCollapse(engine, "targets" in targets ? targets.targets : targets, read.collapse ?? "");
  const pinned = "targets" in targets ? undefined : engine.pin(targets);
  try {
    return await readGroups(engine, pinned ?? targets, read);
  } finally {
    pinned?.release();
  }
}

async function readGroups(
  engine: EngineFace,
  readers: readonly SearchTarget[] | PinnedReaders,
  { request, collapse = "" }: ReadSearch,
): Promise<SearchResult> {
  const needed = request.from + request.size;
  const seen = new Set<string>();
  const firsts: Hit[] = [];
  let asked = pageOf(request, collapse, needed);
  let first: SearchResult | undefined;
  for (;;) {
    const page = await engine.search(readers, asked);
    first ??= page;
    for (const hit of page.hits) {
      const group = groupOf(hit, collapse);
      if (seen.has(group)) continue;
      seen.add(group);
      firsts.push(hit);
    }
    const last = page.hits.at(-1)?.sort;
    if (firsts.length >= needed || page.hits.length < asked.size || last === undefined) break;
    asked = { ...asked, aggs: {}, trackTotal: 0, searchAfter: last };
  }
  return { ...first, hits: firsts.slice(request.from, needed) };
}

/** The search that reads hits in their order, from where the request begins. */
function pageOf(request: SearchRequest, collapse: string, needed: number): SearchRequest {
  const scored = request.sort.length === 0;
  const sort = scored ? [SCORE] : request.sort;
  const ended = sort.some(({ field }) => field === "_shard_doc");
  return {
    ...request,
    from: 0,
    size: needed === 0 ? 0 : Math.max(PAGE, needed),
    sort: ended ? sort : [...sort, SHARD_DOC],
    trackScores: request.trackScores || scored,
    docValueFields: [...request.docValueFields.filter(({ field }) => field !== collapse), { field: collapse }],
    ...(request.searchAfter === undefined ? {} : { searchAfter: afterGroup(request.searchAfter, ended) }),
  };
}

/** Everything behind the last group that was shown: no place within it is. */
function afterGroup(after: readonly SortValue[], ended: boolean): SortValue[] {
  return ended ? [...after] : [...after, Number.MAX_SAFE_INTEGER];
}

function groupOf(hit: Hit, field: string): string {
  const values = hit.fields?.[field] ?? [];
  if (values.length > 1)
    throw illegalArgument(`failed to collapse ${hit.id}, the collapse field must be single valued`);
  return values.length === 0 ? "" : `${typeof values[0]} ${String(values[0])}`;
}

/** One search of the hits behind a group's first. */
export interface InnerHits {
  readonly name: string;
  readonly inner: ReadSearch;
}

const INNER_SIZE = 3;

/** Reads `inner_hits`: one object, or a list of them. Throws ApiError 400. */
export function readInnerHits(collapse: JsonObject | undefined): InnerHits[] {
  const { inner_hits: given, field = "" } = readShape(collapse ?? {}, COLLAPSE);
  return given === undefined ? [] : [given].flat().map((one) => readInner(one, field));
}

const REFUSED_INSIDE = ["query", "aggs", "aggregations", "pit", "slice", "knn", "post_filter", "search_after"];

function readInner(given: Json, field: string): InnerHits {
  if (!isObject(given)) throw illegalArgument("[inner_hits] must be an object");
  const { name, ...options } = given;
  const wrong = REFUSED_INSIDE.find((key) => Object.hasOwn(options, key));
  if (wrong !== undefined) throw illegalArgument(`[${wrong}] is not supported in [inner_hits]`);
  const body = readShape({ size: INNER_SIZE, ...options }, SEARCH_SHAPE);
  return { name: name === undefined ? field : String(name), inner: readSearch(body, new Parameters(new Map())) };
}

/** The query of all hits of the group that a hit stands for. */
export function ofGroup({ request, collapse = "" }: ReadSearch, hit: Hit): Query {
  const [value] = hit.fields?.[collapse] ?? [];
  const exists: Query = { kind: "exists", field: collapse, boost: 1 };
  const same: Query =
    value === undefined || value === null
      ? { kind: "bool", must: [], should: [], filter: [], mustNot: [exists], boost: 1 }
      : { kind: "term", field: collapse, value, caseInsensitive: false, boost: 1 };
  return { kind: "bool", must: [request.query], should: [], filter: [same], mustNot: [], boost: 1 };
}
