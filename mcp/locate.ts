/**
 * Where a piece of code is now. The ladder, best rung first:
 *
 *   same blob -> exact; same text elsewhere in the file -> moved; its name there with another text -> changed;
 *   same blob or text in another file -> moved file; else gone.
 *
 * Other text is never given silently. `verified` is false where the file could not be looked at (a remote node, a folder
 * on another machine): the answer is then what the index says.
 */
import type { CodeHit, Locator } from "../code/index.js";
import { declarationAt, declarationsWithSpan, type IndexedDeclaration, pathsWithBlob } from "./declarations.js";
import { findName, findSpan, findText, hasSpan, type LineRange } from "./find-text.js";
import { commentAbove, commentLines, type IndexedComment } from "./leading-comment.js";
import type { Located, Place } from "./located.js";
import { madeLines } from "./made-text.js";
import { columnOf, hasLongEdge, pieceOf } from "./piece.js";
import { spanHash, toLines, type WorkingFile } from "./working-file.js";
import type { Workspace } from "./workspace.js";

/** What to find: a locator, and what is known beside it when it comes from a hit. */
export interface Wanted {
  locator: Locator;
  repo: string;
  /** What the index has of it; absent for a locator that stands alone. */
  known?: Pick<CodeHit, "code" | "signature" | "startByte" | "startLine" | "comment" | "docStartLine"> &
    Pick<CodeHit, "branches" | "inTree">;
}

/** What is known of the text at a place: its code, where that begins in the file of now, its comment. */
interface KnownText {
  code: string;
  /** In UTF-8 bytes; absent where the file is another than the index read. */
  startByte?: number;
  indexedComment?: IndexedComment;
}

type PresentFile = Extract<WorkingFile, { state: "present" }>;

/** Climbs the ladder for one piece of code. */
export async function locate(workspace: Workspace, wanted: Wanted): Promise<Located> {
  const { locator, repo, known } = wanted;
  // What only another branch has is as it was committed, whatever the file of now says.
  if (known?.inTree === false) return onBranches(workspace, wanted, known.branches ?? []);
  const files = await workspace.files(repo, locator.path);
  const [first] = files;
  if (first.state === "out of sight")
    return first.archive ? inArchive(workspace, wanted, first.archive) : asIndexed(workspace, wanted);
  const same = files.find((file) => file.state === "present" && file.blob.startsWith(locator.blob));
  if (same?.state === "present") return sameBlob(workspace, wanted, same);
  for (const file of files) if (file.state !== "out of sight") await workspace.reindex(file.root, locator.path);
  for (const file of files) {
    const inFile = file.state === "present" ? await inChangedFile(workspace, wanted, file) : undefined;
    if (inFile !== undefined) return inFile;
  }
  const elsewhere = await inOtherFile(workspace, wanted);
  if (elsewhere !== undefined) return elsewhere;
  const reason =
    first.state === "absent" ? `there is no ${locator.path} any more` : "the file no longer has this text or name";
  return { state: "gone", reason, verified: true };
}

async function onBranches(workspace: Workspace, wanted: Wanted, branches: readonly string[]): Promise<Located> {
  const located = await asIndexed(workspace, wanted);
  return located.state === "exact" ? { ...located, branches, verified: true } : located;
}

/** A file inside an archive is what the index has of it, once the archive itself is known to be as it was read. */
async function inArchive(
  workspace: Workspace,
  wanted: Wanted,
  archive: { root: string; path: string },
): Promise<Located> {
  const isCurrent = await workspace.reindex(archive.root, archive.path);
  if (!isCurrent) return asIndexed(workspace, wanted);
  return { ...(await asIndexed(workspace, { ...wanted, known: undefined })), verified: true };
}

async function sameBlob(workspace: Workspace, wanted: Wanted, file: PresentFile): Promise<Located> {
  const { locator } = wanted;
  // Where the indexer made another text of the bytes (an encoding, a document) that one is right: the bytes are the same.
  const isRead = file.lines !== undefined && (await isOwnText(workspace, wanted, file.lines));
  if (file.lines === undefined || !isRead) return { ...(await asIndexed(workspace, wanted)), verified: true };
  if (file.lines.length < locator.startLine) {
    return { state: "gone", reason: `${locator.path} has only ${file.lines.length} lines`, verified: true };
  }
  const place = await sameTextAt(workspace, wanted, { ...file, lines: file.lines, path: locator.path });
  return { state: "exact", place: { ...place, span: locator.span }, verified: true };
}

