import { isAbsolute } from "node:path";
import {
  fromPrintable,
  INDEX,
  isLocator,
  type Locator,
  LocatorError,
  parseLocator,
  wholeCharacters,
} from "../code/index.js";
import { callText } from "./call-text.js";
import { findFileEntry } from "./catalog.js";
import { reposWithPath, reposWithText } from "./declarations.js";
import { checkRepo } from "./known-repo.js";
import { locate } from "./locate.js";
import { type Located, locatorOf, stateNote } from "./located.js";
import { nearPaths, nearPathsNote } from "./near-paths.js";
import { equals, sources } from "./node.js";
import { byteLength, Page } from "./page.js";
import { addPassage, type Passage } from "./passage.js";
import { type AskedPassage, addBatch } from "./read-batch.js";
import { gitBlobId, toLines } from "./working-file.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** Arguments of the tool `read`, checked by its schema. */
export interface ReadArguments {
  locator?: string | string[];
  /** Of several locators, how many to pass over. */
  from?: number;
  path?: string;
  start_line?: number;
  end_line?: number;
  /** Bytes of the first line to pass over, and where in the last line to end. */
  start_byte?: number;
  end_byte?: number;
  repo?: string;
  /** Blob that the lines were counted in, at least 12 hex digits: an earlier page's. */
  blob?: string;
  max_tokens: number;
  /** What the request's id adds to the frame: no argument of the client's. */
  id_tokens?: number;
}

/** A read that cannot be answered as it was asked; says what to do. */
export class ReadError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ReadError";
  }
}

/** Most locators of one call. */
export const MOST_LOCATORS = 20;

/** What one place is asked by. */
type OneRead = Omit<ReadArguments, "locator" | "from" | "max_tokens" | "id_tokens"> & { locator?: string };

/** Answers the tool `read` within its budget. Throws ReadError, LocatorError, WireError, ConnectionError. */
export async function runRead(options: WorkspaceOptions, args: ReadArguments): Promise<string> {
  const { locator, from = 0, max_tokens: maxTokens, id_tokens: idTokens, ...rest } = args;
  if (!Array.isArray(locator) && from > 0) throw new ReadError('"from" goes with a list of locators');
  const workspace = await Workspace.open(options);
  checkRepo(workspace, rest.repo);
  const page = new Page(maxTokens, idTokens);
  if (Array.isArray(locator)) {
    const asked = await readAll(workspace, locator.slice(from), rest);
    if (asked.length === 0) page.addCut(`the list has ${locator.length} locators: there is none behind ${from}`);
    else addBatch(page, { asked, from, rest: { ...(rest.repo === undefined ? {} : { repo: rest.repo }) } });
  } else {
    const passage = await findPassage(workspace, { ...rest, locator });
    if (typeof passage === "string") page.addCut(passage);
    else addPassage(page, passage);
  }
  for (const warning of workspace.warnings) page.addCut(`note: ${warning}`);
  return page.text();
}

/** Each place, or why it cannot be read: one wrong locator does not cost the others their answer. */
async function readAll(workspace: Workspace, locators: readonly string[], rest: OneRead): Promise<AskedPassage[]> {
  const { repo, ...others } = rest;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new ReadError(`"${other}" goes with a "path", not with a list of locators`);
  const asked: AskedPassage[] = [];
  for (const locator of locators) {
    const found = await findPassage(workspace, { locator, repo }).catch((error: unknown) => {
      if (error instanceof ReadError || error instanceof LocatorError) return error.message;
      throw error;
    });
    asked.push({ locator, found });
  }
  return asked;
}

async function findPassage(workspace: Workspace, args: OneRead): Promise<Passage | string> {
  const isByLocator = args.locator !== undefined || isLocator(args.path ?? "");
  if (isByLocator && (args.start_byte ?? args.end_byte) !== undefined)
    throw new ReadError('"start_byte" and "end_byte" go with a "path" and lines, not with a locator');
  if (args.locator?.trim() === "") throw new ReadError('"locator" is empty: give one as a search printed it');
  if (args.locator !== undefined) return readLocator(workspace, parseLocator(args.locator), args);
  if (args.path === undefined) throw new ReadError('read needs a "locator" from a search, or a "path" and lines');
  if (args.path.trim() === "") throw new ReadError('"path" is empty: give the path of a file, such as "src/main.ts"');
  // A locator given as path is what was meant by it.
  if (isLocator(args.path)) return readLocator(workspace, parseLocator(args.path), args);
  return readLines(workspace, { ...args, path: args.path });
}

async function readLocator(
  workspace: Workspace,
  locator: Locator,
  { repo, start_line: from, end_line: to }: OneRead,
): Promise<Passage | string> {
  const home = repo ?? (await repoOf(workspace, locator.path, locator));
  const refused = await workspace.refusal(home, locator.path);
  if (refused !== undefined) return refused;
  const located = await locate(workspace, { locator, repo: home });
  const note = stateNote(located);
  if (located.state === "gone") {
    const file = await workspace.file(home, locator.path);
    const hint = file.state === "absent" ? "; a renamed file is found once its folder is indexed again" : "";
    return `${locator.path} ${locator.qualifiedName}: ${note}${hint}`;
  }
  return linesOf(passageOf(workspace, located, note), from, to);
}

