/** A `_search` body and its URL parameters as the engine's request, plus how the answer is to be printed. */
import type { SearchRequest } from "../../engine/index.js";
import { readAggregations } from "../aggs/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError, validationFailed } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { isObject, type Json, tokenName } from "../json/value.js";
import { askedQuery } from "../query/asked-query.js";
import { readQuery } from "../query/index.js";
import { parseDuration } from "../units.js";
import { readCollapse } from "./collapse-field.js";
import { readExt } from "./ext.js";
import { readFieldsOption } from "./fields-option.js";
import { readHighlight } from "./highlight.js";
import { readKnn } from "./knn.js";
import type { RenderOptions } from "./render.js";
import type { SEARCH_SHAPE } from "./shape.js";
import { readSearchAfter, readSort, readSortParameter } from "./sort.js";
import { readSourceOption, type SourceOption, sourceParameters } from "./source-option.js";

export type SearchBody = BodyOf<typeof SEARCH_SHAPE>;

export interface ReadSearch {
  readonly request: SearchRequest;
  readonly render: RenderOptions;
  /** Hits with the same value of this field stand behind the best of them. */
  readonly collapse?: string;
}

const DEFAULT_SIZE = 10;
const DEFAULT_TRACK_TOTAL = 10_000;
const MATCH_ALL = { kind: "match_all", boost: 1 } as const;
const MATCH_NONE = { kind: "match_none", boost: 1 } as const;

/** Whether readers are held: then `_shard_doc` breaks ties and `search_after` carries its value. */
export type Readers = "fresh" | "scroll" | "point in time";

/** Reads everything that says what to search and what to show. URL parameters win over the body. */
export function readSearch(body: SearchBody, parameters: Parameters, readers: Readers = "fresh"): ReadSearch {
  const size = parameters.integer("size") ?? body.size ?? DEFAULT_SIZE;
  const from = parameters.integer("from") ?? body.from ?? 0;
  const sort = sortKeys(body, parameters, readers);
  const trackTotal = readTrackTotal(body.track_total_hits, parameters, readers);
  const { mode: stored, names } = readStoredFields(body.stored_fields, parameters);
  const source = stored === "none" ? withoutSource(body, parameters) : readSource(body, parameters, stored);
  checkPage({ from, size, readers, searchAfter: body.search_after });
  if (body.timeout !== undefined) parseDuration(body.timeout, "timeout");
  const knn = readKnn(body.knn, size);
  const request: SearchRequest = {
    query: mainQuery(body, parameters, knn.length > 0),
    knn,
    from: Math.max(0, from),
    size,
    sort: sort.keys,
    trackTotal,
    trackScores: parameters.boolean("track_scores", body.track_scores ?? false),
    terminateAfter: parameters.integer("terminate_after") ?? body.terminate_after ?? 0,
    aggs: readAggs(body),
    source: source !== "none" || names.length > 0 || body.fields !== undefined,
    explain: parameters.boolean("explain", body.explain ?? false),
    highlight: readHighlight(body.highlight),
    docValueFields: readDocValueFields(body.docvalue_fields, parameters),
    profile: body.profile ?? false,
    groups: readGroups(body.stats),
  };
  if (body.search_after !== undefined) request.searchAfter = readSearchAfter(body.search_after, sort.keys);
  if (body.post_filter !== undefined) request.postFilter = readQuery(body.post_filter);
  // Stored fields and `fields` are read from what `_source` does not show.
  if (typeof source !== "string" && names.length === 0 && body.fields === undefined) request.sourceShown = source.shown;
  const lines = readExt(body.ext);
  if (lines !== undefined) request.matchingLines = lines;
  const minScore = parameters.number("min_score") ?? body.min_score;
  if (minScore !== undefined) request.minScore = minScore;
  const collapse = body.collapse === undefined ? {} : { collapse: readCollapse(body.collapse, request) };
  return { request, render: renderOptions({ body, parameters, source, stored, names, sort }), ...collapse };
}

/** Nearest neighbours alone are no reason to find everything. */
function mainQuery(body: SearchBody, parameters: Parameters, nearest: boolean): SearchRequest["query"] {
  if (body.query === undefined && !parameters.has("q")) return nearest ? MATCH_NONE : MATCH_ALL;
  return askedQuery(body.query, parameters);
}

/** The keys to sort by; `shown` of their values are printed with each hit. */
function sortKeys(
  body: SearchBody,
  parameters: Parameters,
  readers: Readers,
): { keys: SearchRequest["sort"]; shown: number } {
  const given = parameters.list("sort");
  const keys = given === undefined ? readSort(body.sort) : readSortParameter(given);
  if (readers === "fresh" && keys.some((key) => key.field === "_shard_doc")) {
    throw illegalArgument("[_shard_doc] sort field cannot be used without [point in time]");
  }
  if (readers === "fresh" || keys.some((key) => key.field === "_shard_doc")) return { keys, shown: keys.length };
  if (readers === "point in time") {
    return keys.length === 0 ? { keys, shown: 0 } : { keys: [...keys, SHARD_DOC], shown: keys.length + 1 };
  }
  const own = keys.length === 0 ? [SCORE] : keys;
  return { keys: [...own, SHARD_DOC], shown: keys.length };
}

const SHARD_DOC = { field: "_shard_doc", order: "asc", missing: "_last" } as const;
const SCORE = { field: "_score", order: "desc", missing: "_last" } as const;

