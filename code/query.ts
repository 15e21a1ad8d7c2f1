/**
 * A code query as people and agents write it:
 *
 *     timeout handler "read only" def:Server.start lang:ts,js path:src/* -class:test
 *     /fn poll_\w+/ lang:rust (path:src/** or path:lib/**) -content:"unwrap()"
 *
 * Terms side by side must all hold; `or` between them and parentheses around them make alternatives; `-` takes away. Words
 * and "phrases" are found as the index cuts them, `/regex/` and `content:` on lines as they are written; keys narrow. A
 * list `a,b` means any of them. `std::vector` and `http://x` are words; any other `key:value` that should be a word is
 * quoted. docs/queries.md is the description for users; grammar/ reads it, this file is the way in.
 */
import { type Cursor, fault } from "./grammar/cursor.js";
import { MOST_TERMS, readEither } from "./grammar/expression.js";
import { normalForm } from "./grammar/normal-form.js";
import { isForWholeQuery } from "./grammar/print.js";
import { keyList } from "./grammar/terms.js";
import { hasWord } from "./identifier.js";
import { ownName } from "./own-name.js";
import { QueryError } from "./query-error.js";
import { queryKey } from "./query-keys.js";
import { type CodeQuery, leavesOf, type QueryLeaf, type QueryTerm, valuesOf } from "./query-terms.js";
import { readProse, tellingWords } from "./ranking/prose.js";

export { MOST_TERMS } from "./grammar/expression.js";
export { printQuery } from "./grammar/print.js";
export { QueryError } from "./query-error.js";
export type { CodeQuery, QueryTerm } from "./query-terms.js";

/** Longest query in UTF-16 units. */
export const LONGEST_QUERY = 10_000;

/**
 * Reads a query. Throws QueryError for an unknown key or value, an unclosed quote, parenthesis or brace, a parenthesis that
 * closes nothing, a key without value, an operator without its sides, nothing, or too much.
 */
export function parseQuery(text: string): CodeQuery {
  if (text.length > LONGEST_QUERY) {
    const reason = `a query has at most ${LONGEST_QUERY} characters, this one has ${text.length}`;
    throw new QueryError(`${reason}: search for its rarest words`, LONGEST_QUERY + 1, text);
  }
  const cursor: Cursor = { text, at: 0, depth: 0, open: 0 };
  const settings: PlacedSetting[] = [];
  let count = 0;
  const terms = readEither(cursor, (leaf, { at, negated }) => {
    count += leaf.type === "key" ? leaf.values.length : 1;
    if (count > MOST_TERMS)
      throw fault(cursor, `a query has at most ${MOST_TERMS} words and values: search for its rarest words`, at);
    if (isSetting(leaf)) settings.push({ key: leaf.key, count: leaf.values.length, negated, at });
  });
  const query = chosen(cursor, lifted(terms));
  checkSettings(cursor, query.terms, settings);
  return query;
}

/** Keys for the whole query, taken out of the sides of an `or`: `a or b case:yes` is `(a or b) case:yes`. */
function lifted(terms: readonly QueryTerm[]): QueryTerm[] {
  return terms.flatMap((term) => {
    if (term.type !== "group") return [term];
    const any = term.any.map((branch) => branch.filter((each) => !isForWholeQuery(each)));
    return [{ ...term, any }, ...term.any.flatMap((branch) => branch.filter(isForWholeQuery))];
  });
}

interface PlacedSetting {
  key: string;
  count: number;
  negated: boolean;
  at: number;
}

/** Sets punctuation aside, unless lines are searched as they are written. */
function chosen(cursor: Cursor, read: QueryTerm[]): CodeQuery {
  const ignored: string[] = [];
  const isKept = readsLines({ terms: read });
  const keep = (leaf: QueryTerm) => {
    if ((leaf.type !== "word" && leaf.type !== "phrase") || hasWord(leaf.text)) return true;
    if (isKept && leaf.text !== "") return true;
    ignored.push(leaf.text);
    return false;
  };
  const terms = normalForm(read, keep);
  if (!terms.some((term) => !isSetting(term)))
    throw fault(cursor, `nothing to search for: give a word, a "phrase", a /regex/ or a key (${keyList()})`, 0);
  return { terms, ignored };
}

/** Keys that change how the others are meant: once each, without a minus, and only where there is something to change. */
function checkSettings(cursor: Cursor, terms: readonly QueryTerm[], settings: readonly PlacedSetting[]): void {
  const isForSomething = leavesOf(terms).some(
    ({ leaf }) => leaf.type !== "key" && (leaf.type !== "regex" || leaf.on === "lines"),
  );
  settings.forEach(({ key, count, negated, at }, place) => {
    if (negated) throw fault(cursor, `${key}: cannot be taken away: write ${key}:yes or ${key}:no`, at);
    if (count > 1 || settings.findIndex((one) => one.key === key) < place)
      throw fault(cursor, `${key}: is for the whole query: give it once, with one value`, at);
    if (!isForSomething)
      throw fault(cursor, `${key}: is for words, "phrases", /regex/ and content:, and there are none`, at);
  });
}

/** `case:` or `word:`. */
function isSetting(term: QueryTerm): term is Extract<QueryLeaf, { type: "key" }> {
  return term.type === "key" && queryKey(term.key)?.place === "whole query";
}

/** How the patterns on lines are to be read. */
export interface LineSettings {
  case: "yes" | "no" | "auto";
  word: "yes" | "no";
}

/** What `case:` and `word:` say, or do not. */
export function lineSettings(query: Pick<CodeQuery, "terms">): LineSettings {
  const [sensitive = "auto"] = valuesOf(query, "case") as LineSettings["case"][];
  const [word = "no"] = valuesOf(query, "word") as LineSettings["word"][];
  return { case: sensitive, word };
}

/** Whether words and phrases are looked for on lines as they are written: with `case:yes` and `word:yes`. */
export function readsLines(query: Pick<CodeQuery, "terms">): boolean {
  const settings = lineSettings(query);
  return settings.case === "yes" || settings.word === "yes";
}

/** Keys whose values are names that stand on the lines of what they find. */
const NAME_KEYS: readonly string[] = ["sym", "def", "calls", "ref"];

/**
 * Texts of the words and phrases that must be there, for choosing lines. Names asked for by `sym:`, `def:`, `calls:` and
 * `ref:` count, but not their containers: these stand on other lines.
 */
export function wantedTexts(query: CodeQuery): string[] {
  const texts = leavesOf(query.terms).flatMap(({ leaf, wanted }) => {
    if (!wanted || leaf.type === "regex") return [];
    if (leaf.type !== "key") return [leaf.text];
    return NAME_KEYS.includes(leaf.key) ? leaf.values.map((value) => ownName(value.replaceAll("*", ""))) : [];
  });
  return query.prose === undefined ? texts : [...texts, ...tellingWords(readProse(query.prose))];
}

/** Lines of a hit that the frames of a stack trace or a compiler name, for showing them whatever stands there. */
export function wantedLines(
  { prose }: CodeQuery,
  hit: Readonly<{ path: string; startLine: number; endLine: number }>,
): number[] {
  if (prose === undefined) return [];
  const isOf = (end: string) => hit.path === end || hit.path.endsWith(`/${end}`);
  const lines = readProse(prose).places.flatMap(({ paths, line }) => (paths.some(isOf) ? [line] : []));
  return [...new Set(lines)].filter((line) => line >= hit.startLine && line <= hit.endLine);
}
