/**
 * How terms are put together. Lowest first:
 *
 *     either  =  all { "or" all }
 *     all     =  signed { ["AND"] signed }
 *     signed  =  { "-" | "NOT" } ( "(" either ")" | term )
 *
 * `or` and `OR` are the same. `NOT` and `AND` are words unless in capitals, for these words stand in questions and
 * messages; `not` takes away, too, where a parenthesis, a quote, a key or a regular expression follows at once.
 */
import type { QueryGroup, QueryLeaf, QueryTerm } from "../query-terms.js";
import { type Cursor, fault, isAtEnd, peek, skipSpace, take, takeRegex } from "./cursor.js";
import { KEY, readLeaf } from "./terms.js";

/** How deep parentheses may lie in one another. */
export const DEEPEST = 20;
/** Most words, phrases, patterns and values of keys in one query: each is a clause of the search. */
export const MOST_TERMS = 100;

/** Told of each leaf as it is read: the place where it begins, and whether signs directly before it take it away. */
type Visit = (leaf: QueryLeaf, found: { at: number; negated: boolean }) => void;

const OR = /(?:or|OR)(?=[\s()]|$)/y;
const AND = /AND(?=[\s()]|$)/y;
const NOT = /NOT(?=[\s()]|$)|not(?=\s*[("]|\s+\/\S|\s+[A-Za-z][A-Za-z_-]*:[^\s:/])/y;
/** A minus before a digit, an arrow or a space is text. */
const MINUS = /-(?=[\p{L}_$"@./(])/uy;
/** The beginning of a term that a minus takes away. */
export const MINUS_MAY_PRECEDE = /^[\p{L}_$"@./(]/u;

/** Reads as far as the text goes, or to the parenthesis that closes the group; `visit` sees each leaf as it is read. */
export function readEither(cursor: Cursor, visit: Visit): QueryTerm[] {
  const branches = [readAll(cursor, visit)];
  while (skipSpace(cursor)) {
    const at = cursor.at;
    if (take(cursor, OR) === null) break;
    if (branches.at(-1)?.length === 0) throw loneOperator(cursor, at, "before");
    branches.push(readAll(cursor, visit));
    if (branches.at(-1)?.length === 0) throw loneOperator(cursor, at, "behind");
  }
  return branches.length === 1 ? branches[0] : [{ type: "group", any: branches, negated: false }];
}

function readAll(cursor: Cursor, visit: Visit): QueryTerm[] {
  const terms: QueryTerm[] = [];
  while (skipSpace(cursor) && !(cursor.depth > 0 && cursor.text[cursor.at] === ")") && peek(cursor, OR) === null) {
    const at = cursor.at;
    if (take(cursor, AND) === null) {
      terms.push(readSigned(cursor, visit));
      continue;
    }
    if (terms.length === 0) throw loneOperator(cursor, at, "before");
    skipSpace(cursor);
    if (isAtEnd(cursor) || peek(cursor, OR) !== null) throw loneOperator(cursor, at, "behind");
  }
  return terms;
}

function readSigned(cursor: Cursor, visit: Visit): QueryTerm {
  const start = cursor.at;
  let negated = false;
  for (let sign = takeSign(cursor); sign; sign = takeSign(cursor)) negated = !negated;
  const isOperator = peek(cursor, OR) !== null || peek(cursor, AND) !== null;
  if (isAtEnd(cursor) || isOperator) throw loneOperator(cursor, start, "behind");
  const at = cursor.at;
  const term = take(cursor, /\(/y) === null ? readLeaf(cursor) : readGroup(cursor, at, visit);
  if (term.type !== "group") visit(term, { at, negated });
  return { ...term, negated };
}

function takeSign(cursor: Cursor): boolean {
  if (take(cursor, MINUS) !== null) return true;
  if (!isNot(cursor)) return false;
  skipSpace(cursor);
  return true;
}

/** `not` before a colon that ends a word, or before a slash that begins a path, is a word. */
function isNot(cursor: Cursor): boolean {
  const start = cursor.at;
  const found = take(cursor, NOT);
  if (found === null) return false;
  if (found[0] === "NOT") return true;
  const ahead = { ...cursor };
  skipSpace(ahead);
  if (/["(]/.test(ahead.text[ahead.at]) || takeRegex(ahead) !== undefined || peek(ahead, KEY) !== null) return true;
  cursor.at = start;
  return false;
}

function readGroup(cursor: Cursor, at: number, visit: Visit): QueryGroup {
  if (cursor.depth === DEEPEST) throw fault(cursor, `parentheses lie in one another at most ${DEEPEST} deep`, at);
  cursor.depth++;
  const terms = readEither(cursor, visit);
  if (take(cursor, /\)/y) === null)
    throw fault(cursor, 'the parenthesis opened here is never closed; to search for it, quote it: "("', at);
  cursor.depth--;
  return { type: "group", any: [terms], negated: false };
}

function loneOperator(cursor: Cursor, at: number, side: "before" | "behind") {
  const written = /\S+?(?=[\s()]|$)/y;
  written.lastIndex = at;
  const operator = written.exec(cursor.text)?.[0] ?? "";
  return fault(cursor, `nothing stands ${side} ${operator}; to search for the word, quote it: "${operator}"`, at);
}
