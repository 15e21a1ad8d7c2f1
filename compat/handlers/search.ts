/** `_search`, `_msearch`, `_count`, `_validate/query`. */
import { EngineError, type PinnedReaders, type SearchResult, type SearchTarget } from "../../engine/index.js";
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { splitLines } from "../bulk/lines.js";
import { searchedShards } from "../cluster/state.js";
import { illegalArgument, itemError, notSupported, parsingError, toApiError, validationFailed } from "../errors.js";
import { Parameters } from "../http/parameters.js";
import { json, type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { DOCUMENTS, nameOptions, STRICT, searchTargets } from "../indices/names.js";
import { readShardChoice, type ShardTarget } from "../indices/shards.js";
import { parseBody } from "../json/body.js";
import { type ByteWriter, byteWriter } from "../json/byte-writer.js";
import { isObject, type JsonObject } from "../json/value.js";
import type { Node } from "../node.js";
import { readQuery } from "../query/index.js";
import { onReachable, type Partial, type Reached, reachable, soundTargets } from "../search/missing-shards.js";
import { numberForms } from "../search/number-forms.js";
import { type Envelope, renderSearch } from "../search/render.js";
import { type ReadSearch, readSearch, type SearchBody } from "../search/request.js";
import { PIT_SHAPE, SEARCH_SHAPE } from "../search/shape.js";
import { shardReport } from "../search/shard-report.js";
import { readSuggestions, suggest } from "../search/suggest.js";
import { checkWindow, type Page } from "../search/window.js";
import { failedPart, searchFailure, searchPlace } from "../search-failure.js";
import { parseDuration } from "../units.js";

/** `_search` over fresh readers, over a point in time, or as the first page of a scroll. */
export async function search(request: ApiRequest, body: SearchBody): Promise<Reply> {
  const out = byteWriter();
  await searchInto(out, { request, body, index: request.captured.index, parameters: request.parameters });
  return rendered(out.finish());
}

interface Asked {
  readonly request: ApiRequest;
  readonly body: SearchBody;
  readonly index: string | undefined;
  readonly parameters: Parameters;
  /** Printed at the end of an item of a multi-search. */
  readonly status?: number;
}

async function searchInto(out: ByteWriter, asked: Asked): Promise<void> {
  const { body, parameters } = asked;
  if (parameters.has("scroll")) return firstScrollPage(out, asked);
  if (body.pit !== undefined) return searchPointInTime(out, asked, body.pit);
  const targets = targetsOf(asked.request.node, asked.index, parameters);
  await run(out, asked, { targets, read: readSearch(withoutHits(body), parameters), ids: {} });
}

/** Whoever only wants suggestions gets no hits, as in Elasticsearch. */
function withoutHits(body: SearchBody): SearchBody {
  const { suggest: wanted, ...others } = body;
  if (wanted === undefined || Object.keys(others).length > 0) return body;
  return { suggest: wanted, size: 0, query: { match_none: {} } };
}

function targetsOf(node: Node, index: string | undefined, parameters: Parameters): ShardTarget[] {
  const options = nameOptions(parameters, DOCUMENTS);
  return searchTargets(node.engine, index ?? "_all", options, readShardChoice(parameters, node));
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
    formsOf: numberForms(node.engine, read.request.sort),
    status: asked.status,
    ...ids,
  });
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

async function searchPointInTime(out: ByteWriter, asked: Asked, pit: JsonObject): Promise<void> {
  if (asked.index !== undefined)
    throw validationFailed("[indices] cannot be used with point in time. Do not specify any index with point in time.");
  const { id, keep_alive } = readShape(pit, PIT_SHAPE);
  if (id === undefined) throw illegalArgument("point int time id is not provided");
  const open = asked.request.node.openReaders.get(
    id,
    keep_alive === undefined ? undefined : parseDuration(keep_alive, "keep_alive"),
  );
  if (open.scroll !== undefined) throw illegalArgument(`[${id}] is the id of a scroll, not of a point in time`);
  const read = readSearch(asked.body, asked.parameters, "point in time");
  await run(out, asked, { targets: open.readers, read, ids: { pitId: id } });
}

async function firstScrollPage(out: ByteWriter, asked: Asked): Promise<void> {
  const { node } = asked.request;
  if (asked.body.pit !== undefined) throw validationFailed("using [point in time] is not allowed in a scroll context");
  if (asked.body.suggest !== undefined) throw notSupported("[suggest] in a scroll context");
  const keepAlive = asked.parameters.duration("scroll") ?? 0;
  const read = readSearch(asked.body, asked.parameters, "scroll");
  if (asked.parameters.text("request_cache") === "true") {
    throw validationFailed("[request_cache] cannot be used in a scroll context");
  }
  const { sound } = reachable(node.engine, targetsOf(node, asked.index, asked.parameters), "whole");
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
    formsOf: numberForms(request.node.engine, page.sort),
    scrollId: id,
  });
}

