/** Snapshot repositories: register, show, forget, check, tidy. */
import { EngineError } from "../../engine/index.js";
import { ApiError, notSupported, toApiError, validationFailed } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { nest } from "../indices/definition.js";
import type { JsonObject } from "../json/value.js";
import { checkKeys, readObject, readText } from "../snapshot/body.js";
import { checkRepositoryName, findRepositories, repositoryMissing } from "../snapshot/names.js";
import {
  causeOf,
  flatRepositorySettings,
  notCreated,
  readRepositorySettings,
} from "../snapshot/repository-settings.js";

/** What is kept of a registration to show it again. */
interface Shown {
  readonly type: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** `PUT /_snapshot/r` */
export async function putRepository(request: ApiRequest, body: JsonObject): Promise<Reply> {
  const name = request.captured.repository;
  if (request.bytes.length === 0) throw new ApiError(400, "parse_exception", "request body is required");
  checkKeys(body, ["type", "settings"], ["uuid"]);
  const type = readText(body.type, "type");
  if (type === undefined) throw validationFailed("type is missing");
  checkRepositoryName(name);
  if (type !== "fs") throw unknownType(name, type);
  const settings = flatRepositorySettings(
    readObject(body.settings, "Malformed settings section, should include an inner object") ?? {},
  );
  const options = readRepositorySettings(name, settings);
  const shown: Shown = { type, settings };
  try {
    await request.node.engine.snapshots.putRepository(name, options, shown, request.parameters.boolean("verify", true));
  } catch (error) {
    if (error instanceof EngineError && error.code === "repository_failed")
      throw notCreated(name, causeOf(toApiError(error)));
    throw error;
  }
  return ACKNOWLEDGED;
}

const KNOWN_TYPES = ["azure", "gcs", "hdfs", "s3", "source", "url"];

function unknownType(name: string, type: string): ApiError {
  if (KNOWN_TYPES.includes(type)) return notSupported(`repository type [${type}]`);
  return new ApiError(500, "repository_exception", `[${name}] repository type [${type}] does not exist`);
}

/** `GET /_snapshot`, `GET /_snapshot/a,b*` */
export function getRepository(request: ApiRequest): Reply {
  const found = findRepositories(request.node.engine, request.captured.repository);
  const flat = request.parameters.boolean("flat_settings", false);
  const shown = found.map(({ name, shown }) => {
    const { type, settings } = shown as Shown;
    return [name, { type, settings: flat ? settings : nest(settings) }];
  });
  return json(Object.fromEntries(shown));
}

/** `DELETE /_snapshot/a,b*`: the folders stay as they are. */
export async function deleteRepository(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  const expression = request.captured.repository;
  const found = findRepositories(engine, expression);
  if (found.length === 0 && expression !== "*" && expression !== "_all") throw repositoryMissing(expression);
  for (const { name } of found) await engine.snapshots.deleteRepository(name);
  return ACKNOWLEDGED;
}

/** `POST /_snapshot/r/_verify`: writes to it, and looks whether what its snapshots need is there. */
export async function verifyRepository(request: ApiRequest): Promise<Reply> {
  const { node, captured } = request;
  await node.engine.snapshots.verifyRepository(captured.repository);
  return json({ nodes: { [node.id]: { name: node.name } } });
}

/** `POST /_snapshot/r/_cleanup`: removes what no snapshot needs. */
export async function cleanUpRepository(request: ApiRequest): Promise<Reply> {
  const { files, bytes } = await request.node.engine.snapshots.cleanUp(request.captured.repository);
  return json({ results: { deleted_bytes: bytes, deleted_blobs: files } });
}

/** `POST /_snapshot/r/_verify_integrity`: reads every byte. The numbers of threads and the like mean nothing here. */
export async function inspectRepository(request: ApiRequest): Promise<Reply> {
  const { node, captured } = request;
  const name = captured.repository;
  const report = await node.engine.snapshots.inspectRepository(name);
  const now = node.now();
  const log = report.anomalies.map((anomaly) => ({
    timestamp_in_millis: now,
    timestamp: new Date(now).toISOString(),
    anomaly: "failed to load data",
    exception: { type: "corrupt_index_exception", reason: anomaly },
  }));
  return json({
    log,
    results: {
      status: {
        repository: { name },
        snapshots: { verified: report.snapshots, total: report.snapshots },
        blobs: { verified: report.files },
      },
      bytes_verified: report.bytes,
      total_anomalies: report.anomalies.length,
      result: report.anomalies.length === 0 ? "pass" : "fail",
    },
  });
}
