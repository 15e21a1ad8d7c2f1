import type { Client } from "../client/index.js";
import { type CodeHit, type CodeQuery, INDEX, parseHits, parseQuery, toSearch, wantedTexts } from "../code/index.js";
import { DEEPEST } from "./continuation.js";
import { searchIndex } from "./node.js";

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
  hit: CodeHit;
  foundBy: number[];
  wanted: string[];
}

/** One page of what the queries found together. */
export interface Found {
  queries: AskedQuery[];
  hits: FoundHit[];
  /** How many hits are known to lie behind this page: all of them with one query, at least so many with several. */
  behind: number;
}

/** Searches for each query; the lists are taken in turns, each hit once. Throws QueryError, WireError, ConnectionError. */
export async function findHits(
  client: Client,
  texts: readonly string[],
  page: { offset: number; limit: number },
): Promise<Found> {
  const parsed = texts.map((text) => ({ text, query: parseQuery(text) }));
  // With one query, the cluster pages; with several, the merged order needs the lists from their beginnings.
  const single = texts.length === 1;
  const range = single
    ? { from: page.offset, size: page.limit }
    : { from: 0, size: Math.min(DEEPEST, page.offset + page.limit + 1) };
  const asked = await Promise.all(parsed.map((one) => ask(client, one, range)));
  const merged = merge(asked);
  const hits = single ? merged : merged.slice(page.offset, page.offset + page.limit);
  const reached = page.offset + hits.length;
  return { queries: asked, hits, behind: Math.max(0, (single ? asked[0].total : merged.length) - reached) };
}

interface Answered extends AskedQuery {
  hits: CodeHit[];
}

async function ask(
  client: Client,
  one: { text: string; query: CodeQuery },
  range: { from: number; size: number },
): Promise<Answered> {
  const all = await search(client, one.query, { ...range, words: "all" });
  const words = one.query.terms.filter((term) => term.type === "word" && !term.negated);
  if (all.total > 0 || words.length < 2) return { ...one, ...all, words: "all" };
  return { ...one, ...(await search(client, one.query, { ...range, words: "most" })), words: "most" };
}

async function search(
  client: Client,
  query: CodeQuery,
  options: { from: number; size: number; words: "all" | "most" },
) {
  const answer = await searchIndex<unknown>(client, INDEX.declarations, toSearch(query, options));
  return answer === undefined ? { total: 0, totalIs: "exact" as const, hits: [] } : parseHits(answer);
}

function merge(asked: readonly Answered[]): FoundHit[] {
  const byId = new Map<string, FoundHit>();
  const longest = Math.max(0, ...asked.map(({ hits }) => hits.length));
  for (let rank = 0; rank < longest; rank++) {
    asked.forEach(({ hits, query }, number) => {
      const hit = hits[rank];
      if (hit === undefined) return;
      const known = byId.get(hit.id) ?? { hit, foundBy: [], wanted: [] };
      known.foundBy.push(number);
      known.wanted.push(...wantedTexts(query));
      byId.set(hit.id, known);
    });
  }
  return [...byId.values()];
}
