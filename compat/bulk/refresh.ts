/** What `refresh` asks for after a write. */
import type { EngineFace, Index } from "../../engine/index.js";
import { onIndex } from "../indices/gone.js";

export type RefreshPolicy = "true" | "false" | "wait_for";

/** Resolves when the written documents are searchable, as far as the policy wants that. */
export async function refreshAfterWrite(
  engine: EngineFace,
  indices: Iterable<Index>,
  policy: RefreshPolicy,
): Promise<void> {
  if (policy === "false") return;
  const refresh = (index: Index) => (policy === "true" ? index.refresh() : waitForRefresh(index));
  await Promise.all([...indices].map((index) => onIndex(engine, index, refresh)));
}

/**
 * Waits for the next refresh, at most one interval: what was written may have been refreshed already before the write
 * was acknowledged, and then no further one would come by itself.
 */
async function waitForRefresh(index: Index): Promise<void> {
  const interval = index.definition.refreshIntervalMs;
  if (interval < 0) return index.nextRefresh();
  let timer: NodeJS.Timeout | undefined;
  const forced = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => index.refresh().then(resolve, reject), interval);
  });
  try {
    await Promise.race([index.nextRefresh(), forced]);
  } finally {
    clearTimeout(timer);
  }
}
