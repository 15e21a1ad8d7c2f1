/**
 * Backups: repositories in folders, snapshots made while writes go on, indices brought back from them. Uses the shard's
 * held commits and knows nothing of what lies in segments; used by engine.ts alone. Start reading at format.ts, the
 * repository's bytes, then service.ts.
 */
export { copyCommit } from "./copying.js";
export type { SnapshotHost } from "./host.js";
export type { Restored } from "./restoring.js";
export { Snapshots } from "./service.js";
