import { isAbsolute } from "node:path";
import { INDEX, isLocator, type Locator, parseLocator } from "../code/index.js";
import { reposWithPath } from "./declarations.js";
import { locate } from "./locate.js";
import { type Located, locatorOf, stateNote } from "./located.js";
import { equals, sources } from "./node.js";
import { byteLength, cutText, Page } from "./page.js";
import { numbered } from "./render-hit.js";
import { toLines } from "./working-file.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** Arguments of the tool `read`, checked by its schema. */
export interface ReadArguments {
  locator?: string;
  path?: string;
  start_line?: number;
  end_line?: number;
  repo?: string;
  /** Blob that the lines were counted in, at least 12 hex digits: an earlier page's. */
  blob?: string;
  max_tokens: number;
}

/** A read that cannot be answered as it was asked; says what to do. */
export class ReadError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ReadError";
  }
}

/** Longest line shown whole, in bytes. */
const LINE_BYTES = 2_000;

/** Lines to show, what they are, and how the rest is asked for. */
interface Passage {
  title: string;
  lines: readonly string[];
  startLine: number;
  /** Arguments that lead to the same lines again, lines apart. */
  again: { path: string; repo?: string; blob?: string };
  /** Last line there is to go on to. */
  endLine: number;
}

/** Answers the tool `read` within its budget. Throws ReadError, LocatorError, WireError, ConnectionError. */
export async function runRead(options: WorkspaceOptions, args: ReadArguments): Promise<string> {
  const workspace = await Workspace.open(options);
  const page = new Page(args.max_tokens);
  const passage = await findPassage(workspace, args);
  if (typeof passage === "string") page.addCut(passage);
  else pack(page, passage);
  for (const warning of workspace.warnings) page.addCut(`note: ${warning}`);
  return page.text();
}

function findPassage(workspace: Workspace, args: ReadArguments): Promise<Passage | string> {
  if (args.locator !== undefined) return readLocator(workspace, parseLocator(args.locator), args.repo);
  if (args.path === undefined) throw new ReadError('read needs a "locator" from a search, or a "path" and lines');
  // A locator given as path is what was meant by it.
  if (isLocator(args.path)) return readLocator(workspace, parseLocator(args.path), args.repo);
  return readLines(workspace, { ...args, path: args.path });
}

async function readLocator(
  workspace: Workspace,
  locator: Locator,
  repo: string | undefined,
): Promise<Passage | string> {
  const home = repo ?? (await repoOf(workspace, locator.path, locator.blob));
  const refused = await workspace.refusal(home, locator.path);
  if (refused !== undefined) return refused;
  const located = await locate(workspace, { locator, repo: home });
  const note = stateNote(located);
  if (located.state === "gone") return `${locator.path} ${locator.qualifiedName}: ${note}`;
  return passageOf(workspace, located, note);
}

function passageOf(workspace: Workspace, located: Exclude<Located, { state: "gone" }>, note: string): Passage {
  const { place } = located;
  return {
    title: `${locatorOf(place)} (${note === "" ? "exact" : note})`,
    lines: place.lines,
    startLine: place.startLine,
    again: again(workspace, place),
    endLine: place.startLine + place.lines.length - 1,
  };
}

async function readLines(workspace: Workspace, args: ReadArguments & { path: string }): Promise<Passage | string> {
  const inFolder = isAbsolute(args.path) ? workspace.fileOf(args.path) : undefined;
  const path = inFolder?.path ?? args.path.replace(/^\.?\/+/, "");
  const repo = inFolder?.repo ?? args.repo ?? (await repoOf(workspace, path, args.blob));
  const file = await fileLines(workspace, repo, path);
  if (typeof file === "string") return file;
  const startLine = args.start_line ?? 1;
  const endLine = Math.min(args.end_line ?? file.lines.length, file.lines.length);
  if (startLine > endLine)
    return `${path} has ${file.lines.length} lines: there is nothing from ${startLine} to ${args.end_line ?? "the end"}`;
  const changed =
    args.blob !== undefined && !file.blob.startsWith(args.blob)
      ? ", changed since the earlier answer: its lines may have moved"
      : "";
  return {
    title: `${path}:${startLine}-${endLine} of ${file.lines.length} lines${file.verified ? "" : " (unverified)"}${changed}`,
    lines: file.lines.slice(startLine - 1, endLine),
    startLine,
    again: again(workspace, { repo, path, blob: file.blob }),
    endLine,
  };
}

