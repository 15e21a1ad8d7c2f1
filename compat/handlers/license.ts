/**
 * The licence that clients of Elasticsearch ask for before they begin: the free one, never ending. Logstash wants it active,
 * Kibana shows and polls no more than it allows (elastic/logstash#13506).
 */
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { BUILD_DATE, BUILD_HASH } from "./cluster.js";

const BASIC = { status: "active", type: "basic" } as const;

/** What Elasticsearch calls its features, and whether something of it is here. */
const FEATURES: Readonly<Record<string, boolean>> = {
  aggregate_metric: false,
  analytics: false,
  archive: false,
  ccr: false,
  data_streams: true,
  data_tiers: false,
  enrich: false,
  enterprise_search: false,
  eql: false,
  esql: false,
  gpu_vector_indexing: false,
  graph: false,
  ilm: false,
  logsdb: false,
  logstash: false,
  ml: false,
  monitoring: false,
  rollup: false,
  searchable_snapshots: false,
  security: false,
  slm: false,
  spatial: true,
  sql: false,
  transform: false,
  universal_profiling: false,
  voting_only: false,
  watcher: false,
};

/** `GET /_license` */
export function license({ node }: ApiRequest): Reply {
  return json({
    license: {
      status: BASIC.status,
      uid: node.clusterUuid,
      type: BASIC.type,
      issue_date: new Date(BUILD_DATE).toISOString(),
      issue_date_in_millis: Date.parse(BUILD_DATE),
      max_nodes: 1000,
      max_resource_units: null,
      issued_to: node.clusterName,
      issuer: "pinakes",
      start_date_in_millis: -1,
    },
  });
}

/** `GET /_license/basic_status`: it is in use, so there is nothing to start. */
export const basicStatus = (): Reply => json({ eligible_to_start_basic: false });

/** `GET /_license/trial_status` */
export const trialStatus = (): Reply => json({ eligible_to_start_trial: false });

/** `GET /_xpack`: `categories` are `build`, `license` and `features`, all unless it says which. */
export function xpackInfo({ node, parameters }: ApiRequest): Reply {
  const categories = parameters.list("categories") ?? ["build", "license", "features"];
  const features = Object.fromEntries(
    Object.entries(FEATURES).map(([name, here]) => [name, { available: here, enabled: here }]),
  );
  const parts = {
    build: { hash: BUILD_HASH, date: BUILD_DATE },
    license: { uid: node.clusterUuid, type: BASIC.type, mode: BASIC.type, status: BASIC.status },
    features,
  };
  const asked = Object.entries(parts).filter(([name]) => categories.includes(name));
  return json({ ...Object.fromEntries(asked), tagline: "You know, for X" });
}

/** `POST /_monitoring/bulk`: what Elasticsearch answers while the collection of monitoring data is switched off. */
export const monitoringBulk = (): Reply => json({ took: 0, ignored: true, errors: false });
