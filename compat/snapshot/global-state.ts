/** What `include_global_state` means: records of the node that a snapshot takes along, by the prefixes of their keys. */
import { COMPONENTS, INDICES, LEGACY } from "../templates/kept.js";

interface GlobalRecords {
  readonly prefix: string;
  /** `replaced`: what the snapshot has takes the place of all there is. `added`: it takes the place of what has the same key. */
  readonly restored: "replaced" | "added";
}

/**
 * Pipelines and stored scripts get their rows with their endpoints. Data streams come with their indices. Transient settings, aliases (they belong
 * to their indices), repositories and the node's identity stay out, as in Elasticsearch.
 */
export const GLOBAL_STATE: readonly GlobalRecords[] = [
  { prefix: "cluster/settings/persistent", restored: "replaced" },
  { prefix: COMPONENTS.prefix, restored: "replaced" },
  { prefix: INDICES.prefix, restored: "replaced" },
  { prefix: LEGACY.prefix, restored: "added" },
];

/** Changes of records that bring a snapshot's global state back; `present`: keys of all records there are now. */
export function restoredState(
  state: Readonly<Record<string, unknown>>,
  present: (prefix: string) => readonly string[],
): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const { prefix, restored } of GLOBAL_STATE) {
    if (restored === "replaced") for (const key of present(prefix)) changes[key] = undefined;
    for (const [key, value] of Object.entries(state)) if (key.startsWith(prefix)) changes[key] = value;
  }
  return changes;
}