/** Of a declaration, the lines that are asked for beside its locator, numbered as in its file. */
function linesOf(passage: Passage, from = passage.startLine, to = passage.endLine): Passage | string {
  const { title, lines, startLine, endLine, before, after } = passage;
  const [first, last] = [Math.max(from, startLine), Math.min(to, endLine)];
  if (first > last) return `${title} has nothing from line ${from} to ${to}`;
  return {
    ...passage,
    lines: lines.slice(first - startLine, last - startLine + 1),
    startLine: first,
    endLine: last,
    before: first === startLine ? before : 0,
    after: last === endLine ? after : 0,
  };
}

function passageOf(workspace: Workspace, located: Exclude<Located, { state: "gone" }>, note: string): Passage {
  const { place } = located;
  return {
    title: locatorOf(place),
    note: note === "" ? "exact" : note,
    lines: place.lines,
    startLine: place.startLine,
    again: again(workspace, place),
    goesOnBy: "lines",
    endLine: place.startLine + place.lines.length - 1,
    before: place.before ?? 0,
    after: place.after ?? 0,
  };
}

async function readLines(workspace: Workspace, args: OneRead & { path: string }): Promise<Passage | string> {
  const inFolder = isAbsolute(args.path) ? workspace.fileOf(args.path) : undefined;
  const isElsewhere = isAbsolute(args.path) && inFolder === undefined;
  const path = await recordedPath(workspace, args.repo, inFolder?.path ?? args.path.replace(/^\.?\/+/, ""));
  const named = inFolder?.repo ?? args.repo;
  const repo = named ?? (await repoOf(workspace, path, args.blob === undefined ? undefined : { blob: args.blob }));
  const file = await fileLines(workspace, repo, path);
  if (file === undefined) {
    const below = isAbsolute(args.path) || args.repo !== undefined ? undefined : workspace.fileBelowName(args.path);
    if (below !== undefined) return readLines(workspace, { ...args, ...below });
  }
  if (file === undefined) return absence(workspace, { path: isElsewhere ? args.path : path, repo: named, isElsewhere });
  if (typeof file === "string") return file;
  if (file.lines.length === 0) return `${path} is empty: it has 0 lines${file.verified ? "" : " (unverified)"}`;
  const startLine = args.start_line ?? 1;
  const endLine = Math.min(args.end_line ?? file.lines.length, file.lines.length);
  if (startLine > endLine)
    return `${path} has ${file.lines.length} lines: there is nothing from ${startLine} to ${args.end_line ?? "the end"}`;
  const changed =
    args.blob !== undefined && !file.blob.startsWith(args.blob)
      ? ["changed since the earlier answer: its lines may have moved"]
      : [];
  const piece = cutToBytes(file.lines.slice(startLine - 1, endLine), args);
  if (piece === undefined) {
    const length = byteLength(file.lines[startLine - 1]);
    return `line ${startLine} of ${path} has ${length} bytes: there is nothing from byte ${args.start_byte ?? 0} on`;
  }
  return {
    ...piece,
    title: `${path}:${startLine}-${endLine} of ${file.lines.length} lines`,
    note: [...(file.verified ? [] : ["unverified"]), ...changed].join(", "),
    startLine,
    again: again(workspace, { repo, path, blob: file.blob }),
    goesOnBy: "lines and bytes",
    endLine,
  };
}

/** A path as answers print it, which escape line ends and the like, leads to the file of that name if none is called so. */
async function recordedPath({ client }: Workspace, repo: string | undefined, given: string): Promise<string> {
  const plain = fromPrintable(given);
  if (plain === given || (await findFileEntry(client, repo, given)) !== undefined) return given;
  return (await findFileEntry(client, repo, plain)) === undefined ? given : plain;
}

/** Lines without the beginning of the first and the end of the last; undefined when that leaves nothing. */
function cutToBytes(
  lines: readonly string[],
  { start_byte: from = 0, end_byte: to }: { start_byte?: number; end_byte?: number },
): Pick<Passage, "lines" | "before" | "after"> | undefined {
  const cut = lines.map((line) => Buffer.from(line, "utf8"));
  const last = cut.length - 1;
  const length = cut[last].length;
  const end = wholeBytes(cut[last], to ?? length);
  const start = wholeBytes(cut[0], from);
  if (from > 0 && (from >= cut[0].length || (last === 0 && start >= end))) return undefined;
  cut[last] = cut[last].subarray(0, end);
  cut[0] = cut[0].subarray(start);
  return { lines: cut.map((line) => line.toString("utf8")), before: start, after: length - end };
}

/** The last end of a character at or before a byte of a line. */
function wholeBytes(line: Buffer, byte: number): number {
  return byteLength(wholeCharacters(line, 0, byte));
}

