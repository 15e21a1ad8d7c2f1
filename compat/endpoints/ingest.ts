/** Ingest pipelines. */
import {
  deletePipeline,
  geoIpStats,
  getPipeline,
  grokPatterns,
  putPipeline,
  SIMULATE_SHAPE,
  simulatePipeline,
} from "../handlers/ingest.js";
import { CLUSTER_WAITS } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

/** Sorted by name. */
export const INGEST_ROWS: readonly Row[] = [
  ...endpoint("ingest.delete_pipeline", "DELETE /_ingest/pipeline/{id}", {
    status: "full",
    missing: "",
    parameters: CLUSTER_WAITS,
    body: "none",
    privilege: "manage",
    handler: deletePipeline,
  }),
  ...endpoint("ingest.geo_ip_stats", "GET /_ingest/geoip/stats", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: geoIpStats,
  }),
  ...endpoint("ingest.get_pipeline", "GET /_ingest/pipeline ; GET /_ingest/pipeline/{id}", {
    status: "full",
    missing: "",
    parameters: [...CLUSTER_WAITS, "summary"],
    body: "none",
    privilege: "monitor",
    handler: getPipeline,
  }),
  ...endpoint("ingest.processor_grok", "GET /_ingest/processor/grok", {
    status: "partial",
    missing: "patterns for rare logs, and those of ECS",
    parameters: ["s"],
    body: "none",
    privilege: "monitor",
    handler: grokPatterns,
  }),
  ...endpoint("ingest.put_pipeline", "PUT /_ingest/pipeline/{id}", {
    status: "partial",
    missing: "processors that want models, databases, users, scripts or shapes, by name (docs/ingest.md)",
    parameters: [...CLUSTER_WAITS, "if_version"],
    body: "json",
    privilege: "manage",
    handler: putPipeline,
  }),
  ...endpoint("ingest.simulate", "GET,POST /_ingest/pipeline/_simulate ; GET,POST /_ingest/pipeline/{id}/_simulate", {
    status: "full",
    missing: "",
    parameters: ["verbose"],
    body: SIMULATE_SHAPE,
    privilege: "read",
    handler: simulatePipeline,
  }),
];
