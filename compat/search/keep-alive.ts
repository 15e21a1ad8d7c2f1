/** How long readers may be left open: `search.max_keep_alive` of the cluster. */
import type { EngineFace } from "../../engine/index.js";
import { readClusterSetting } from "../cluster/settings.js";
import { illegalArgument } from "../errors.js";
import { parseDuration } from "../units.js";

const MAX_KEEP_ALIVE = "24h";

/** Throws ApiError 400 for a keep-alive that is longer than allowed; `text` is how it was written. */
export function checkKeepAlive(engine: EngineFace, millis: number | undefined, text: string): void {
  const limit = readClusterSetting(engine, "search.max_keep_alive") ?? MAX_KEEP_ALIVE;
  if (millis === undefined || millis <= parseDuration(limit, "search.max_keep_alive")) return;
  throw illegalArgument(
    `Keep alive for request (${text}) is too large. It must be less than (${limit}). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
  );
}
