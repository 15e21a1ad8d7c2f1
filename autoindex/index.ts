/**
 * Any folder to documents: walk by the ignore rules, tell text from binary, read declarations, references and records,
 * and keep the code indices of a node (or of any Elasticsearch or OpenSearch cluster) up to date with it.
 *
 * Speaks the wire through `client/` and writes the documents that `code/` describes; knows nothing of the engine.
 * Imported by `src` alone. Start reading at run/autoindex.ts; extract/outline.ts is how one text is read,
 * languages/index.ts the table to add a language to, skip.ts the table of reasons for leaving something out.
 */
export { describeHolder, folderState } from "./catalog/holder.js";
export type { DatasetEntry, FileEntry, FolderEntry } from "./catalog/manifest.js";
export { AutoindexError, type AutoindexProblem } from "./errors.js";
export { type BlamedLine, blameLines, type Introduction, introducedBy, type LineSpan } from "./git/blame.js";
export { GitError, type GitProblem } from "./git/command.js";
export { resolveScopes, type ScopeFindings, type ScopeFolder, type ScopeUse } from "./git/scopes.js";
export { LANGUAGES, type Language } from "./languages/index.js";
export {
  type AutoindexOptions,
  type AutoindexSummary,
  DEFAULT_MAX_DATASETS,
  DEFAULT_MAX_FILE_BYTES,
  type OnProgress,
  type Progress,
} from "./options.js";
export { autoindex } from "./run/autoindex.js";
export { explainPath, type PathExplanation } from "./run/explain-path.js";
export { oddNameNote } from "./run/identity.js";
export { listSkipped, type SkippedPath } from "./run/list-skipped.js";
export { type FolderPlan, planFolder } from "./run/plan-folder.js";
export { MOST_REFRESHED, refreshPaths } from "./run/refresh-paths.js";
export { type ReindexedFile, reindexFile } from "./run/reindex-file.js";
export { type RemovedFolder, removeFolder } from "./run/remove-folder.js";
export { explainStatus, type FileStatus, isSkipReason, SKIP_REASONS, type SkipReason } from "./skip.js";
export { type RegularFile, readRegularFile } from "./walk/index.js";
export { type BatchOutcome, type WatchNews, type WatchOptions, watchFolder } from "./watch/index.js";
