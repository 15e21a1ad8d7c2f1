/**
 * Repositories, branches and languages that a query names and the index has nothing of: a slip of the pen, or something
 * that was never indexed; and words whose wildcards are none. To be told beside the hits, for what such a value asks for is silently nothing.
 */

import { isCommitQuery } from "./commit-query.js";
import { INDEX } from "./documents.js";
import { nearest } from "./edit-distance.js";
import { KNOWN_LANGUAGES, languageNamed } from "./language-names.js";
import { valueClause } from "./line-patterns.js";
import { type Clause, keyClause } from "./query-clauses.js";
import { type CodeQuery, leavesOf, type QueryLeaf } from "./query-terms.js";
import type { ValuesAnswer, ValuesSearch } from "./values-search.js";
import { wildcardsInWords } from "./wildcard-words.js";

/** What names something that is in the index or not: the key, the field, and how it is called. */
const NAMING = [
  { key: "repo", field: "repo", noun: "repository" },
  { key: "branch", field: "branches", noun: "branch" },
  { key: "lang", field: "language", noun: "language" },
] as const;

type Naming = (typeof NAMING)[number];

interface NamedValue {
  naming: Naming;
  /** As it was written. */
  value: string;
  clause: Clause;
}

/** Most values of the index that are compared, and that are listed. */
const MOST_COMPARED = 1000;
const MOST_LISTED = 12;
/** A part of a name that says something: `c` is in very many. */
const SHORTEST_PART = 3;
/** Values of one query that are looked up. */
const MOST_ASKED = 20;

/** A sentence for each value that the index does not have, with what is near and what there is. */
export async function unknownValues(query: CodeQuery, search: ValuesSearch): Promise<string[]> {
  const isOfCommits = isCommitQuery(query);
  const index = isOfCommits ? INDEX.commits : INDEX.files;
  const asked = namedValues(query).filter(({ naming }) => !isOfCommits || naming.key !== "lang");
  const missing: NamedValue[] = [];
  for (const one of asked.slice(0, MOST_ASKED)) {
    const answer = await search(index, { size: 0, track_total_hits: 1, query: { bool: { filter: [one.clause] } } });
    if (answer !== undefined && totalOf(answer) === 0) missing.push(one);
  }
  const there = new Map<string, string[]>();
  for (const { naming } of missing) {
    if (!there.has(naming.key)) there.set(naming.key, await valuesOf(index, naming, search));
  }
  const what = isOfCommits ? "commit" : "file";
  const sentences = missing.flatMap(({ naming, value }) => {
    const known = there.get(naming.key) ?? [];
    // An index without anything has nothing to tell apart.
    return known.length === 0 && naming.key !== "branch" ? [] : [sentence({ what, naming, value, there: known })];
  });
  return isOfCommits ? sentences : [...sentences, ...(await wildcardsInWords(query, search))];
}

function namedValues({ terms }: CodeQuery): NamedValue[] {
  const values = leavesOf(terms).flatMap(({ leaf }) => namedIn(leaf));
  return [...new Map(values.map((one) => [`${one.naming.key}:${one.value}`, one])).values()];
}

function namedIn(leaf: QueryLeaf): NamedValue[] {
  if (leaf.type === "regex" && leaf.on === "repo")
    return [{ naming: NAMING[0], value: `/${leaf.pattern}/`, clause: valueClause("repo", leaf) }];
  const naming = leaf.type === "key" ? NAMING.find(({ key }) => key === leaf.key) : undefined;
  if (leaf.type !== "key" || naming === undefined) return [];
  return leaf.values.map((value) => ({ naming, value, clause: keyClause(naming.key, [value]) }));
}

async function valuesOf(index: string, { field }: Naming, search: ValuesSearch): Promise<string[]> {
  const aggs = { values: { terms: { field, size: MOST_COMPARED } } };
  const answer = await search(index, { size: 0, query: { match_all: {} }, aggs });
  return (answer?.aggregations?.values?.buckets ?? []).map(({ key }) => key);
}

interface Missing {
  what: "commit" | "file";
  naming: Naming;
  value: string;
  /** What the index has, the most frequent first. */
  there: readonly string[];
}

function sentence({ what, naming: { key, noun }, value, there }: Missing): string {
  const near = (key === "lang" ? nearLanguages(value, there) : nearValues(value, there)).filter(
    (other) => other !== value,
  );
  const meant = near.length === 0 ? "" : ` (did you mean ${[...new Set(near)].slice(0, 3).join(" or ")}?)`;
  const listed = there.slice(0, MOST_LISTED).join(", ");
  const more = there.length > MOST_LISTED ? ` and ${there.length - MOST_LISTED} more` : "";
  const others = there.length === 0 ? "no branch is known at all" : `there are: ${listed}${more}`;
  return `no ${what} of ${noun} ${value}${meant}; ${others}`;
}

function nearValues(value: string, there: readonly string[]): string[] {
  return [...nearest(value, there, 3), ...containing(value, there)];
}

/** Languages by their own names; of a short form that is known (`c#`) the one that it stands for. */
function nearLanguages(value: string, there: readonly string[]): string[] {
  const named = languageNamed(value);
  if (named !== value.toLowerCase()) return [named];
  const near = nearest(value, [...new Set([...there, ...KNOWN_LANGUAGES])], 3);
  return [...near.map((name) => (there.includes(name) ? name : languageNamed(name))), ...containing(value, there)];
}

/** `vite` of `vitejs/vite`, and the other way round. */
function containing(value: string, there: readonly string[]): string[] {
  const lower = value.toLowerCase().replaceAll("*", "");
  const holds = (whole: string, part: string) => part.length >= SHORTEST_PART && whole.includes(part);
  return there.filter((one) => holds(one.toLowerCase(), lower) || holds(lower, one.toLowerCase()));
}

function totalOf({ hits: { total } }: ValuesAnswer): number {
  return typeof total === "number" ? total : total.value;
}
