/**
 * Listings of what cannot exist here (jobs, policies, models): honestly empty, because clients ask for them when they start.
 * Whoever names one is told that it is not there; making one is refused by name, like every endpoint that is not built.
 */
import { ApiError } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { JsonObject } from "../json/value.js";

/** One listing. */
export interface Absent {
  readonly name: string;
  readonly routes: string;
  /** The whole listing. */
  readonly empty: JsonObject;
}

/** Sorted by name. Shapes of the Elasticsearch specification (Apache-2.0). */
export const ABSENT: readonly Absent[] = [
  { name: "ccr.get_auto_follow_pattern", routes: "GET /_ccr/auto_follow", empty: { patterns: [] } },
  { name: "connector.list", routes: "GET /_connector", empty: { count: 0, results: [] } },
  { name: "enrich.get_policy", routes: "GET /_enrich/policy ; GET /_enrich/policy/{id}", empty: { policies: [] } },
  { name: "features.get_features", routes: "GET /_features", empty: { features: [] } },
  { name: "inference.get", routes: "GET /_inference ; GET /_inference/_all", empty: { endpoints: [] } },
  {
    name: "ml.get_data_frame_analytics",
    routes: "GET /_ml/data_frame/analytics ; GET /_ml/data_frame/analytics/{id}",
    empty: { count: 0, data_frame_analytics: [] },
  },
  {
    name: "ml.get_data_frame_analytics_stats",
    routes: "GET /_ml/data_frame/analytics/_stats ; GET /_ml/data_frame/analytics/{id}/_stats",
    empty: { count: 0, data_frame_analytics: [] },
  },
  {
    name: "ml.get_datafeed_stats",
    routes: "GET /_ml/datafeeds/_stats ; GET /_ml/datafeeds/{id}/_stats",
    empty: { count: 0, datafeeds: [] },
  },
  {
    name: "ml.get_datafeeds",
    routes: "GET /_ml/datafeeds ; GET /_ml/datafeeds/{id}",
    empty: { count: 0, datafeeds: [] },
  },
  {
    name: "ml.get_job_stats",
    routes: "GET /_ml/anomaly_detectors/_stats ; GET /_ml/anomaly_detectors/{id}/_stats",
    empty: { count: 0, jobs: [] },
  },
  {
    name: "ml.get_jobs",
    routes: "GET /_ml/anomaly_detectors ; GET /_ml/anomaly_detectors/{id}",
    empty: { count: 0, jobs: [] },
  },
  {
    name: "ml.get_trained_models",
    routes: "GET /_ml/trained_models ; GET /_ml/trained_models/{id}",
    empty: { count: 0, trained_model_configs: [] },
  },
  {
    name: "ml.get_trained_models_stats",
    routes: "GET /_ml/trained_models/_stats ; GET /_ml/trained_models/{id}/_stats",
    empty: { count: 0, trained_model_stats: [] },
  },
  { name: "query_rules.list_rulesets", routes: "GET /_query_rules", empty: { count: 0, results: [] } },
  { name: "rollup.get_jobs", routes: "GET /_rollup/job ; GET /_rollup/job/{id}", empty: { jobs: [] } },
  {
    name: "search_application.list",
    routes: "GET /_application/search_application",
    empty: { count: 0, results: [] },
  },
  { name: "slm.get_lifecycle", routes: "GET /_slm/policy ; GET /_slm/policy/{id}", empty: {} },
  { name: "slm.get_status", routes: "GET /_slm/status", empty: { operation_mode: "STOPPED" } },
  { name: "synonyms.get_synonyms_sets", routes: "GET /_synonyms", empty: { count: 0, results: [] } },
  {
    name: "transform.get_transform",
    routes: "GET /_transform ; GET /_transform/{id}",
    empty: { count: 0, transforms: [] },
  },
  {
    name: "transform.get_transform_stats",
    routes: "GET /_transform/_stats ; GET /_transform/{id}/_stats",
    empty: { count: 0, transforms: [] },
  },
  { name: "watcher.query_watches", routes: "GET,POST /_watcher/_query/watches", empty: { count: 0, watches: [] } },
];

/** Patterns and `_all` match nothing, which is no error; a name is a 404. */
export function absent({ name, empty }: Absent): (request: ApiRequest) => Reply {
  return ({ captured }) => {
    const { id } = captured;
    if (id !== undefined && id !== "_all" && !id.includes("*")) {
      const kind = name.split(".")[0];
      throw new ApiError(404, "resource_not_found_exception", `[${id}] not found: there is no ${kind} in Pinakes`);
    }
    return json(empty);
  };
}
