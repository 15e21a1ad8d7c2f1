/** Points in time, in Elasticsearch's form and in OpenSearch's. */
import { type BodyOf, shape } from "../body/shape.js";
import { searchedShards } from "../cluster/state.js";
import { illegalArgument, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { DOCUMENTS, nameOptions, searchTargets } from "../indices/names.js";
import { readShardChoice } from "../indices/shards.js";
import { checkKeepAlive } from "../search/keep-alive.js";
import { reachable } from "../search/missing-shards.js";
import type { OpenReader } from "../search/open-readers.js";

function open(request: ApiRequest): OpenReader {
  const { engine, openReaders } = request.node;
  const keepAlive = request.parameters.duration("keep_alive");
  if (keepAlive === undefined) throw validationFailed("[keep_alive] is required");
  checkKeepAlive(engine, keepAlive, request.parameters.text("keep_alive") ?? "");
  const { parameters, captured } = request;
  const choice = readShardChoice(parameters, request.node);
  const targets = searchTargets(engine, captured.index, nameOptions(parameters, DOCUMENTS), choice);
  return openReaders.open(engine.pin(reachable(engine, targets, "whole").sound), keepAlive);
}

function shards(request: ApiRequest, reader: OpenReader) {
  const total = searchedShards(request.node.engine, reader.readers.targets);
  return { total, successful: total, skipped: 0, failed: 0 };
}

/** Clients send an empty body. */
export const OPEN_PIT_SHAPE = shape("open_point_in_time", "object", {}, ["index_filter"]);

export function openPointInTime(request: ApiRequest): Reply {
  const reader = open(request);
  return json({ id: reader.id, _shards: shards(request, reader) });
}

export const CLOSE_SHAPE = shape("close_point_in_time", "object", { id: "strings" });

export function closePointInTime(request: ApiRequest, body: BodyOf<typeof CLOSE_SHAPE>): Reply {
  if (body.id === undefined) throw illegalArgument("[id] of the point in time is required");
  const freed = body.id.filter((id) => request.node.openReaders.free(id)).length;
  return json({ succeeded: true, num_freed: freed }, freed > 0 ? 200 : 404);
}

export function createPit(request: ApiRequest): Reply {
  const reader = open(request);
  return json({ pit_id: reader.id, _shards: shards(request, reader), creation_time: reader.createdAt });
}

export const DELETE_PIT_SHAPE = shape("delete_pit", "object", { pit_id: "strings" });

export function deletePits(request: ApiRequest, body: BodyOf<typeof DELETE_PIT_SHAPE>): Reply {
  if (body.pit_id === undefined) throw validationFailed("no pit ids specified");
  const pits = body.pit_id.map((id) => ({ successful: request.node.openReaders.free(id), pit_id: id }));
  return json({ pits }, pits.some((pit) => pit.successful) ? 200 : 404);
}

export function deleteAllPits(request: ApiRequest): Reply {
  const open = request.node.openReaders.list().filter((reader) => reader.scroll === undefined);
  return json({
    pits: open.map((reader) => ({ successful: request.node.openReaders.free(reader.id), pit_id: reader.id })),
  });
}

export function listPits(request: ApiRequest): Reply {
  const open = request.node.openReaders.list().filter((reader) => reader.scroll === undefined);
  return json({
    pits: open.map((reader) => ({
      pit_id: reader.id,
      creation_time: reader.createdAt,
      keep_alive: reader.keepAliveMs,
    })),
  });
}
