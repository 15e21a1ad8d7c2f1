/** Tables for people. */
import { catAliases, catCount, catHealth, catHelp, catIndices, catNodes, catShards } from "../handlers/cat.js";
import { CAT, INDEX_OPTIONS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const BY_INDEX: readonly ParameterName[] = [...CAT, ...INDEX_OPTIONS];

/** Sorted by name. */
export const CAT_ROWS: readonly Row[] = [
  ...endpoint("cat.aliases", "GET /_cat/aliases ; GET /_cat/aliases/{name}", {
    status: "full",
    missing: "",
    parameters: [...CAT, "expand_wildcards"],
    body: "none",
    privilege: "monitor",
    handler: catAliases,
    table: true,
  }),
  ...endpoint("cat.count", "GET /_cat/count ; GET /_cat/count/{index}", {
    status: "full",
    missing: "",
    parameters: BY_INDEX,
    body: "none",
    privilege: "monitor",
    handler: catCount,
    table: true,
  }),
  ...endpoint("cat.health", "GET /_cat/health", {
    status: "full",
    missing: "",
    parameters: [...CAT, "ts"],
    body: "none",
    privilege: "monitor",
    handler: catHealth,
    table: true,
  }),
  ...endpoint("cat.help", "GET /_cat", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "monitor",
    handler: catHelp,
    table: true,
  }),
  ...endpoint("cat.indices", "GET /_cat/indices ; GET /_cat/indices/{index}", {
    status: "partial",
    missing: "columns of statistics that are not kept",
    parameters: [...BY_INDEX, "health", "include_unloaded_segments", "pri"],
    body: "none",
    privilege: "monitor",
    handler: catIndices,
    table: true,
  }),
  ...endpoint("cat.nodes", "GET /_cat/nodes", {
    status: "partial",
    missing: "columns of statistics that are not kept",
    parameters: [...CAT, "full_id", "include_unloaded_segments", "timeout"],
    body: "none",
    privilege: "monitor",
    handler: catNodes,
    table: true,
  }),
  ...endpoint("cat.shards", "GET /_cat/shards ; GET /_cat/shards/{index}", {
    status: "partial",
    missing: "columns of statistics that are not kept",
    parameters: CAT,
    body: "none",
    privilege: "monitor",
    handler: catShards,
    table: true,
  }),
];