/** Whether the lines of a file that has the locator's blob are the text that the index read in it. */
async function isOwnText(workspace: Workspace, wanted: Wanted, lines: readonly string[]): Promise<boolean> {
  const { locator, repo, known } = wanted;
  if (known !== undefined) return holdsCode(lines, locator, known);
  const { path, blob, span, startLine } = locator;
  if (hasSpan(lines, span, locator)) return true;
  const indexed = await declarationAt(workspace.client, { repo, path, blob, span, near: startLine });
  return indexed === undefined || holdsCode(lines, locator, indexed);
}

/**
 * Whether code stands in some lines where the index says it does. Code that begins in the midst of a line begins at the
 * very byte: a notebook on one line holds the text of all its cells, and is not the text that was read out of it.
 */
function holdsCode(
  lines: readonly string[],
  { startLine, endLine }: LineRange,
  { code, startByte }: { code: string; startByte: number },
): boolean {
  // A binary has a place in the index and no text; what its bytes would look like is not shown.
  if (code === "") return false;
  const held = lines.slice(startLine - 1, endLine);
  if (!held.join("\n").includes(code.replace(/\n$/, ""))) return false;
  const [first = ""] = held;
  const [own = ""] = toLines(code);
  if (first.trimStart().startsWith(own)) return true;
  const column = columnOf(lines, startLine, startByte);
  return column >= 0 && Buffer.from(first, "utf8").subarray(column).indexOf(own) === 0;
}

/** The locator's lines in a file that has its blob. A line that is long beside its code is cut to it, by the index. */
async function sameTextAt(workspace: Workspace, wanted: Wanted, file: TextFile & { path: string }): Promise<Place> {
  const { locator, repo, known } = wanted;
  const { startLine, endLine, span } = locator;
  const { path, blob } = file;
  let text = known === undefined ? undefined : knownText(known);
  if (text === undefined && hasLongEdge(file.lines.slice(startLine - 1, endLine)))
    text = await declarationAt(workspace.client, { repo, path, blob, span, near: startLine });
  return { ...placeIn(wanted, file, locator, text), path };
}

async function inChangedFile(workspace: Workspace, wanted: Wanted, file: PresentFile): Promise<Located | undefined> {
  if (file.lines === undefined) return undefined;
  const { locator, known } = wanted;
  const made = await madeLines(workspace, { repo: wanted.repo, path: locator.path, blob: file.blob });
  const lines = made ?? file.lines;
  const text = known === undefined ? undefined : { ...knownText(known), startByte: undefined };
  const at = (range: LineRange) => placeIn(wanted, { ...file, lines }, range, text);
  const same =
    known === undefined ? findSpan(lines, locator.span, locator) : findText(lines, known.code, locator.startLine);
  if (same !== undefined) return moved(at(same), wanted);
  const path = { repo: wanted.repo, path: locator.path };
  const bySpan = await declarationAt(workspace.client, { ...path, blob: file.blob, span: locator.span });
  if (bySpan !== undefined) return moved(declaredPlace(wanted, { ...file, lines }, bySpan), wanted);
  if (isUnnamed(locator)) return undefined;
  const byName = await declarationAt(workspace.client, {
    ...path,
    blob: file.blob,
    name: locator.qualifiedName,
    near: locator.startLine,
  });
  if (byName !== undefined) {
    return {
      state: "changed",
      place: { ...declaredPlace(wanted, { ...file, lines }, byName), span: byName.span },
      found: "by the index",
      verified: true,
    };
  }
  const { startLine, endLine } = locator;
  const guessed = findName(lines, locator.qualifiedName, { startLine, endLine, signature: known?.signature ?? "" });
  if (guessed === undefined) return undefined;
  const place = at(guessed);
  return {
    state: "changed",
    place: { ...place, span: spanHash(place.lines.join("\n")) },
    found: "by its name",
    verified: true,
  };
}