function checkPage(page: { from: number; size: number; readers: Readers; searchAfter: Json[] | undefined }): void {
  const { from, size, readers, searchAfter } = page;
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  if (from < -1 || (from === -1 && searchAfter === undefined)) {
    throw illegalArgument(`[from] parameter cannot be negative, found [${from}]`);
  }
  if (searchAfter !== undefined && from > 0)
    throw validationFailed("[from] parameter must be set to 0 when [search_after] is used");
  if (readers !== "scroll") return;
  if (from > 0) throw validationFailed("using [from] is not allowed in a scroll context");
  if (size === 0) throw validationFailed("[size] cannot be [0] in a scroll context");
  if (searchAfter !== undefined) throw validationFailed("[search_after] cannot be used in a scroll context");
}

/** Groups that a search is counted in. */
function readGroups(groups: Json[] | undefined): string[] | undefined {
  return groups?.map((group) => {
    if (typeof group === "string") return group;
    throw parsingError(`Expected [VALUE_STRING] in [stats] but found [${tokenName(group)}]`, "stats");
  });
}

function readTrackTotal(given: Json | undefined, parameters: Parameters, readers: Readers): number {
  const text = parameters.text("track_total_hits");
  const asInt = parameters.boolean("rest_total_hits_as_int", false);
  const wanted = text === undefined ? given : text === "" ? true : text;
  if (readers === "scroll") {
    if (wanted !== undefined && String(wanted) !== "true")
      throw validationFailed("disabling [track_total_hits] is not allowed in a scroll context");
    return Number.POSITIVE_INFINITY;
  }
  if (wanted === undefined || wanted === null) return asInt ? Number.POSITIVE_INFINITY : DEFAULT_TRACK_TOTAL;
  if (String(wanted) === "true") return Number.POSITIVE_INFINITY;
  if (String(wanted) === "false") return 0;
  const threshold = Number(wanted);
  if (!Number.isInteger(threshold) || threshold < -1) {
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${String(wanted)}`);
  }
  if (asInt)
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${threshold}`,
    );
  return threshold === -1 ? Number.POSITIVE_INFINITY : threshold;
}

function readAggs(body: SearchBody): SearchRequest["aggs"] {
  if (body.aggs !== undefined && body.aggregations !== undefined)
    throw parsingError("[aggs] and [aggregations] are the same: use one", "aggregations");
  const given = body.aggs ?? body.aggregations;
  return given === undefined ? {} : readAggregations(given);
}

function readSource(body: SearchBody, parameters: Parameters, stored: StoredFields): SourceOption {
  const asked = sourceParameters(parameters);
  if (asked !== undefined) return asked;
  if (body._source === undefined && stored === "source not asked for") return "none";
  return readSourceOption(body._source);
}

function withoutSource(body: SearchBody, parameters: Parameters): "none" {
  const asked = sourceParameters(parameters) ?? (body._source === undefined ? "none" : readSourceOption(body._source));
  if (asked !== "none") throw validationFailed("[stored_fields] cannot be disabled if [_source] is requested");
  return "none";
}

type StoredFields = "not given" | "none" | "source not asked for";

/** Stored fields by name; a list of names hides `_source` unless it is one of them, as in Elasticsearch. */
function readStoredFields(
  given: Json | undefined,
  parameters: Parameters,
): { mode: StoredFields; names: readonly string[] } {
  const names =
    parameters.list("stored_fields") ??
    (given === undefined || given === null ? undefined : [given].flat().map(String));
  if (names === undefined) return { mode: "not given", names: [] };
  if (names.includes("_none_")) {
    if (names.length > 1) throw illegalArgument("cannot combine _none_ with other fields");
    return { mode: "none", names: [] };
  }
  const mode = names.includes("_source") ? "not given" : "source not asked for";
  return { mode, names: names.filter((name) => name !== "_source") };
}

const DOC_VALUE = shape("docvalue_fields", "object", { field: "string", format: "string" });

function readDocValueFields(given: Json[] | undefined, parameters: Parameters): SearchRequest["docValueFields"] {
  const named = parameters.list("docvalue_fields");
  return (named ?? given ?? []).map((one) => {
    if (!isObject(one)) return { field: String(one) };
    const { field, format } = readShape(one, DOC_VALUE);
    if (field === undefined) throw parsingError("[docvalue_fields] requires [field]", "docvalue_fields");
    // `use_field_mapping` is what an absent format means.
    return format === undefined || format === "use_field_mapping" ? { field } : { field, format };
  });
}

interface Shown {
  body: SearchBody;
  parameters: Parameters;
  source: SourceOption;
  stored: StoredFields;
  names: readonly string[];
  sort: { keys: SearchRequest["sort"]; shown: number };
}

function renderOptions({ body, parameters, source, stored, names, sort }: Shown): RenderOptions {
  const version = parameters.text("version");
  if (version !== undefined && !["", "true", "false"].includes(version))
    throw notSupported(`[version=${version}] on a search`);
  return {
    source,
    stored: names,
    fields: readFieldsOption(body.fields),
    ids: stored === "none" ? "hide" : "show",
    version: version === undefined ? (body.version ?? false) : version !== "false",
    seqNoPrimaryTerm: parameters.boolean("seq_no_primary_term", body.seq_no_primary_term ?? false),
    explain: parameters.boolean("explain", body.explain ?? false),
    typedKeys: parameters.boolean("typed_keys", false),
    totalAsInt: parameters.boolean("rest_total_hits_as_int", false),
    hasAggs: body.aggs !== undefined || body.aggregations !== undefined,
    sortShown: sort.shown,
    scoreAt: sort.keys.findIndex((key) => key.field === "_score"),
  };
}
