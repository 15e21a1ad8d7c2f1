import { BYTES_PER_TOKEN, printable } from "../code/index.js";
import { ChangedHits, type LineSearch, type LocatedHit, locateHit } from "./ask-again.js";
import { callText } from "./call-text.js";
import { asksForCommits, runCommitSearch } from "./commit-search.js";
import {
  type Continuation,
  ContinuationError,
  DEEPEST,
  formatContinuation,
  parseContinuation,
} from "./continuation.js";
import { datasetHints, FEW_HITS, hintLines } from "./dataset-hints.js";
import { linesOfFile } from "./file-lines.js";
import { type AskedQuery, type Found, type FoundHit, findHits, searchOf } from "./find-hits.js";
import { chooseLevels, type Level } from "./levels.js";
import { explainNoHits } from "./no-hits.js";
import { type PlacedHit, withoutRepeats } from "./overlap.js";
import { cutText, FRAME_TOKENS, MAX_TOKENS, Page, sameBudget, wireBytes } from "./page.js";
import { renderFile } from "./render-file.js";
import { costsOf, hitRenderer, type Rendered } from "./render-hit.js";
import { warnOfUnknown } from "./unknown-values.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** Arguments of the tool `search`, checked by its schema. */
export interface SearchArguments {
  query?: string | string[];
  continuation?: string;
  limit: number;
  max_tokens: number;
  /** What the request's id adds to the frame: no argument of the client's. */
  id_tokens?: number;
}

/** Part of the budget that saying what was asked may take, and the continuation likewise. */
const SHARE = 6;

/** A search that was asked without query and continuation. */
export class NoQueryError extends Error {
  constructor() {
    super('search needs "query" (a text or a list of texts), or the "continuation" of an earlier answer');
    this.name = "NoQueryError";
  }
}

/** Answers the tool `search` within its budget. Throws for queries that cannot be read and nodes that do not answer. */
export async function runSearch(options: WorkspaceOptions, args: SearchArguments): Promise<string> {
  const given = args.query === undefined ? [] : [args.query].flat();
  const call = { queries: given, limit: args.limit };
  const start = args.continuation === undefined ? { ...call, offset: 0 } : parseContinuation(args.continuation, call);
  if (start.queries.length === 0) throw new NoQueryError();
  checkRoom(start, args);
  const workspace = await Workspace.open(options);
  if (asksForCommits(start.queries))
    return runCommitSearch(workspace, start, new Page(args.max_tokens, args.id_tokens));
  const found = await findHits(workspace, start.queries, start);
  await warnOfUnknown(workspace, found.queries);
  if (found.hits.length === 0 && start.offset === 0)
    return explainNoHits(workspace, found.queries, new Page(args.max_tokens, args.id_tokens));
  const hits = await renderAll(workspace, found);
  const isAll = start.offset === 0 && found.behind === 0 && found.hits.length <= FEW_HITS;
  const hints = isAll ? hintLines(await datasetHints(workspace, found.queries)) : [];
  const warnings = [...workspace.warnings, ...hints];
  return pack({ found, hits, start, maxTokens: args.max_tokens, idTokens: args.id_tokens, warnings });
}

/** A long continuation that came alone goes on alone: where it would leave no room for hits, that is said at once. */
function checkRoom(start: Continuation, { max_tokens: maxTokens, id_tokens: idTokens = 0 }: SearchArguments): void {
  if (!start.isAlone) return;
  const bytes = wireBytes(formatContinuation(start, 0));
  const needed = Math.ceil((bytes * 2) / BYTES_PER_TOKEN) + FRAME_TOKENS + idTokens;
  if (needed > maxTokens)
    throw new ContinuationError(`the continuation of so long a search needs max_tokens ${needed}`);
}

