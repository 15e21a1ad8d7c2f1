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
import { declarationAt, declarationsWithSpan, pathsWithBlob } from "./declarations.js";
import { findName, findSpan, findText, type LineRange } from "./find-text.js";
import { commentAbove, commentLines, type IndexedComment } from "./leading-comment.js";
import type { Located, Place } from "./located.js";
import { columnOf, hasLongEdge, pieceOf } from "./piece.js";
import { spanHash, toLines, type WorkingFile } from "./working-file.js";
import type { Workspace } from "./workspace.js";

/** What to find: a locator, and what is known beside it when it comes from a hit. */
export interface Wanted {
  locator: Locator;
  repo: string;
  /** What the index has of it; absent for a locator that stands alone. */
  known?: Pick<CodeHit, "code" | "signature" | "startByte" | "startLine" | "comment" | "docStartLine">;
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
  const { locator, repo } = wanted;
  const file = await workspace.file(repo, locator.path);
  if (file.state === "out of sight") return asIndexed(workspace, wanted);
  if (file.state === "present") {
    if (file.blob.startsWith(locator.blob)) return sameBlob(workspace, wanted, file);
    await workspace.reindex(file.root, locator.path);
    const inFile = await inChangedFile(workspace, wanted, file);
    if (inFile !== undefined) return inFile;
  } else {
    await workspace.reindex(file.root, locator.path);
  }
  const elsewhere = await inOtherFile(workspace, wanted);
  if (elsewhere !== undefined) return elsewhere;
  const reason =
    file.state === "absent" ? `there is no ${locator.path} any more` : "the file no longer has this text or name";
  return { state: "gone", reason, verified: true };
}

async function sameBlob(workspace: Workspace, wanted: Wanted, file: PresentFile): Promise<Located> {
  const { locator } = wanted;
  // Bytes that are no UTF-8 were decoded by the indexer; its text is right, since the bytes are the same.
  if (file.lines === undefined) return { ...(await asIndexed(workspace, wanted)), verified: true };
  if (file.lines.length < locator.startLine) {
    return { state: "gone", reason: `${locator.path} has only ${file.lines.length} lines`, verified: true };
  }
  const place = await sameTextAt(workspace, wanted, { ...file, lines: file.lines, path: locator.path });
  return { state: "exact", place: { ...place, span: locator.span }, verified: true };
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
  const lines = file.lines;
  const text = known === undefined ? undefined : { ...knownText(known), startByte: undefined };
  const at = (range: LineRange, other?: KnownText) => placeIn(wanted, { ...file, lines }, range, other ?? text);
  const same =
    known === undefined ? findSpan(lines, locator.span, locator) : findText(lines, known.code, locator.startLine);
  if (same !== undefined) return moved(at(same), wanted);
  const path = { repo: wanted.repo, path: locator.path };
  const bySpan = await declarationAt(workspace.client, { ...path, blob: file.blob, span: locator.span });
  if (bySpan !== undefined) return moved(at(bySpan, bySpan), wanted);
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
      place: { ...at(byName, byName), span: byName.span },
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
    const file = await workspace.file(repo, path);
    if (
      path === locator.path ||
      file.state !== "present" ||
      file.lines === undefined ||
      !file.blob.startsWith(locator.blob)
    )
      continue;
    const place = await sameTextAt(workspace, wanted, { ...file, lines: file.lines, path });
    return { state: "moved file", place, from: locator.path, verified: true };
  }
  for (const found of await declarationsWithSpan(workspace.client, repo, locator.span)) {
    const file = await workspace.file(repo, found.path);
    if (found.path === locator.path || file.state !== "present" || file.lines === undefined || file.blob !== found.blob)
      continue;
    const own = placeIn(wanted, { ...file, lines: file.lines }, found, found);
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

function knownText({ code, startByte, startLine, comment, docStartLine }: NonNullable<Wanted["known"]>): KnownText {
  return { code, startByte, indexedComment: { comment, docStartLine, startLine } };
}