/** A file's lines from disk, or from the index where the disk cannot be looked at; a text says why there are none. */
async function fileLines(workspace: Workspace, repo: string, path: string) {
  const file = await workspace.file(repo, path);
  const refused = await workspace.refusal(repo, path);
  if (refused !== undefined) return refused;
  if (file.state === "absent")
    return `there is no ${path} in ${repo}: search with path:${path.split("/").pop()} finds files of that name`;
  if (file.state === "present" && file.lines !== undefined)
    return { lines: file.lines, blob: file.blob, verified: true };
  const query = equals({ repo, path });
  const [indexed] = await sources<{ body: string; blob: string }>(workspace.client, INDEX.files, {
    query,
    size: 1,
    _source: ["body", "blob"],
  });
  if (indexed === undefined)
    return `the index has no ${path} in ${repo}${file.state === "present" ? "" : `, and ${file.reason}`}`;
  return {
    lines: toLines(indexed.body),
    blob: indexed.blob,
    verified: file.state === "present" && file.blob === indexed.blob,
  };
}

/** The repository a path belongs to: the only one; the one whose file has the blob; the first that has the file. */
async function repoOf(workspace: Workspace, path: string, blob: string | undefined): Promise<string> {
  const { repos } = workspace;
  if (repos.length === 1) return repos[0];
  const present: string[] = [];
  for (const repo of repos) {
    const file = await workspace.file(repo, path);
    if (file.state === "present") present.push(repo);
    if (file.state === "present" && blob !== undefined && file.blob.startsWith(blob)) return repo;
  }
  if (present.length === 1) return present[0];
  if (present.length > 1) throw new ReadError(`${path} is in several repositories: say "repo" (${present.join(", ")})`);
  const [indexed] = await reposWithPath(workspace.client, path);
  if (indexed !== undefined) return indexed;
  if (repos.length === 0) throw new ReadError("the index is empty: `pinakes up FOLDER` makes a folder searchable");
  return repos[0];
}

function again(workspace: Workspace, place: { repo: string; path: string; blob: string }): Passage["again"] {
  const { path, repo } = place;
  return { path, ...(workspace.repos.length > 1 ? { repo } : {}), blob: place.blob.slice(0, 12) };
}

function pack(page: Page, passage: Passage): void {
  const { lines, startLine, endLine, again } = passage;
  const next = (line: number) =>
    `${endLine - line + 1} more lines; next: read(${JSON.stringify({ ...again, start_line: line, end_line: endLine })})\n`;
  const short = (line: number) => `${endLine - line + 1} more lines, from line ${line}\n`;
  page.addCut(cutText(passage.title, Math.floor(page.room / 3)));
  // Where a long path would fill a small budget, the way on is told by line number alone.
  const foot = byteLength(next(endLine)) + 8 < page.room / 2 ? next : short;
  const reserved = Math.max(byteLength(foot(startLine)), byteLength(foot(endLine))) + 4;
  const whole = lines.reduce((sum, line, at) => sum + byteLength(numbered(startLine + at, line, LINE_BYTES)), 0);
  if (whole <= page.room) {
    lines.forEach((line, at) => {
      page.add(numbered(startLine + at, line, LINE_BYTES));
    });
    return;
  }
  page.reserve(reserved);
  let shown = 0;
  while (shown < lines.length && page.add(numbered(startLine + shown, lines[shown], LINE_BYTES))) shown++;
  if (shown === 0 && lines.length > 0) shown = addFirstCut(page, startLine, lines[0]);
  page.reserve(-reserved);
  if (shown < lines.length) page.add(foot(startLine + shown));
}

/** A first line too long for the budget is cut to it, so that every call gets further. */
function addFirstCut(page: Page, number: number, line: string): number {
  const room = page.room - byteLength(`${number}: \n`);
  return room > 0 && page.add(numbered(number, line, Math.min(LINE_BYTES, room))) ? 1 : 0;
}
