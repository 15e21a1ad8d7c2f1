/** Data streams: create, show, count, change, delete. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { inTurn } from "../cluster/in-turn.js";
import { shardTotals } from "../cluster/state.js";
import { createDataStream as create } from "../data-streams/create.js";
import { backingIndices, type DataStream, dataStreamOf } from "../data-streams/kept.js";
import { migrateAlias } from "../data-streams/migrate.js";
import { StreamChanges } from "../data-streams/modify.js";
import { dataStreamsNamed } from "../data-streams/names.js";
import { newestTimestamp } from "../data-streams/newest.js";
import { printDataStream } from "../data-streams/print.js";
import { removeDataStream } from "../data-streams/remove.js";
import { ApiError, illegalArgument } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { nameOptions, STRICT } from "../indices/names.js";
import { isObject, type Json } from "../json/value.js";
import { templatesSeen } from "../templates/built-in.js";
import { printSize } from "../units.js";

/** `PUT /_data_stream/name` */
export function createDataStream(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  return inTurn(engine, async () => {
    await create(request, request.captured.name, templatesSeen(request));
    return ACKNOWLEDGED;
  });
}

/** Streams that the request's expression names, with their names. */
function named(request: ApiRequest): [string, DataStream][] {
  const { engine } = request.node;
  const options = nameOptions(request.parameters, STRICT);
  return dataStreamsNamed(engine, request.captured.name ?? "*", options).flatMap((name) => {
    const stream = dataStreamOf(engine, name);
    return stream === undefined ? [] : [[name, stream] as [string, DataStream]];
  });
}

/** `GET /_data_stream/a,b*`; `verbose` adds the newest timestamp. */
export async function getDataStreams(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  const context = { engine, identity: request.identity, templates: templatesSeen(request) };
  const verbose = request.parameters.boolean("verbose", false);
  const streams: Record<string, unknown>[] = [];
  for (const [name, stream] of named(request)) {
    const printed = printDataStream(name, stream, context);
    streams.push(verbose ? { ...printed, maximum_timestamp: await newest(request, stream) } : printed);
  }
  return json({ data_streams: streams });
}

function newest(request: ApiRequest, stream: DataStream): Promise<number> {
  const { engine } = request.node;
  const { signal, memory } = request.task;
  return newestTimestamp(engine, backingIndices(engine, stream), stream.timestampField, { signal, memory });
}

/** `DELETE /_data_stream/a,b*`: with all documents. */
export function deleteDataStreams(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  return inTurn(engine, async () => {
    for (const [name] of namedOrNothing(request)) await removeDataStream(engine, name);
    return ACKNOWLEDGED;
  });
}

/** For OpenSearch a name that is not there is as good as deleted. */
function namedOrNothing(request: ApiRequest): [string, DataStream][] {
  const { captured, identity, node } = request;
  if (identity.distribution !== "opensearch") return named(request);
  const there = captured.name.split(",").filter((part) => part.includes("*") || dataStreamOf(node.engine, part));
  return there.length === 0 ? [] : named({ ...request, captured: { name: there.join(",") } });
}

/** `GET /_data_stream/a,b* /_stats` */
export async function dataStreamStats(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  const human = request.parameters.boolean("human", false);
  const sized = (name: string, bytes: number) => ({
    ...(human ? { [name]: printSize(bytes) } : {}),
    [`${name}_bytes`]: bytes,
  });
  const found = named(request).map(([name, stream]) => ({ name, stream, indices: backingIndices(engine, stream) }));
  const all = found.flatMap(({ indices }) => indices);
  const streams: Record<string, unknown>[] = [];
  for (const { name, stream, indices } of found) {
    streams.push({
      data_stream: name,
      backing_indices: indices.length,
      ...sized("store_size", bytesOf(indices)),
      maximum_timestamp: await newest(request, stream),
    });
  }
  return json({
    _shards: shardTotals(all),
    data_stream_count: found.length,
    backing_indices: all.length,
    ...sized("total_store_size", bytesOf(all)),
    data_streams: streams,
  });
}

function bytesOf(indices: ReturnType<typeof backingIndices>): number {
  return indices.reduce((sum, index) => sum + index.stats().storeBytes, 0);
}

export const MODIFY_SHAPE = shape("modify_data_stream", "object", { actions: "list" });
const MODIFY_ACTION = shape("action", "object", { data_stream: "string", index: "string" });

/** `POST /_data_stream/_modify`: which indices are behind data streams; all changes or none. */
export function modifyDataStreams(request: ApiRequest, body: BodyOf<typeof MODIFY_SHAPE>): Promise<Reply> {
  const { engine } = request.node;
  const { actions = [] } = body;
  if (actions.length === 0) throw illegalArgument("must specify at least one data stream modification action");
  return inTurn(engine, async () => {
    const changes = new StreamChanges(engine);
    for (const action of actions) modify(changes, action);
    await changes.apply();
    return ACKNOWLEDGED;
  });
}

function modify(changes: StreamChanges, action: Json): void {
  const entries = isObject(action) ? Object.entries(action) : [];
  const [kind, body] = entries[0] ?? ["", null];
  if (entries.length !== 1 || (kind !== "add_backing_index" && kind !== "remove_backing_index")) {
    throw new ApiError(400, "x_content_parse_exception", `[data_stream_action] unknown field [${kind}]`);
  }
  const { data_stream: stream, index } = readShape(body, MODIFY_ACTION);
  if (stream === undefined || index === undefined) throw illegalArgument("Required [data_stream] and [index]");
  if (kind === "add_backing_index") changes.add(stream, index);
  else changes.remove(stream, index);
}

/** `POST /_data_stream/_migrate/alias` */
export function migrateToDataStream(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  return inTurn(engine, async () => {
    await migrateAlias(request, request.captured.name, templatesSeen(request));
    return ACKNOWLEDGED;
  });
}
