/**
 * Changes of what the cluster consists of (indices, aliases, templates, data streams) happen one after the other: each
 * reads what is there, decides, and makes its decision durable before the next one reads.
 */
import type { EngineFace } from "../../engine/index.js";

const last = new WeakMap<EngineFace, Promise<unknown>>();

/** Does the change when those before it are done; whether they failed is no matter. Must not be called within a change. */
export function inTurn<T>(engine: EngineFace, change: () => T | Promise<T>): Promise<T> {
  const done = (last.get(engine) ?? Promise.resolve()).then(change);
  last.set(
    engine,
    done.catch(() => undefined),
  );
  return done;
}
