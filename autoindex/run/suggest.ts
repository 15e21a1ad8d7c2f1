import type { Client } from "../../client/index.js";
import { type DeclarationKind, INDEX } from "../../code/index.js";

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
/** More declarations than this, and a search for the name shows many things. */
const MAX_DECLARED = 2;

interface TermsAnswer {
  aggregations?: { names: { buckets: { key: string; doc_count: number }[] } };
}

interface Declared {
  name: string;
  kind: DeclarationKind;
  /** Whether words of the author say what it is. */
  documented: boolean;
}

/**
 * Names worth searching for first: what the repository's own sources declare once and use often under a name of several
 * words, documented ones before others. A short name, or one declared in many places (`append`), says little.
 */
export async function suggestSearches(client: Client, repo: string): Promise<string[]> {
  const filter = [{ term: { repo } }, { term: { class: "source" } }];
  const uses = { terms: { kind: ["call", "instantiate", "inherit", "type"] } };
  const used = await countNames(client, INDEX.references, [...filter, uses]);
  const candidates = used.filter(({ key }) => key.length >= MIN_LENGTH).map(({ key }) => key);
  const declared = await findDeclared(client, [...filter, { terms: { kind: KINDS } }, { terms: { name: candidates } }]);
  const ranked = candidates.filter((name) => declared.has(name));
  const rank = (name: string) => (isCompound(name) ? 0 : 2) + (declared.get(name)!.documented ? 0 : 1);
  // Sorting keeps the order of use among equals.
  const best = spread(
    ranked.sort((a, b) => rank(a) - rank(b)),
    declared,
  );
  if (best.length >= WANTED) return best;
  // Sources without references (prose, a language without a grammar) still declare something.
  const any = await countNames(client, INDEX.declarations, filter);
  return [...new Set([...best, ...any.map(({ key }) => key)])].slice(0, WANTED);
}

/** `readTimeout`, `read_timeout`, `ReadTimeout`: at least two words. */
function isCompound(name: string): boolean {
  return /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z]/.test(name);
}

/** The best, but not three of one kind: a class beside two functions shows more. */
function spread(names: string[], declared: ReadonlyMap<string, Declared>): string[] {
  const [first, second, ...rest] = names;
  if (first === undefined || second === undefined) return names;
  const isType = (name: string) => !["function", "method"].includes(declared.get(name)!.kind);
  const other =
    isType(first) === isType(second) ? rest.slice(0, 12).find((name) => isType(name) !== isType(first)) : rest[0];
  const third = other ?? rest[0];
  return third === undefined ? [first, second] : [first, second, third];
}

/** The declarations of names that are declared in few places. */
async function findDeclared(client: Client, filter: unknown[]): Promise<Map<string, Declared>> {
  const answer = await client.json<{ hits: { hits: { _source: Record<string, string> }[] } }>(
    "POST",
    `/${INDEX.declarations}/_search`,
    { size: 2000, _source: ["name", "kind", "docstring"], track_total_hits: false, query: { bool: { filter } } },
  );
  const byName = new Map<string, Declared[]>();
  for (const { _source } of answer.hits.hits) {
    const { name = "", kind, docstring = "" } = _source;
    const found = { name, kind: kind as DeclarationKind, documented: docstring.length >= 20 };
    byName.set(name, [...(byName.get(name) ?? []), found]);
  }
  const few = [...byName].filter(([, all]) => all.length <= MAX_DECLARED);
  return new Map(few.map(([name, all]) => [name, all.find(({ documented }) => documented) ?? all[0]!]));
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
