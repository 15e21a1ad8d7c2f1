/** `_search`, scrolls, `_count`, `_validate/query`. */
import {
  EngineError,
  type Hit,
  type PinnedReaders,
  type SearchRequest,
  type SearchResult,
  type SearchTarget,
} from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { searchedShards } from "../cluster/state.js";
import { illegalArgument, notSupported, parsingError, toApiError, validationFailed } from "../errors.js";
import type { Parameters } from "../http/parameters.js";
import { json, type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { DOCUMENTS, nameOptions, searchTargets } from "../indices/names.js";
import { readShardChoice, type ShardTarget, type Slice } from "../indices/shards.js";
import { type ByteWriter, byteWriter } from "../json/byte-writer.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import type { Node } from "../node.js";
import { askedQuery } from "../query/asked-query.js";
import { withLookups } from "../query/terms-lookup.js";
import { collapsedSearch, ofGroup, readInnerHits } from "../search/collapse.js";
import { checkSearchLimits } from "../search/index-limits.js";
import { indexBoosts } from "../search/indices-boost.js";
import { checkKeepAlive } from "../search/keep-alive.js";
import { onReachable, type Partial, type Reached, reachable, soundTargets } from "../search/missing-shards.js";
import { numberForms } from "../search/number-forms.js";
import { type Envelope, renderHits, renderSearch } from "../search/render.js";
import { type ReadSearch, readSearch, type SearchBody } from "../search/request.js";
import { PIT_SHAPE } from "../search/shape.js";
import { shardReport } from "../search/shard-report.js";
import { checkSlice, readSlice, SLICE_ALONE, sliceOfReaders } from "../search/slice.js";
import { readSuggestions, suggest } from "../search/suggest.js";
import { checkWindow, type Page } from "../search/window.js";
import { failedPart, searchFailure, searchPlace } from "../search-failure.js";
import { parseDuration } from "../units.js";
import { readTarget } from "./document.js";

/** `_search` over fresh readers, over a point in time, or as the first page of a scroll. */
export async function search(request: ApiRequest, body: SearchBody): Promise<Reply> {
  const out = byteWriter();
  const asked = { request, body, index: request.captured.index, parameters: request.parameters };
  await searchInto(out, asked, readAsked(asked));
  return rendered(out.finish());
}

/** One search of a request, alone or in a multi-search. */
export interface Asked {
  readonly request: ApiRequest;
  readonly body: SearchBody;
  readonly index: string | undefined;
  readonly parameters: Parameters;
  /** Printed at the end of an item of a multi-search. */
  readonly status?: number;
}

/** Reads what a search asks for. Throws ApiError 400. */
export function readAsked({ request, body, parameters }: Asked): ReadSearch {
  const found = withFound(request, body as JsonObject) as SearchBody;
  const readers = parameters.has("scroll") ? "scroll" : body.pit === undefined ? "fresh" : "point in time";
  if (readers === "scroll" && body.pit !== undefined)
    throw validationFailed("using [point in time] is not allowed in a scroll context");
  if (readers === "scroll" && body.collapse !== undefined)
    throw validationFailed("cannot use `collapse` in a scroll context");
  warnOfForms(request, body);
  return readSearch(withoutHits(found), parameters, readers);
}

/** Whoever only wants suggestions gets no hits, as in Elasticsearch. */
function withoutHits(body: SearchBody): SearchBody {
  const { suggest: wanted, ...others } = body;
  if (wanted === undefined || Object.keys(others).length > 0) return body;
  return { suggest: wanted, size: 0, query: { match_none: {} } };
}

/** A query with the values that documents hold in the place of what names them. */
function withFound<T extends Json | undefined>(request: ApiRequest, query: T): T {
  return query === undefined ? query : (withLookups(query, (name) => readTarget(request, name)) as T);
}

/** Forms that Elasticsearch still takes. */
function warnOfForms(request: ApiRequest, { indices_boost }: SearchBody): void {
  if (isObject(indices_boost))
    request.deprecated("Object format in indices_boost is deprecated, please use array format instead");
}

/** Runs a search that was read, and writes its answer. */
export async function searchInto(out: ByteWriter, asked: Asked, read: ReadSearch): Promise<void> {
  const { body, parameters } = asked;
  const { node } = asked.request;
  const boosts = indexBoosts(node.engine, body.indices_boost, nameOptions(parameters, DOCUMENTS));
  if (boosts !== undefined) read.request.indexBoosts = boosts;
  if (parameters.has("scroll")) return firstScrollPage(out, asked, read);
  if (body.pit !== undefined) return searchPointInTime(out, asked, { pit: body.pit, read });
  if (body.slice !== undefined) throw validationFailed(SLICE_ALONE);
  const targets = targetsOf(node, asked.index, parameters);
  await run(out, asked, { targets, read, ids: {} });
}

/** The indices of a request, narrowed to shards and a slice of them. */
export function targetsOf(node: Node, index: string | undefined, parameters: Parameters, slice?: Slice): ShardTarget[] {
  const choice = { ...readShardChoice(parameters, node), ...(slice === undefined ? {} : { slice }) };
  return searchTargets(node.engine, index ?? "_all", nameOptions(parameters, DOCUMENTS), choice);
}

interface Run {
  readonly targets: readonly SearchTarget[] | PinnedReaders;
  readonly read: ReadSearch;
  readonly ids: Pick<Envelope, "pitId" | "scrollId">;
}

async function run(out: ByteWriter, asked: Asked, { targets, read, ids }: Run): Promise<void> {
  const { node, task } = asked.request;
  const started = performance.now();
  const names = "targets" in targets ? targets.targets : targets;
  read.request.signal = task.signal;
  read.request.memory = task.memory;
  const partial = asked.parameters.boolean("allow_partial_search_results", true) ? "partial" : "whole";
  const { result, missing } = await searchNode(asked.request, { targets, read, page: "window", partial });
  const formsOf = numberForms(node.engine, read.request.sort, read.render);
  const inner = asked.body.collapse === undefined ? undefined : await innerHits(asked, { targets, read, result });
  const { suggest: wanted } = asked.body;
  const suggested =
    wanted === undefined ? {} : { suggest: await suggest(asked.request, targets, readSuggestions(wanted)) };
  const took = Math.round(performance.now() - started);
  await renderSearch(out, result, read.render, {
    took,
    ...suggested,
    shards: searchedShards(node.engine, names),
    missing,
    node: node.id,
    identity: asked.request.identity,
    formsOf,
    innerHits: inner,
    status: asked.status,
    ...ids,
  });
}

/** What each group's own search found, for the hits that stand for a group. */
async function innerHits(
  { request, body }: Asked,
  { targets, read, result }: Pick<Run, "targets" | "read"> & { result: SearchResult },
): Promise<ReadonlyMap<Hit, string>> {
  const { node, identity, task } = request;
  const { signal, memory } = task;
  const wanted = readInnerHits(body.collapse);
  const printed = new Map<Hit, string>();
  for (const hit of result.hits) {
    const out = byteWriter();
    for (const [at, { name, inner }] of wanted.entries()) {
      const own = { ...inner.request, query: ofGroup(read, hit), signal, memory };
      const found = await engineSearch(request, targets, own);
      out.text(`${at === 0 ? "{" : ","}${JSON.stringify(name)}:{"hits":`);
      const formsOf = numberForms(node.engine, own.sort, inner.render);
      const render = { ...inner.render, totalAsInt: read.render.totalAsInt };
      await renderHits(out, found, render, { node: node.id, identity, formsOf });
      out.text("}");
    }
    if (wanted.length > 0) printed.set(hit, `${out.finish().toString()}}`);
  }
  return printed;
}

function engineSearch({ node }: ApiRequest, targets: Run["targets"], asked: SearchRequest): Promise<SearchResult> {
  if ("targets" in targets) return node.engine.search(targets, asked);
  return node.engine.search(soundTargets(node.engine, targets as readonly ShardTarget[]).sound, asked);
}

/** Runs a search, on fresh readers without damaged indices; failures of the one shard get Elasticsearch's wrapping. */
async function searchNode(
  request: ApiRequest,
  asked: Pick<Run, "targets" | "read"> & { page: Page; partial: Partial },
): Promise<Reached<SearchResult>> {
  const { targets, page, partial, read } = asked;
  if ("targets" in targets) return { result: await searchTargetsOf(request, { targets, page, read }), missing: [] };
  return onReachable(request.node.engine, targets, partial, (sound) =>
    searchTargetsOf(request, { targets: sound, page, read }),
  );
}

async function searchTargetsOf(
  request: ApiRequest,
  { targets, read, page }: Pick<Run, "targets" | "read"> & { page: Page },
): Promise<SearchResult> {
  const { engine } = request.node;
  const names = "targets" in targets ? targets.targets : targets;
  const { from, size } = read.request;
  try {
    checkWindow(engine, names, { from, size, page });
    checkSearchLimits(engine, names, read.request);
    if (read.collapse !== undefined) return await collapsedSearch(engine, targets, read);
    return await engine.search(targets, read.request);
  } catch (error) {
    const part = isAboutQuery(error) ? await failedPart(engine, targets, read.request) : "query";
    throw searchFailure(error, searchPlace(engine, names, request.node.id, part));
  }
}

/** What is short, or was cancelled, is not tried again to find out more about it. */
function isAboutQuery(error: unknown): boolean {
  return error instanceof EngineError && error.code !== "circuit_breaking" && error.code !== "cancelled";
}

async function searchPointInTime(
  out: ByteWriter,
  asked: Asked,
  { pit, read }: { pit: JsonObject; read: ReadSearch },
): Promise<void> {
  if (asked.index !== undefined)
    throw validationFailed("[indices] cannot be used with point in time. Do not specify any index with point in time.");
  const { id, keep_alive } = readShape(pit, PIT_SHAPE);
  if (id === undefined) throw illegalArgument("point int time id is not provided");
  const { node } = asked.request;
  const keepAlive = keep_alive === undefined ? undefined : parseDuration(keep_alive, "keep_alive");
  checkKeepAlive(node.engine, keepAlive, keep_alive ?? "");
  const open = node.openReaders.get(id, keepAlive);
  if (open.scroll !== undefined) throw illegalArgument(`[${id}] is the id of a scroll, not of a point in time`);
  const sliced = sliceOfReaders(node.engine, open.readers, { slice: asked.body.slice, read });
  await run(out, asked, { targets: open.readers, read: sliced, ids: { pitId: id } });
}

async function firstScrollPage(out: ByteWriter, asked: Asked, read: ReadSearch): Promise<void> {
  const { node } = asked.request;
  if (asked.body.suggest !== undefined) throw notSupported("[suggest] in a scroll context");
  const keepAlive = asked.parameters.duration("scroll") ?? 0;
  checkKeepAlive(node.engine, keepAlive, asked.parameters.text("scroll") ?? "");
  if (asked.parameters.text("request_cache") === "true") {
    throw validationFailed("[request_cache] cannot be used in a scroll context");
  }
  const slice = asked.body.slice === undefined ? undefined : readSlice(asked.body.slice);
  const targets = targetsOf(node, asked.index, asked.parameters, slice);
  if (slice !== undefined) checkSlice(node.engine, targets, slice);
  const { sound } = reachable(node.engine, targets, "whole");
  const readers = node.engine.pin(sound);
  const state = { ...read, after: undefined, done: false };
  const open = node.openReaders.open(readers, keepAlive, state);
  try {
    await scrollPage(out, asked.request, open.id);
  } catch (error) {
    node.openReaders.free(open.id);
    throw error;
  }
}

/** Writes the next page of a scroll; the total and aggregations come from the first. */
async function scrollPage(out: ByteWriter, request: ApiRequest, id: string, keepAliveMs?: number): Promise<void> {
  const open = request.node.openReaders.get(id, keepAliveMs);
  const { scroll } = open;
  if (scroll === undefined) throw illegalArgument(`[${id}] is the id of a point in time, not of a scroll`);
  const started = performance.now();
  const first = scroll.after === undefined;
  const page = {
    ...scroll.request,
    signal: request.task.signal,
    memory: request.task.memory,
    searchAfter: scroll.after,
    aggs: first ? scroll.request.aggs : {},
  };
  const read = { request: scroll.done ? { ...page, size: 0 } : page, render: scroll.render };
  const { result } = await searchNode(request, { targets: open.readers, read, page: "scroll batch", partial: "whole" });
  const last = result.hits.at(-1);
  scroll.done ||= result.hits.length < page.size;
  if (last?.sort !== undefined) scroll.after = last.sort;
  const totalAsInt = request.parameters.boolean("rest_total_hits_as_int", scroll.render.totalAsInt);
  const render = { ...scroll.render, totalAsInt, hasAggs: scroll.render.hasAggs && first };
  const took = Math.round(performance.now() - started);
  await renderSearch(out, result, render, {
    took,
    shards: searchedShards(request.node.engine, open.readers.targets),
    node: request.node.id,
    identity: request.identity,
    formsOf: numberForms(request.node.engine, page.sort, scroll.render),
    scrollId: id,
  });
}

export const SCROLL_SHAPE = shape("scroll", "object", { scroll_id: "string", scroll: "string" });

/** The next page of a scroll. */
export async function scroll(request: ApiRequest, body: BodyOf<typeof SCROLL_SHAPE>): Promise<Reply> {
  const id = body.scroll_id ?? request.captured.scroll_id ?? request.parameters.text("scroll_id");
  if (id === undefined) throw validationFailed("scrollId is missing");
  const text = body.scroll ?? request.parameters.text("scroll");
  const keepAlive = text === undefined ? undefined : parseDuration(text, "scroll");
  checkKeepAlive(request.node.engine, keepAlive, text ?? "");
  const out = byteWriter();
  await scrollPage(out, request, id, keepAlive);
  return rendered(out.finish());
}

export const CLEAR_SCROLL_SHAPE = shape("clear_scroll", "object", { scroll_id: "strings" });

/** Gives up scrolls by id; 404 when none of them was open. */
export function clearScroll(request: ApiRequest, body: BodyOf<typeof CLEAR_SCROLL_SHAPE>): Reply {
  const { openReaders } = request.node;
  const given = body.scroll_id ?? request.captured.scroll_id?.split(",") ?? request.parameters.list("scroll_id");
  if (given === undefined) throw validationFailed("no scroll ids specified");
  const all = given.includes("_all");
  const ids = all
    ? openReaders
        .list()
        .filter((open) => open.scroll !== undefined)
        .map((open) => open.id)
    : given;
  const freed = ids.filter((id) => openReaders.free(id)).length;
  return json({ succeeded: true, num_freed: freed }, freed > 0 || all ? 200 : 404);
}

export const COUNT_SHAPE = shape("count", "object", { query: "object" });

/** `_count`: how many documents match. */
export async function count(request: ApiRequest, body: BodyOf<typeof COUNT_SHAPE>): Promise<Reply> {
  const { engine, id } = request.node;
  const targets = targetsOf(request.node, request.captured.index, request.parameters);
  const query = askedQuery(withFound(request, body.query), request.parameters);
  try {
    const { signal, memory } = request.task;
    const { result, missing } = await onReachable(engine, targets, "partial", (sound) =>
      engine.count(sound, query, { signal, memory }),
    );
    return json({
      count: result,
      _shards: shardReport(searchedShards(engine, targets), missing),
    });
  } catch (error) {
    throw searchFailure(error, searchPlace(engine, targets, id));
  }
}

const VALIDATE_SHAPE = shape("validate", "object", { query: "object" });

/** `_validate/query`: whether the query can be read and run; with `explain`, why not. */
export async function validateQuery(request: ApiRequest, given: JsonObject): Promise<Reply> {
  const { engine } = request.node;
  const targets = targetsOf(request.node, request.captured.index, request.parameters);
  const { sound, missing } = soundTargets(engine, targets);
  const shards = shardReport(searchedShards(engine, targets), missing);
  const explain = request.parameters.boolean("explain", false);
  try {
    const unknown = Object.keys(given).find((key) => key !== "query");
    if (unknown !== undefined) throw parsingError(`request does not support [${unknown}]`, unknown);
    const body = readShape(given, VALIDATE_SHAPE);
    const query = askedQuery(withFound(request, body.query), request.parameters);
    await engine.count(sound, query);
    const explanations = sound.map((target) => ({
      index: target.index,
      valid: true,
      explanation: JSON.stringify(query, bigintAsText),
    }));
    return json({ _shards: shards, valid: true, ...(explain ? { explanations } : {}) });
  } catch (error) {
    const found = toApiError(error);
    if (found.status >= 500) throw error;
    const message = `${found.type}: ${found.message}`;
    const explanations = targets.map((target) => ({ index: target.index, valid: false, error: message }));
    return json({ _shards: shards, valid: false, ...(explain ? { error: message, explanations } : {}) });
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
