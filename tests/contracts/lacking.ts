/** What the declarations require and Pinakes does not say: each with the reason, and what stands in for it here. */

interface Lack {
  /** The specification's name of the endpoint. */
  readonly name: string;
  /** Where in the answer, names parted by dots; `*` stands for every member. */
  readonly path: string;
  readonly standIn: unknown;
  readonly reason: string;
}

const ORDINALS = {
  standIn: { build_time_in_millis: 0 },
  reason: "ordinals over all segments are made by the searches that need them, and not timed apart",
};
const VERSIONS = "versions that nodes agree on before they talk to each other; there is one node";
const ONE_NODE = "settings of a cluster of several nodes; there is one";

export const LACKING: readonly Lack[] = [
  { name: "indices.stats", path: "_all.*.fielddata.global_ordinals", ...ORDINALS },
  { name: "indices.stats", path: "indices.*.*.fielddata.global_ordinals", ...ORDINALS },
  { name: "indices.stats", path: "indices.*.shards.*.*.fielddata.global_ordinals", ...ORDINALS },
  { name: "nodes.info", path: "nodes.*.component_versions", standIn: {}, reason: VERSIONS },
  { name: "nodes.info", path: "nodes.*.index_version", standIn: 0, reason: VERSIONS },
  { name: "nodes.info", path: "nodes.*.transport_version", standIn: 0, reason: VERSIONS },
  { name: "nodes.info", path: "nodes.*.settings.cluster.election", standIn: { strategy: "" }, reason: ONE_NODE },
  { name: "nodes.info", path: "nodes.*.settings.transport", standIn: { type: { default: "" } }, reason: ONE_NODE },
  {
    name: "nodes.info",
    path: "nodes.*.settings.node.attr",
    standIn: {},
    reason: "a node without attributes has no such settings",
  },
  { name: "nodes.stats", path: "nodes.*.indices.fielddata.global_ordinals", ...ORDINALS },
  {
    name: "nodes.stats",
    path: "nodes.*.http.routes",
    standIn: {},
    reason: "sizes and times of requests are not counted by route",
  },
  {
    name: "search",
    path: "profile.shards",
    standIn: [],
    reason: "a profile tells what was done here, which is nothing that Lucene does",
  },
  {
    name: "xpack.info",
    path: "license.expiry_date_in_millis",
    standIn: 0,
    reason: "the free licence never ends; Elasticsearch leaves this out too",
  },
];

/** The answer with stand-ins for what is lacking. Throws for something that is there: it has no place in the list. */
export function supply(name: string, answer: unknown): unknown {
  for (const { path, standIn } of LACKING.filter((lack) => lack.name === name)) fill(answer, path.split("."), standIn);
  return answer;
}

function fill(value: unknown, [key, ...rest]: readonly string[], standIn: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const object = value as Record<string, unknown>;
  if (rest.length === 0 && key in object) throw new Error(`[${key}] is not lacking any more`);
  if (rest.length === 0) object[key] = standIn;
  else for (const one of key === "*" ? Object.keys(object) : [key]) fill(object[one], rest, standIn);
}