/** A file's lines from disk, or from the index where the disk cannot be looked at; undefined where there is none, a text says why. */
async function fileLines(workspace: Workspace, repo: string, path: string) {
  const file = await workspace.file(repo, path);
  const refused = await workspace.refusal(repo, path);
  if (refused !== undefined) return refused;
  if (file.state === "absent") return noFileAt(workspace, repo, path);
  const query = equals({ repo, path });
  if (file.state === "present" && file.lines !== undefined && !(await isMadeText(workspace, query, file.blob)))
    return { lines: isEmptyText(file.lines, file.blob) ? [] : file.lines, blob: file.blob, verified: true };
  // A file in an archive is what the index has of it, once the archive is known to be as it was read.
  const archive = file.state === "out of sight" ? file.archive : undefined;
  const isCurrent = archive !== undefined && (await workspace.reindex(archive.root, archive.path));
  const [indexed] = await sources<{ body: string; blob: string }>(workspace.client, INDEX.files, {
    query,
    size: 1,
    _source: ["body", "blob"],
  });
  if (indexed === undefined)
    return `the index has no ${path} in ${repo}${file.state === "present" ? "" : `, and ${file.reason}`}`;
  return {
    lines: indexed.body === "" ? [] : toLines(indexed.body),
    blob: indexed.blob,
    verified: isCurrent || (file.state === "present" && file.blob === indexed.blob),
  };
}

/** A text of no bytes, which one of a line end alone looks like once it is in lines. */
function isEmptyText(lines: readonly string[], blob: string): boolean {
  return lines.length === 1 && blob === EMPTY_BLOB;
}

const EMPTY_BLOB = gitBlobId(new Uint8Array());

/** What was met at a path and is no file (a pipe, a socket); undefined where nothing was. */
async function noFileAt(workspace: Workspace, repo: string, path: string): Promise<string | undefined> {
  const entry = await findFileEntry(workspace.client, repo, path);
  return entry?.status === "not_a_file" ? `${path} in ${repo} was left out of the index: ${entry.status}` : undefined;
}

/** That there is nothing at a path, and which paths are near. */
async function absence(
  workspace: Workspace,
  { path, repo, isElsewhere }: { path: string; repo: string | undefined; isElsewhere: boolean },
): Promise<string> {
  const folder = path.replace(/\/+$/, "");
  if (!isElsewhere && (await hasFilesBelow(workspace, folder, repo)))
    return `${folder} is a folder: ${callText("map", { path: folder })} says what is in it, search with path:${folder}/ finds there`;
  const near = nearPathsNote(await nearPaths(workspace.client, { path, repo, is: "file" }));
  if (isElsewhere) return `${path} lies in none of the indexed folders${near}`;
  return `there is no ${path} in ${repo ?? (workspace.repos.length === 1 ? workspace.repos[0] : "any repository")}${near}`;
}

async function hasFilesBelow({ client }: Workspace, path: string, repo: string | undefined): Promise<boolean> {
  const below = { prefix: { path: `${path}/` } };
  const query = { bool: { filter: [below, ...(repo === undefined ? [] : [{ term: { repo } }])] } };
  return (await sources(client, INDEX.files, { query, size: 1, _source: ["path"] })).length > 0;
}

/** Whether the indexer made a text of these bytes (of a notebook, of a message): its lines are those that hits name. */
async function isMadeText(workspace: Workspace, query: object, blob: string): Promise<boolean> {
  const body = { query, size: 1, _source: ["format", "blob"] };
  const [indexed] = await sources<{ format?: string; blob: string }>(workspace.client, INDEX.files, body);
  return indexed !== undefined && indexed.blob === blob && (indexed.format ?? "text") !== "text";
}

/**
 * The repository a path belongs to: the only one; the one whose file has the blob; the only one with such a file; the
 * one whose index has the path, or the text under another path.
 */
async function repoOf(
  workspace: Workspace,
  path: string,
  text: { blob: string; span?: string } | undefined,
): Promise<string> {
  const { repos } = workspace;
  if (repos.length === 1) return repos[0];
  const present: string[] = [];
  for (const repo of repos) {
    const file = await workspace.file(repo, path, text?.blob);
    if (file.state === "present") present.push(repo);
    if (file.state === "present" && text !== undefined && file.blob.startsWith(text.blob)) return repo;
  }
  if (present.length === 1) return present[0];
  if (present.length > 1) throw new ReadError(`${path} is in several repositories: say "repo" (${present.join(", ")})`);
  const [indexed] = await reposWithPath(workspace.client, path);
  if (indexed !== undefined) return indexed;
  const [holding] = text === undefined ? [] : await reposWithText(workspace.client, text);
  if (holding !== undefined) return holding;
  const met = await findFileEntry(workspace.client, undefined, path);
  if (met !== undefined) return met.repo;
  if (repos.length === 0) throw new ReadError("the index is empty: `pinakes up FOLDER` makes a folder searchable");
  return repos[0];
}

function again(workspace: Workspace, place: { repo: string; path: string; blob: string }): Passage["again"] {
  const { path, repo } = place;
  return { path, ...(workspace.repos.length > 1 ? { repo } : {}), blob: place.blob.slice(0, 12) };
}
