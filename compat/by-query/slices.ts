/** How many slices work side by side. */
import type { EngineFace, SearchTarget } from "../../engine/index.js";
import { shardsOf } from "../indices/settings.js";

/** The most that `auto` makes. */
const MOST_AUTO = 20;

/** `auto` is as many as the index with the fewest shards has, as in Elasticsearch. */
export function sliceCount(engine: EngineFace, targets: readonly SearchTarget[], wanted: number | "auto"): number {
  if (wanted !== "auto") return wanted;
  const shards = targets.map(({ index }) => shardsOf(engine.index(index)?.definition.settings ?? {}));
  return Math.max(1, Math.min(MOST_AUTO, ...shards));
}
