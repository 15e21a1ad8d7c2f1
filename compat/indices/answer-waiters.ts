/**
 * Whoever waits for the next refresh is answered when the node stops: an index that refreshes only when asked
 * (`refresh_interval: -1`) would keep it from stopping for as long as the client waits.
 */
import type { EngineFace } from "../../engine/index.js";

/** A write on its way may come to wait later than the others. */
const LOOK_AGAIN_MS = 200;

/** Refreshes the indices that somebody waits for, now and again until the returned function is called. */
export function answerWaiters(engine: EngineFace): () => void {
  const refreshing = new Set<string>();
  const look = () => {
    for (const name of engine.indexNames()) {
      const index = engine.index(name);
      if (!index || refreshing.has(name) || index.stats().refreshListeners === 0) continue;
      refreshing.add(name);
      // Where it fails they wait on; how long, is the server's matter.
      const done = () => refreshing.delete(name);
      index.refresh().then(done, done);
    }
  };
  look();
  const timer = setInterval(look, LOOK_AGAIN_MS);
  return () => clearInterval(timer);
}
