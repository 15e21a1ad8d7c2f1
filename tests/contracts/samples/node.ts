/** The node, the cluster, tables, pipelines, tasks. */
import type { Sample } from "../sample.js";

const cat = (name: string, path = name): Sample => ({
  name: `cat.${name}`,
  method: "GET",
  path: `/_cat/${path}${path.includes("?") ? "&" : "?"}format=json`,
});

export const NODE_SAMPLES: readonly Sample[] = [
  ...["aliases", "count", "health", "indices", "nodes", "shards", "templates"].map((name) => cat(name)),
  cat("indices", "indices?h=*"),
  cat("nodes", "nodes?h=*"),
  { name: "cluster.health", method: "GET", path: "/_cluster/health?level=shards" },
  { name: "cluster.state", method: "GET", path: "/_cluster/state" },
  { name: "cluster.get_settings", method: "GET", path: "/_cluster/settings?include_defaults=true" },
  {
    name: "cluster.put_settings",
    method: "PUT",
    path: "/_cluster/settings",
    body: { persistent: { "action.auto_create_index": "true" } },
  },
  { name: "nodes.info", method: "GET", path: "/_nodes" },
  { name: "nodes.stats", method: "GET", path: "/_nodes/stats" },
  { name: "tasks.list", method: "GET", path: "/_tasks?detailed=true" },
  {
    name: "delete_by_query",
    method: "POST",
    path: "/books/_delete_by_query?wait_for_completion=false",
    body: { query: { term: { tag: "none has it" } } },
    type: "DeleteByQueryResponse",
    label: "task",
  },
  { name: "tasks.get", method: "GET", path: (answers) => `/_tasks/${answers.task?.task}?wait_for_completion=true` },
  { name: "license.get", method: "GET", path: "/_license" },
  { name: "xpack.info", method: "GET", path: "/_xpack" },
  {
    name: "ingest.put_pipeline",
    method: "PUT",
    path: "/_ingest/pipeline/mark",
    body: { description: "marks", processors: [{ set: { field: "marked", value: true } }] },
  },
  { name: "ingest.get_pipeline", method: "GET", path: "/_ingest/pipeline/mark" },
  {
    name: "ingest.simulate",
    method: "POST",
    path: "/_ingest/pipeline/mark/_simulate",
    body: { docs: [{ _index: "books", _id: "1", _source: { n: 1 } }] },
  },
  {
    name: "ingest.simulate",
    method: "POST",
    path: "/_ingest/pipeline/_simulate?verbose=true",
    body: {
      pipeline: { processors: [{ set: { field: "a", value: 1 } }, { fail: { message: "no" } }] },
      docs: [{ _source: {} }],
    },
  },
  {
    name: "ilm.put_lifecycle",
    method: "PUT",
    path: "/_ilm/policy/keep",
    body: { policy: { phases: { hot: { actions: {} } } } },
  },
  { name: "ilm.get_lifecycle", method: "GET", path: "/_ilm/policy/keep" },
  {
    name: "monitoring.bulk",
    method: "POST",
    path: "/_monitoring/bulk?system_id=logstash&system_api_version=7&interval=10s",
    body: [{ index: { _type: "logstash_stats" } }, { n: 1 }],
  },
];

/** What removes things again. */
export const LAST_SAMPLES: readonly Sample[] = [
  { name: "cluster.put_component_template", method: "PUT", path: "/_component_template/free", body: { template: {} } },
  {
    name: "indices.put_index_template",
    method: "PUT",
    path: "/_index_template/free",
    body: { index_patterns: ["free-*"], priority: 501 },
  },
  { name: "ingest.delete_pipeline", method: "DELETE", path: "/_ingest/pipeline/mark" },
  { name: "indices.delete_template", method: "DELETE", path: "/_template/old" },
  { name: "indices.delete_index_template", method: "DELETE", path: "/_index_template/free" },
  { name: "cluster.delete_component_template", method: "DELETE", path: "/_component_template/free" },
  { name: "indices.delete", method: "DELETE", path: "/books" },
];
