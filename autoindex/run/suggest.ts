import type { Client } from "../../client/index.js";
import {
  type DeclarationKind,
  INDEX,
  type NameUses,
  printQuery,
  QueryError,
  readQuery,
  usesByName,
} from "../../code/index.js";

const WANTED = 3;
const KINDS: readonly DeclarationKind[] = [
  "function",
  "method",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
];
/** Names that are looked at, the most used ones. */
const MAX_NAMES = 500;
const MIN_LENGTH = 6;
/** Characters of documentation that say something. */
const MIN_WORDS = 20;
/** More declarations than this, and a search for the name shows many things. */
const MAX_DECLARED = 2;

interface TermsAnswer {
  aggregations?: { names: { buckets: { key: string; doc_count: number }[] } };
}

/**
 * Queries for names worth searching for first: what the repository's own sources declare once and use often under a name of several
 * words, documented ones before others. A short name, or one declared in many places (`append`), says little.
 */
export async function suggestSearches(client: Client, repo: string): Promise<string[]> {
  const filter = [{ term: { repo } }, { term: { class: "source" } }];
  const uses = { terms: { kind: ["call", "instantiate", "inherit", "type"] } };
  const used = await mostUsed(client, [...filter, uses]);
  const candidates = used.filter(({ key }) => key.length >= MIN_LENGTH).map(({ key }) => key);
  const declared = await findDeclared(client, [...filter, { terms: { kind: KINDS } }, { terms: { name: candidates } }]);
  const ranked = candidates.filter((name) => declared.has(name));
  const rank = (name: string) => (isCompound(name) ? 0 : 2) + (declared.get(name) ? 0 : 1);
  // Sorting keeps the order of use among equals.
  const best = ranked.sort((a, b) => rank(a) - rank(b)).slice(0, WANTED);
  if (best.length >= WANTED) return best.map(asQuery);
  // Sources without references (prose, a language without a grammar) still declare something.
  const any = await countNames(client, INDEX.declarations, filter);
  return [...new Set([...best, ...any.map(({ key }) => key)])].slice(0, WANTED).map(asQuery);
}

/** A name as it is searched for: in quotes where it would be read as more than words (`-dash.sh` takes away). */
export function asQuery(name: string): string {
  return isReadAsWords(name) ? name : printQuery({ terms: [{ type: "phrase", text: name, negated: false }] });
}

function isReadAsWords(name: string): boolean {
  if (name.startsWith("-")) return false;
  try {
    return readQuery(name).terms.every(({ type, negated }) => type === "word" && !negated);
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

/** `readTimeout`, `read_timeout`, `ReadTimeout`: at least two words. */
function isCompound(name: string): boolean {
  return /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z]/.test(name);
}

/** Names that are declared in few places, each with whether words of an author say what it is. */
async function findDeclared(client: Client, filter: unknown[]): Promise<Map<string, boolean>> {
  const answer = await client.json<{ hits: { hits: { _source: { name: string; docstring?: string } }[] } }>(
    "POST",
    `/${INDEX.declarations}/_search`,
    { size: 2000, _source: ["name", "docstring"], track_total_hits: false, query: { bool: { filter } } },
  );
  const documented = new Map<string, boolean[]>();
  for (const { _source } of answer.hits.hits) {
    const { name, docstring = "" } = _source;
    documented.set(name, [...(documented.get(name) ?? []), docstring.length >= MIN_WORDS]);
  }
  const few = [...documented].filter(([, all]) => all.length <= MAX_DECLARED);
  return new Map(few.map(([name, all]) => [name, all.includes(true)]));
}

async function mostUsed(client: Client, filter: unknown[]): Promise<NameUses[]> {
  const answer = await client.json<{ aggregations?: { names: { buckets: NameUses[] } } }>(
    "POST",
    `/${INDEX.references}/_search`,
    { size: 0, query: { bool: { filter } }, aggs: { names: usesByName(MAX_NAMES) } },
  );
  return answer.aggregations?.names.buckets ?? [];
}

async function countNames(
  client: Client,
  index: string,
  filter: unknown[],
): Promise<{ key: string; doc_count: number }[]> {
  const answer = await client.json<TermsAnswer>("POST", `/${index}/_search`, {
    size: 0,
    query: { bool: { filter } },
    aggs: { names: { terms: { field: "name", size: MAX_NAMES } } },
  });
  return answer.aggregations?.names.buckets ?? [];
}
