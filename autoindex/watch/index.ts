/**
 * Keeping a folder's index up to date while its files change. Start reading at watch-folder.ts; folder-events.ts is what
 * the system tells, change-batches.ts what is dealt with together, watch-session.ts what is done for a batch.
 */
export { type WatchNews, type WatchOptions, watchFolder } from "./watch-folder.js";
export type { BatchOutcome } from "./watch-session.js";