/** All hits as they are now: located side by side, then those that have changed one after another. */
async function renderAll(workspace: Workspace, { hits, queries }: Found): Promise<PlacedHit[]> {
  const placed = await Promise.all(
    hits.map(async (found) => ({
      found,
      located: found.file === undefined ? await locateHit(workspace, found.hit) : undefined,
    })),
  );
  const declarations = hits.filter(({ file }) => file === undefined);
  const changed = new ChangedHits(
    workspace,
    declarations.map(({ hit }) => hit),
  );
  const searches = await Promise.all(queries.map((query) => searchOf(workspace, query)));
  const rendered: PlacedHit[] = [];
  for (const { found, located } of placed) {
    const search = searches[found.foundBy[0] ?? 0];
    const note = noteOf(workspace, found, queries);
    if (located === undefined) rendered.push(await renderLines(workspace, search, { file: found.file, note }));
    else rendered.push(placedHit(await changed.settle(search, { hit: found.hit, located }), found, note));
  }
  return rendered;
}

function noteOf(workspace: Workspace, { hit, foundBy }: FoundHit, asked: readonly AskedQuery[]): string {
  const notes = [
    ...(asked.length > 1 ? [foundBy.map((number) => `[${number + 1}]`).join("")] : []),
    ...(workspace.repos.length > 1 && !asked.every(isOfOneRepo) ? [`repo ${hit.repo}`] : []),
  ];
  return notes.join("; ");
}

async function renderLines(
  workspace: Workspace,
  search: LineSearch,
  { file, note }: Pick<FoundHit, "file"> & { note: string },
): Promise<PlacedHit> {
  if (file === undefined) throw new Error("no file was found by its lines");
  const shown = { ...(await linesOfFile(workspace, search, file)), note };
  return { render: (seen) => renderFile(shown, seen), place: undefined };
}

function placedHit({ hit, located }: LocatedHit, { wanted, asked }: FoundHit, note: string): PlacedHit {
  const shown = { hit, located, wanted, asked, note };
  return { render: hitRenderer(shown), place: located.state === "gone" ? undefined : located.place };
}

/** Whether a query says which repository its hits are of. */
function isOfOneRepo({ query }: AskedQuery): boolean {
  return query.terms.some(
    (term) =>
      term.type === "key" &&
      term.key === "repo" &&
      !term.negated &&
      term.values.length === 1 &&
      !/[*?/]/.test(term.values[0]),
  );
}

interface PackRequest {
  found: Found;
  hits: PlacedHit[];
  start: Continuation;
  maxTokens: number;
  idTokens: number | undefined;
  warnings: readonly string[];
}

function pack(request: PackRequest): string {
  const { hits } = request;
  const page = new Page(request.maxTokens, request.idTokens);
  const { levels, rendered } =
    chooseAll(request, page.room) ?? chooseTexts(hits, page.room - framing(request, page.room));
  const share = Math.floor(page.room / SHARE);
  page.add(header(request, levels.length, share));
  levels.forEach((level, at) => {
    page.add(rendered[at][level] ?? rendered[at].lines);
  });
  if (levels.length === 0 && hits.length > 0) addNoneFits(page, request, share);
  else page.add(footer(request, levels.length, share));
  for (const note of notesOf(request)) page.add(`${cutText(note, share)}\n`);
  return page.text();
}

/** Levels with which all hits are shown, which needs no room for saying how to go on within them; undefined when they do not fit. */
function chooseAll(request: PackRequest, room: number): { levels: Level[]; rendered: Rendered[] } | undefined {
  const { hits } = request;
  const share = Math.floor(room / SHARE);
  const frame = header(request, hits.length, share) + footer(request, hits.length, share);
  const chosen = chooseTexts(hits, room - wireBytes(frame));
  return chosen.levels.length === hits.length ? chosen : undefined;
}

/** Bytes that an answer may need beside its hits. */
function framing(request: PackRequest, room: number): number {
  const share = Math.floor(room / SHARE);
  const longest = (text: (shown: number) => string) =>
    Math.max(wireBytes(text(request.hits.length)), wireBytes(text(0)));
  const head = longest((shown) => header(request, shown, share));
  return head + longest((shown) => footer(request, shown, share)) + SPARE;
}

