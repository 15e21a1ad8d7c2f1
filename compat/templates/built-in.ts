/**
 * Templates that are there from the start for Elasticsearch's clients, which write to `logs-app-default` and the like and
 * expect a data stream of it (Logstash, Vector, OpenTelemetry and Elastic Agent do). They are made of component templates
 * under Elasticsearch's names, so that `logs@custom` extends them as its documentation says; what they map is our own
 * choice among the field types there are. A template that is put under one of the names stands in its place. OpenSearch
 * has none of this.
 */
import { readClusterSetting } from "../cluster/settings.js";
import type { Identity } from "../identities.js";
import type { JsonObject } from "../json/value.js";
import type { Node } from "../node.js";
import { allTemplates } from "./kept.js";
import type { ComponentTemplate, IndexTemplate, Templates } from "./template.js";

/** Who asks: templates differ by identity. */
export interface Viewer {
  readonly node: Pick<Node, "engine">;
  readonly identity: Identity;
}

/** The setting of the cluster that takes them away. */
export const BUILT_IN_SETTING = "stack.templates.enabled";

const MANAGED = { _meta: { managed: true }, version: 1 };

const COMMON: JsonObject = {
  date_detection: false,
  properties: {
    "@timestamp": { type: "date" },
    data_stream: {
      properties: { type: { type: "keyword" }, dataset: { type: "keyword" }, namespace: { type: "keyword" } },
    },
  },
};
/** Names of words and codes, as the Elastic Common Schema has them: to filter and count by, not to search in. */
const STRINGS: JsonObject = {
  dynamic_templates: [
    { strings_as_keyword: { match_mapping_type: "string", mapping: { type: "keyword", ignore_above: 1024 } } },
  ],
};
const LOGS: JsonObject = {
  properties: { message: { type: "text" }, log: { properties: { level: { type: "keyword", ignore_above: 1024 } } } },
};

const COMPONENTS: ReadonlyMap<string, ComponentTemplate> = new Map([
  ["data-streams@mappings", { template: { mappings: COMMON }, ...MANAGED }],
  ["ecs@mappings", { template: { mappings: STRINGS }, ...MANAGED }],
  ["logs@mappings", { template: { mappings: LOGS }, ...MANAGED }],
  ["metrics@mappings", { template: { mappings: {} }, ...MANAGED }],
  ["synthetics@mappings", { template: { mappings: {} }, ...MANAGED }],
]);

const INDICES: ReadonlyMap<string, IndexTemplate> = new Map(
  ["logs", "metrics", "synthetics"].map((type) => [type, builtIn(type)]),
);

/** Of a name `TYPE-DATASET-NAMESPACE`. */
function builtIn(type: string): IndexTemplate {
  const custom = `${type}@custom`;
  return {
    patterns: [`${type}-*-*`],
    composedOf: ["data-streams@mappings", `${type}@mappings`, custom, "ecs@mappings"],
    ignoreMissing: [custom],
    priority: 100,
    dataStream: { hidden: false, allowCustomRouting: false, timestampField: "@timestamp" },
    allowAutoCreate: true,
    ...MANAGED,
  };
}

/** All templates that somebody sees, those that are put before those that are built in. */
export function templatesSeen({ node: { engine }, identity }: Viewer): Templates {
  const kept = allTemplates(engine);
  const isOff = readClusterSetting(engine, BUILT_IN_SETTING) === "false";
  if (identity.distribution === "opensearch" || isOff) return kept;
  return {
    components: sorted([...COMPONENTS, ...kept.components]),
    indices: sorted([...INDICES, ...kept.indices]),
    legacy: kept.legacy,
  };
}

function sorted<T>(entries: readonly [string, T][]): Map<string, T> {
  return new Map([...new Map(entries)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