/** The same file, or the same text, under another path that is really there. */
async function inOtherFile(workspace: Workspace, wanted: Wanted): Promise<Located | undefined> {
  const { locator, repo } = wanted;
  for (const path of await pathsWithBlob(workspace.client, repo, locator.blob)) {
    const files = await workspace.files(repo, path);
    const file = files.find((one) => one.state === "present" && one.blob.startsWith(locator.blob));
    if (path === locator.path || file?.state !== "present" || file.lines === undefined) continue;
    const place = await sameTextAt(workspace, wanted, { ...file, lines: file.lines, path });
    return { state: "moved file", place, from: locator.path, verified: true };
  }
  for (const found of await declarationsWithSpan(workspace.client, repo, locator.span)) {
    const files = await workspace.files(repo, found.path);
    const file = files.find((one) => one.state === "present" && one.blob === found.blob);
    if (found.path === locator.path || file?.state !== "present" || file.lines === undefined) continue;
    const own = declaredPlace(wanted, { ...file, lines: file.lines }, found);
    const place = { ...own, path: found.path, qualifiedName: found.qualifiedName };
    return { state: "moved file", place, from: locator.path, verified: true };
  }
  return undefined;
}

/** The ladder over the index alone, for files that are not on this machine. */
async function asIndexed(workspace: Workspace, wanted: Wanted): Promise<Located> {
  const { locator, repo, known } = wanted;
  const verified = false;
  if (known !== undefined)
    return {
      state: "exact",
      place: { ...baseOf(wanted), lines: toLines(known.code), comment: commentLines(known) },
      verified,
    };
  const { client } = workspace;
  const path = { repo, path: locator.path };
  const exact = await declarationAt(client, {
    ...path,
    blob: locator.blob,
    span: locator.span,
    near: locator.startLine,
  });
  if (exact !== undefined) return { state: "exact", place: exact, verified };
  const same = await declarationAt(client, { ...path, span: locator.span, near: locator.startLine });
  if (same !== undefined) return { state: "moved", place: same, by: same.startLine - locator.startLine, verified };
  const named = isUnnamed(locator)
    ? undefined
    : await declarationAt(client, { ...path, name: locator.qualifiedName, near: locator.startLine });
  if (named !== undefined) return { state: "changed", place: named, found: "by the index", verified };
  const [other] = await declarationsWithSpan(client, repo, locator.span);
  if (other !== undefined) return { state: "moved file", place: other, from: locator.path, verified };
  return { state: "gone", reason: "the index has neither this text nor this name", verified };
}

/** Windows are called by their path; that is no name to find text by. */
function isUnnamed(locator: Locator): boolean {
  return locator.qualifiedName === "" || locator.qualifiedName === locator.path;
}

function moved(place: Place, wanted: Wanted): Located {
  return { state: "moved", place, by: place.startLine - wanted.locator.startLine, verified: true };
}

function baseOf({ locator, repo }: Wanted): Omit<Place, "lines"> {
  return { ...locator, repo };
}

/** A file of now, with its text. */
interface TextFile {
  blob: string;
  lines: string[];
}

function placeIn(wanted: Wanted, file: TextFile, { startLine, endLine }: LineRange, text?: KnownText): Place {
  const lines = file.lines.slice(startLine - 1, endLine);
  const place = { ...baseOf(wanted), blob: file.blob, startLine, endLine, lines };
  if (text === undefined) return place;
  const { code, startByte, indexedComment } = text;
  const comment = indexedComment === undefined ? [] : commentAbove(file.lines, startLine, indexedComment);
  if (!hasLongEdge(lines)) return { ...place, comment };
  const column = startByte === undefined ? -1 : columnOf(file.lines, startLine, startByte);
  return { ...place, comment, ...pieceOf(lines, code, column) };
}

/** The place of what the index has of this very file; its own text where it read another one than the bytes say. */
function declaredPlace(wanted: Wanted, file: TextFile, found: IndexedDeclaration): Place {
  if (holdsCode(file.lines, found, found)) return placeIn(wanted, file, found, found);
  const { startLine, endLine, lines, comment } = found;
  return { ...baseOf(wanted), blob: file.blob, startLine, endLine, lines, comment };
}

function knownText({ code, startByte, startLine, comment, docStartLine }: NonNullable<Wanted["known"]>): KnownText {
  return { code, startByte, indexedComment: { comment, docStartLine, startLine } };
}
