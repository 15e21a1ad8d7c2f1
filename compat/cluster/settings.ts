/** Settings of the cluster: kept in the engine's metadata; those that act are named here, others are refused. */
import type { EngineFace } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { checkAutoCreateSetting } from "./auto-create.js";
import { applyBreakerSettings, checkBreakerSetting } from "./breaker-settings.js";

export type SettingsKind = "persistent" | "transient";

/** Sorted. What is not `read` anywhere is about other nodes, or about disks of other nodes. */
export const CLUSTER_SETTINGS: readonly string[] = [
  "action.auto_create_index",
  "action.destructive_requires_name",
  "cluster.max_shards_per_node",
  "cluster.routing.allocation.disk.threshold_enabled",
  "cluster.routing.allocation.enable",
  "cluster.routing.rebalance.enable",
  "indices.breaker.fielddata.limit",
  "indices.breaker.fielddata.overhead",
  "indices.breaker.request.limit",
  "indices.breaker.request.overhead",
  "indices.breaker.total.limit",
  "indices.recovery.max_bytes_per_sec",
  "network.breaker.inflight_requests.limit",
  "network.breaker.inflight_requests.overhead",
  "search.default_keep_alive",
  "search.max_buckets",
  "search.max_keep_alive",
  "stack.templates.enabled",
];

/** Settings whose other values would have to change behaviour that is not built. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  "search.max_buckets": ["65536", "65535"],
  "stack.templates.enabled": ["true", "false"],
};

const keyOf = (kind: SettingsKind): string => `cluster/settings/${kind}`;

/** Settings of one kind under dotted names. */
export function clusterSettings(engine: EngineFace, kind: SettingsKind): Record<string, string> {
  return (engine.metadata.get(keyOf(kind)) as Record<string, string> | undefined) ?? {};
}

/** The value in force: transient before persistent. */
export function readClusterSetting(engine: EngineFace, name: string): string | undefined {
  return clusterSettings(engine, "transient")[name] ?? clusterSettings(engine, "persistent")[name];
}

/** Flattens and checks a change; null takes a setting away. Throws ApiError 400 for a setting that is not known. */
export function readClusterChange(given: Json | undefined): Record<string, string | null> {
  const change: Record<string, string | null> = {};
  flatten(given ?? {}, "", (name, value) => {
    if (!CLUSTER_SETTINGS.includes(name) && !(value === null && name.includes("*"))) {
      throw illegalArgument(
        `persistent setting [${name}], not recognized or not supported by Pinakes${didYouMean(name, CLUSTER_SETTINGS)}`,
      );
    }
    const text = value === null ? null : String(value);
    const allowed = FIXED[name];
    if (text !== null && allowed !== undefined && !allowed.includes(text)) {
      throw illegalArgument(
        `setting [${name}] with value [${text}] is not supported by Pinakes: use one of [${allowed.join(", ")}]`,
      );
    }
    if (text !== null) {
      checkAutoCreateSetting(name, text);
      checkBreakerSetting(name, text);
    }
    change[name] = text;
  });
  return change;
}

function flatten(value: Json, path: string, visit: (name: string, value: Json) => void): void {
  if (!isObject(value)) {
    visit(path, value);
    return;
  }
  for (const [key, member] of Object.entries(value)) flatten(member, path === "" ? key : `${path}.${key}`, visit);
}

/** Applies changes and makes them durable. */
export async function changeClusterSettings(
  engine: EngineFace,
  changes: Readonly<Record<SettingsKind, Record<string, string | null>>>,
): Promise<void> {
  const records: Record<string, unknown> = {};
  for (const kind of ["persistent", "transient"] as const) {
    if (Object.keys(changes[kind]).length === 0) continue;
    const given = Object.entries(changes[kind]);
    const cleared = given.filter(([, value]) => value === null).map(([name]) => name);
    const kept = Object.entries(clusterSettings(engine, kind)).filter(
      ([name]) => !cleared.some((pattern) => clears(pattern, name)),
    );
    records[keyOf(kind)] = Object.fromEntries([...kept, ...given.filter(([, value]) => value !== null)]);
  }
  await engine.metadata.put(records);
  applyClusterSettings(engine);
}

/** Makes the node follow the settings that are kept: when it starts, and when they change. */
export function applyClusterSettings(engine: EngineFace): void {
  applyBreakerSettings(engine, (name) => readClusterSetting(engine, name));
}

function clears(pattern: string, name: string): boolean {
  return pattern === name || (pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1)));
}