/** Levels that leave out lines shown twice, and that were chosen for the texts without them. */
function chooseTexts(hits: readonly PlacedHit[], room: number): { levels: Level[]; rendered: Rendered[] } {
  const whole = hits.map((hit) => hit.render(new Set()));
  const first = chooseLevels(whole.map(costsOf), room);
  let levels = first;
  for (let round = 0; round < ROUNDS; round++) {
    const rendered = withoutRepeats(hits, levels);
    const next = chooseLevels(rendered.map(costsOf), room);
    if (next.join() === levels.join()) return { levels, rendered };
    levels = next;
  }
  // What is left out for a level that is not kept would be shown nowhere: then some lines are shown twice.
  return { levels: first, rendered: whole };
}

/** How often levels are chosen anew after repeats were left out. */
const ROUNDS = 5;

/** An answer without any hit says how to see the first one, and goes on behind it: else it would come again for ever. */
function addNoneFits(page: Page, request: PackRequest, share: number): void {
  const number = request.start.offset + 1;
  const needed = neededTokens(request);
  page.add(`hit ${number} needs ${needed === undefined ? "more than a page" : `max_tokens ${needed}`}\n`);
  page.add(footer(request, 1, share));
}

/** The smallest budget, in steps of ten, in which the location of the first hit fits. */
function neededTokens(request: PackRequest): number | undefined {
  const location = wireBytes(request.hits[0].render(new Set()).location);
  for (let tokens = request.maxTokens + 10; tokens <= MAX_TOKENS; tokens += 10) {
    const { room } = new Page(tokens, request.idTokens);
    if (location + framing(request, room) <= room) return Math.ceil(tokens / 10) * 10;
  }
  return undefined;
}

/** How much longer a continuation and a count may become with another offset; room for saying that no hit fits. */
const SPARE = 36;

function header({ found, start }: PackRequest, shown: number, share: number): string {
  const range = shown === 0 ? "no hit shown" : `hits ${start.offset + 1}-${start.offset + shown}`;
  return `${range} of ${cutText(printable(describe(found.queries, start)), share)}\n`;
}

/** How many hits each query has. Who has just asked knows the queries; who only goes on is told them. */
function describe(queries: AskedQuery[], { isAlone = false }: Continuation): string {
  const count = (query: AskedQuery) =>
    `${query.totalIs === "exact" ? "" : "at least "}${query.total}${isAlone ? ` for ${query.text}` : ""}`;
  if (queries.length === 1) return count(queries[0]);
  return queries.map((query, at) => `[${at + 1}] ${count(query)}`).join("; ");
}

function footer({ found, hits, start, maxTokens }: PackRequest, shown: number, share: number): string {
  const offset = start.offset + shown;
  if (shown === hits.length && found.behind === 0) return "";
  if (offset >= DEEPEST) return `more hits lie too deep: narrow the query with words or keys\n`;
  const left = found.behind + hits.length - shown;
  const atLeast = found.queries.length > 1 || found.queries[0].totalIs === "at least" ? "at least " : "";
  const continuation = formatContinuation({ ...start, offset }, share);
  const call = continuation.startsWith("@")
    ? `the same search with "continuation":"${continuation}"`
    : callText("search", { continuation, ...sameBudget({ maxTokens }) });
  return `${atLeast}${left} more; next: ${call}\n`;
}

function notesOf({ found, warnings }: PackRequest): string[] {
  const most = found.queries.filter(({ words }) => words === "most").map(({ text }) => text);
  const ignored = [...new Set(found.queries.flatMap(({ query }) => query.ignored))];
  return [
    ...(most.length > 0
      ? [`note: nothing holds all words of ${most.join("; ")}: these hold most of them, or names begin with them`]
      : []),
    ...(ignored.length > 0 ? [`note: punctuation alone is not searched: ${ignored.join(" ")}`] : []),
    ...warnings.map((warning) => `note: ${warning}`),
  ];
}
