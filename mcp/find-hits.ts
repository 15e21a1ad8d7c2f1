import {
  type CodeHit,
  type CodeQuery,
  type FileHit,
  isFileHit,
  isLineQuery,
  type LineSearchOptions,
  matchedTexts,
  patternError,
  readQuery,
  readsLines,
  type SearchHit,
  type SearchRequest,
  toSearchRequest,
  wantedLines,
  wantedTexts,
} from "../code/index.js";
import { DEEPEST } from "./continuation.js";
import { fileAsHit } from "./file-as-hit.js";
import { runRequest } from "./run-request.js";
import type { Workspace } from "./workspace.js";

/** A query with what became of it. */
export interface AskedQuery {
  text: string;
  query: CodeQuery;
  total: number;
  totalIs: "exact" | "at least";
  /** `most`: no hit holds all words, so these hold most of them. */
  words: "all" | "most";
}

/** A hit with the numbers (from 0) of the queries that found it. */
export interface FoundHit {
  /** A declaration; of a file that patterns on lines found, its first such line in the shape of one. */
  hit: CodeHit;
  foundBy: number[];
  /** What to look for in its lines: words of the query, and texts that patterns matched. */
  wanted: string[];
  /** Numbers of lines that a query names. */
  asked: number[];
  /** The file with all its lines, where patterns on lines found it; see current-file.ts for what it is now. */
  file?: FileHit;
}

/** One page of what the queries found together. */
export interface Found {
  queries: AskedQuery[];
  hits: FoundHit[];
  /** How many hits are known to lie behind this page: all of them with one query, at least so many with several. */
  behind: number;
}

/** Where to search, and what the clauses mean that only git can answer. */
export type SearchPlace = Pick<Workspace, "client" | "scopes">;

/** Searches for each query; the lists are taken in turns, each hit once. Throws QueryError, WireError, ConnectionError. */
export async function findHits(
  workspace: SearchPlace,
  texts: readonly string[],
  page: { offset: number; limit: number },
): Promise<Found> {
  const parsed = texts.map((text) => ({ text, query: readQuery(text) }));
  // With one query, the cluster pages; with several, the merged order needs the lists from their beginnings.
  const single = texts.length === 1;
  const range = single
    ? { from: page.offset, size: page.limit }
    : { from: 0, size: Math.min(DEEPEST, page.offset + page.limit + 1) };
  const asked = await Promise.all(parsed.map((one) => ask(workspace, one, range)));
  const merged = merge(asked);
  const hits = single ? merged : merged.slice(page.offset, page.offset + page.limit);
  const reached = page.offset + hits.length;
  return { queries: asked, hits, behind: Math.max(0, (single ? asked[0].total : merged.length) - reached) };
}

interface Answered extends AskedQuery {
  hits: SearchHit[];
}

async function ask(
  workspace: SearchPlace,
  one: { text: string; query: CodeQuery },
  range: { from: number; size: number },
): Promise<Answered> {
  try {
    return await askNode(workspace, one, range);
  } catch (error) {
    // What the node finds wrong with a pattern is told by its place in the query.
    throw (error instanceof Error && patternError(one.text, error.message)) || error;
  }
}

async function askNode(
  workspace: SearchPlace,
  one: { text: string; query: CodeQuery },
  range: { from: number; size: number },
): Promise<Answered> {
  const scopes = await workspace.scopes(one.query);
  const all = await search(workspace, one.query, { ...range, scopes, words: "all" });
  if (all.total > 0 || !mayAskForMost(one.query)) return { ...one, ...all, words: "all" };
  return { ...one, ...(await search(workspace, one.query, { ...range, scopes, words: "most" })), words: "most" };
}

/** Where nothing holds all words, most of several may do, and beginnings of names; not where they are looked for as they are written. */
function mayAskForMost(query: CodeQuery): boolean {
  const words = query.terms.filter((term) => term.type === "word" && !term.negated);
  return words.length > 0 && !isLineQuery(query) && !readsLines(query);
}

async function search({ client }: SearchPlace, query: CodeQuery, options: LineSearchOptions) {
  return runRequest(client, toSearchRequest(query, options), query);
}

/** The search that found the hits of a query, to ask again after a file has changed. */
export async function searchOf(
  workspace: SearchPlace,
  { query, words }: Pick<AskedQuery, "query" | "words">,
): Promise<{ query: CodeQuery; request: SearchRequest }> {
  const scopes = await workspace.scopes(query);
  return { query, request: toSearchRequest(query, { from: 0, size: 1, words, scopes }) };
}

/** Texts looked for in the lines of one hit, at most so many of those that patterns matched. */
const MOST_MATCHED = 20;

function merge(asked: readonly Answered[]): FoundHit[] {
  const byId = new Map<string, FoundHit>();
  const longest = Math.max(0, ...asked.map(({ hits }) => hits.length));
  for (let rank = 0; rank < longest; rank++) {
    asked.forEach(({ hits, query }, number) => {
      const hit = hits[rank];
      if (hit === undefined) return;
      // Each query has lines of its own in a file.
      const key = isFileHit(hit) ? `${number} ${hit.id}` : hit.id;
      const known = byId.get(key) ?? { ...asFound(hit), foundBy: [], wanted: [], asked: [] };
      known.foundBy.push(number);
      known.wanted.push(...wantedTexts(query));
      if (!isFileHit(hit)) known.asked.push(...wantedLines(query, hit));
      if (hit.lines !== undefined) known.wanted.push(...matchedTexts(hit.lines, MOST_MATCHED));
      byId.set(key, known);
    });
  }
  return [...byId.values()];
}

function asFound(hit: SearchHit): Pick<FoundHit, "hit" | "file"> {
  return isFileHit(hit) ? { hit: fileAsHit(hit), file: hit } : { hit };
}
