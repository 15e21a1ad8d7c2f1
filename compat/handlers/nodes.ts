/** `_nodes`: what the one node is. Its numbers are in node-stats.ts. */
import { arch, availableParallelism, platform, release } from "node:os";
import { AGGREGATION_KINDS } from "../aggs/index.js";
import { hostOf, namesNode, nodesEnvelope, rolesOf } from "../cluster/node-names.js";
import { notSupported } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { nest } from "../indices/definition.js";
import { PROCESSORS } from "../ingest/index.js";
import { heapNumbers } from "../process/heap-stats.js";
import { threadPools } from "../stats/thread-pools.js";

type Part = (request: ApiRequest) => unknown;

/** By metric. */
const PARTS: Readonly<Record<string, Part>> = {
  settings: ({ node, parameters }) => {
    const flat = {
      "client.type": "node",
      "cluster.name": node.clusterName,
      "http.type.default": "netty4",
      "node.name": node.name,
      ...Object.fromEntries(Object.entries(node.attributes).map(([name, value]) => [`node.attr.${name}`, value])),
    };
    return parameters.boolean("flat_settings", false) ? flat : nest(flat);
  },
  os: () => ({
    refresh_interval_in_millis: 1_000,
    name: platform(),
    pretty_name: platform(),
    arch: arch(),
    version: release(),
    available_processors: availableParallelism(),
    allocated_processors: availableParallelism(),
  }),
  process: () => ({ id: process.pid, refresh_interval_in_millis: 1_000, mlockall: false }),
  jvm: ({ node }) => jvmInfo(node.startedAt),
  thread_pool: ({ node, identity }) =>
    Object.fromEntries(
      threadPools(node.engine, identity).map(({ name, type, threads }) => [
        name,
        type === "scaling"
          ? { type, core: threads, max: threads, keep_alive: "-1", queue_size: -1 }
          : { type, size: threads, queue_size: -1 },
      ]),
    ),
  transport: ({ node }) => ({ bound_address: [node.address()], publish_address: node.address(), profiles: {} }),
  http: ({ node }) => ({
    bound_address: [node.address()],
    publish_address: node.address(),
    max_content_length_in_bytes: node.maxContentBytes,
  }),
  plugins: () => [],
  modules: () => [],
  ingest: () => ({ processors: Object.keys(PROCESSORS).map((type) => ({ type })) }),
  aggregations: () =>
    Object.fromEntries(Object.keys(AGGREGATION_KINDS).map((kind) => [kind, { types: valueTypes(kind) }])),
};

/** Aggregations that read no field. */
const WITHOUT_FIELD: ReadonlySet<string> = new Set(["filter", "filters", "global"]);
/** And those that read any. */
const OF_ANY_VALUE: ReadonlySet<string> = new Set(["cardinality", "missing", "terms", "value_count"]);

/** Kinds of values that an aggregation takes, as Elasticsearch names them. */
function valueTypes(kind: string): readonly string[] {
  if (WITHOUT_FIELD.has(kind)) return ["other"];
  return OF_ANY_VALUE.has(kind) ? ["boolean", "date", "ip", "keyword", "numeric"] : ["boolean", "date", "numeric"];
}

/** There is no Java here: what runs is said in its place. */
function jvmInfo(startedAt: number): Record<string, unknown> {
  const { max, committed } = heapNumbers();
  return {
    pid: process.pid,
    version: process.versions.node,
    vm_name: "V8",
    vm_version: process.versions.v8,
    vm_vendor: "Node.js",
    start_time_in_millis: startedAt,
    mem: {
      heap_init_in_bytes: committed,
      heap_max_in_bytes: max,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: 0,
      direct_max_in_bytes: 0,
    },
    gc_collectors: ["young", "old"],
    memory_pools: ["young", "survivor", "old"],
    using_bundled_jdk: false,
    using_compressed_ordinary_object_pointers: "false",
    input_arguments: process.execArgv,
  };
}

/** A path's only segment is a metric if it is one, else a node expression. */
function split(request: ApiRequest): { nodes: string | undefined; metrics: readonly string[] } {
  const known = Object.keys(PARTS);
  const { node_id, metric } = request.captured;
  const single = node_id !== undefined && metric === undefined;
  const isMetric = single && node_id.split(",").every((one) => known.includes(one) || one === "_none");
  const asked = (isMetric ? node_id : metric)?.split(",") ?? ["_all"];
  for (const one of asked) {
    if (one !== "_all" && one !== "_none" && !known.includes(one))
      throw notSupported(`metric [${one}] of [${request.path}]`);
  }
  return { nodes: isMetric ? undefined : node_id, metrics: asked.includes("_all") ? known : asked };
}

/** `GET /_nodes`, with node and metric. */
export function nodesInfo(request: ApiRequest): Reply {
  const { node, identity } = request;
  const { nodes, metrics } = split(request);
  const matches = namesNode(request, nodes);
  const envelope = nodesEnvelope(request, matches);
  if (!matches) return json({ ...envelope, nodes: {} });
  const described = {
    name: node.name,
    transport_address: node.address(),
    host: hostOf(node),
    ip: hostOf(node),
    version: identity.version,
    ...(identity.distribution === undefined ? { build_flavor: "default" } : {}),
    build_type: "tar",
    build_hash: "pinakes0000000000000000000000000000000000",
    total_indexing_buffer: node.engine.resources.budget.indexingBuffer,
    roles: rolesOf(identity),
    attributes: node.attributes,
    ...Object.fromEntries(
      metrics.filter((metric) => Object.hasOwn(PARTS, metric)).map((metric) => [metric, PARTS[metric](request)]),
    ),
  };
  return json({ ...envelope, nodes: { [node.id]: described } });
}
