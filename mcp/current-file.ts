/**
 * Files that a search of lines found, as they are now. A file whose bytes are those that were indexed is as the index
 * says. A changed one is indexed again and asked anew; where nothing here can index, its lines are found here. What has
 * changed and can be checked in neither way is not shown.
 */
import { type CodeQuery, type FileHit, isFileHit, linesIn, wantedPatterns } from "../code/index.js";
import { askAgain, type LineSearch } from "./ask-again.js";
import { lineMatcher } from "./line-matcher.js";
import { madeLines } from "./made-text.js";
import type { WorkingFile } from "./working-file.js";
import type { Workspace } from "./workspace.js";

/** What is known of a file now; `hit` has its lines as they are. */
export type CurrentFile =
  | { state: "exact"; hit: FileHit; verified: boolean; branches?: readonly string[] }
  /** Its lines were found here, not by the index. */
  | { state: "changed"; hit: FileHit }
  | { state: "gone"; hit: FileHit; reason: string };

/** Looks at one file. */
export async function currentFile(workspace: Workspace, search: LineSearch, hit: FileHit): Promise<CurrentFile> {
  if (hit.inTree === false) return { state: "exact", hit, verified: true, branches: hit.branches ?? [] };
  const file = await workspace.file(hit.repo, hit.path, hit.blob);
  if (file.state === "out of sight") return outOfSight(workspace, hit, file);
  if (file.state === "present" && file.blob === hit.blob) return { state: "exact", hit, verified: true };
  const isIndexed = await workspace.reindex(file.root, hit.path);
  if (file.state === "absent") return { state: "gone", hit, reason: `there is no ${hit.path} any more` };
  const again = isIndexed ? (await askAgain(workspace, search, { ...hit, size: 1 })).find(isFileHit) : undefined;
  if (isIndexed && again === undefined)
    return { state: "gone", hit, reason: "the file has changed and is no longer found" };
  if (again?.blob === file.blob) return { state: "exact", hit: again, verified: true };
  return foundHere(workspace, search.query, hit, file);
}

async function outOfSight(
  workspace: Workspace,
  hit: FileHit,
  { archive }: Extract<WorkingFile, { state: "out of sight" }>,
): Promise<CurrentFile> {
  const verified = archive !== undefined && (await workspace.reindex(archive.root, archive.path));
  return { state: "exact", hit, verified };
}

async function foundHere(
  workspace: Workspace,
  query: CodeQuery,
  hit: FileHit,
  file: Extract<WorkingFile, { state: "present" }>,
): Promise<CurrentFile> {
  const matcher = await lineMatcher(wantedPatterns(query));
  // Lines of a notebook's own bytes are none of the text that was asked for.
  const isMade = (await madeLines(workspace, hit)) !== undefined;
  if (matcher === undefined || file.lines === undefined || isMade)
    return { state: "gone", hit, reason: "the file has changed since it was indexed, and could not be indexed again" };
  const most = Math.max(1, hit.lines.lines.filter(({ ranges }) => ranges.length > 0).length);
  const lines = linesIn(file.lines.join("\n"), matcher, most);
  if (lines.total === 0) return { state: "gone", hit, reason: "the file has changed and no longer has such a line" };
  return { state: "changed", hit: { ...hit, blob: file.blob, lines } };
}