export const SCROLL_SHAPE = shape("scroll", "object", { scroll_id: "string", scroll: "string" });

/** The next page of a scroll. */
export async function scroll(request: ApiRequest, body: BodyOf<typeof SCROLL_SHAPE>): Promise<Reply> {
  const id = body.scroll_id ?? request.captured.scroll_id ?? request.parameters.text("scroll_id");
  if (id === undefined) throw validationFailed("scrollId is missing");
  const keepAlive =
    body.scroll === undefined ? request.parameters.duration("scroll") : parseDuration(body.scroll, "scroll");
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
  const query = body.query === undefined ? ({ kind: "match_all", boost: 1 } as const) : readQuery(body.query);
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
    const query = body.query === undefined ? ({ kind: "match_all", boost: 1 } as const) : readQuery(body.query);
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

const HEADER_SHAPE = shape("msearch", "object", {
  index: "strings",
  indices: "strings",
  search_type: "string",
  preference: "string",
  routing: "string",
  ignore_unavailable: "boolean",
  allow_no_indices: "boolean",
  expand_wildcards: "strings",
  request_cache: "boolean",
  ccs_minimize_roundtrips: "boolean",
  allow_partial_search_results: "boolean",
});

/** `_msearch`: pairs of lines, each answered with its own status. */
export async function multiSearch(request: ApiRequest, body: Buffer): Promise<Reply> {
  const lines = splitLines(body, "msearch");
  if (lines.length === 0) throw validationFailed("no requests added");
  if (lines.length % 2 === 1) throw illegalArgument("Validation Failed: the last header line has no body line");
  const started = performance.now();
  const items = byteWriter();
  for (let at = 0; at < lines.length; at += 2) {
    if (at > 0) items.text(",");
    await searchItem(items, request, [lines[at], lines[at + 1]]);
  }
  const out = byteWriter();
  out.text(`{"took":${Math.round(performance.now() - started)},"responses":[`);
  out.bytes(items.finish());
  out.text("]}");
  return rendered(out.finish());
}

async function searchItem(items: ByteWriter, request: ApiRequest, [head, body]: [Buffer, Buffer]): Promise<void> {
  // A header that cannot be read fails the whole request, as in Elasticsearch: the pairs may be out of step.
  const header = readShape(isBlank(head) ? {} : parseBody(head), HEADER_SHAPE);
  const own = byteWriter();
  try {
    const parsed = parseBody(body);
    const read = isObject(parsed) ? readShape(parsed, SEARCH_SHAPE) : readShape({}, SEARCH_SHAPE);
    const index = header.index ?? header.indices;
    const parameters = itemParameters(request.parameters, header);
    await searchInto(own, {
      request,
      body: read,
      index: index?.join(",") ?? request.captured.index,
      parameters,
      status: 200,
    });
    items.bytes(own.finish());
  } catch (error) {
    const found = toApiError(error);
    const root = [itemError(found, request.identity)];
    items.text(
      JSON.stringify({ error: { root_cause: root, ...itemError(found, request.identity) }, status: found.status }),
    );
  }
}

function isBlank(line: Buffer): boolean {
  return line.toString("latin1").trim() === "";
}

/** A header's name options on top of the request's own parameters. */
function itemParameters(shared: Parameters, header: BodyOf<typeof HEADER_SHAPE>): Parameters {
  const values = new Map<string, string>();
  for (const name of ["typed_keys", "rest_total_hits_as_int"] as const) {
    const value = shared.text(name);
    if (value !== undefined) values.set(name, value);
  }
  const routing = header.routing ?? shared.text("routing");
  if (routing !== undefined) values.set("routing", routing);
  if (header.preference !== undefined) values.set("preference", header.preference);
  const { ignoreUnavailable, allowNoIndices } = STRICT;
  values.set(
    "ignore_unavailable",
    String(header.ignore_unavailable ?? shared.boolean("ignore_unavailable", ignoreUnavailable)),
  );
  values.set("allow_no_indices", String(header.allow_no_indices ?? shared.boolean("allow_no_indices", allowNoIndices)));
  const expand = header.expand_wildcards ?? shared.list("expand_wildcards");
  if (expand !== undefined) values.set("expand_wildcards", expand.join(","));
  return new Parameters(values);
}
