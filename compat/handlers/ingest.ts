/** Ingest pipelines over HTTP. */
import { type BodyOf, shape } from "../body/shape.js";
import { illegalArgument } from "../errors.js";
import { ACKNOWLEDGED, json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { GROK_PATTERNS, missingProperty, readDocuments, simulate } from "../ingest/index.js";
import { Exact } from "../json/print.js";
import type { JsonObject } from "../json/value.js";

/** `PUT /_ingest/pipeline/{id}` */
export async function putPipeline(request: ApiRequest, body: JsonObject): Promise<Reply> {
  const { node, captured, parameters } = request;
  await node.pipelines.put(captured.id, body, parameters.integer("if_version"));
  return ACKNOWLEDGED;
}

/** `GET /_ingest/pipeline/{id}`; names that mean nothing make an empty answer with status 404. */
export function getPipeline({ node, captured, parameters }: ApiRequest): Reply {
  const wanted = captured.id?.split(",").map((id) => id.trim()) ?? ["*"];
  const ids = node.pipelines.matching(wanted);
  const summary = parameters.boolean("summary", false);
  const shown = ids.map((id) => [id, summary ? {} : new Exact(node.pipelines.config(id) ?? "{}")]);
  const found = ids.length > 0 || captured.id === undefined || wanted.includes("*");
  return json(Object.fromEntries(shown), found ? 200 : 404);
}

/** `DELETE /_ingest/pipeline/{id}` */
export async function deletePipeline({ node, captured }: ApiRequest): Promise<Reply> {
  await node.pipelines.delete(captured.id);
  return ACKNOWLEDGED;
}

/** The body of `_simulate`. */
export const SIMULATE_SHAPE = shape("simulate", "object", { pipeline: "object", docs: "any" });

const SIMULATED = "_simulate_pipeline";

/** `POST /_ingest/pipeline/_simulate`, of a pipeline that is kept or one in the body. */
export function simulatePipeline(request: ApiRequest, body: BodyOf<typeof SIMULATE_SHAPE>): Reply {
  const { node, captured, parameters, identity } = request;
  const { pipelines } = node;
  const pipeline = captured.id === undefined ? compiledFrom(request, body.pipeline) : pipelines.get(captured.id);
  if (pipeline === undefined) throw illegalArgument(`pipeline [${captured.id}] does not exist`);
  const documents = readDocuments(body.docs, node);
  // Documents may grow, and are shown after each processor: twice a body is plenty to look at.
  const room = { left: 2 * node.maxContentBytes };
  const simulation = { pipelines, pipeline, verbose: parameters.boolean("verbose", false), identity, room };
  return json({ docs: documents.map((document) => simulate(simulation, document)) });
}

function compiledFrom({ node }: ApiRequest, config: JsonObject | undefined) {
  if (config === undefined) throw missingProperty("pipeline");
  return node.pipelines.compile(SIMULATED, config);
}

/** `GET /_ingest/geoip/stats`: there are no databases of places here, and none are fetched. */
export function geoIpStats(): Reply {
  const stats = {
    successful_downloads: 0,
    failed_downloads: 0,
    total_download_time: 0,
    databases_count: 0,
    skipped_updates: 0,
    expired_databases: 0,
  };
  return json({ stats, nodes: {} });
}

/** `GET /_ingest/processor/grok`: the patterns that grok knows. */
export function grokPatterns({ parameters }: ApiRequest): Reply {
  const entries = Object.entries(GROK_PATTERNS);
  if (parameters.boolean("s", false)) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return json({ patterns: Object.fromEntries(entries) });
}
