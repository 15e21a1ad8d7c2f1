/**
 * Lucene's classic query syntax (QueryParser.jj of Lucene 9): terms, "phrases"~2, field:(a b), [a TO b}, >=1, pre*, w?ld,
 * /regexp/, ^boost, + - ! AND OR NOT. `AND` and `OR` are no operators with precedence: they change what is required of the
 * clauses beside them.
 */
import { notSupported } from "../../errors.js";
import { QueryCursor, withoutEscapes } from "./cursor.js";
import type { Clause, Occur, RangeBounds, SyntaxNode } from "./syntax.js";

/** What clauses without an operator between them are. */
export type DefaultOperator = "or" | "and";

/** How clauses are put together. */
export interface Joining {
  readonly operator: DefaultOperator;
  /** Words beside one another are one text, for the analyser to cut (Lucene's `splitOnWhitespace` off). */
  readonly wholeText: boolean;
}

/** Reads a query string; a text without clauses is an empty group. Throws ApiError 400. */
export function parseQueryString(text: string, joining: Joining): SyntaxNode {
  const cursor = new QueryCursor(text);
  const node = readGroup(cursor, joining, undefined);
  if (!cursor.done) throw cursor.wrong(`Encountered "${cursor.char}"`);
  return node;
}

type Conjunction = "and" | "or" | undefined;
type Modifier = "+" | "-" | undefined;

function readGroup(cursor: QueryCursor, joining: Joining, field: string | undefined): SyntaxNode {
  const read: Read[] = [];
  for (cursor.skipSpace(); !cursor.done && cursor.char !== ")"; cursor.skipSpace()) {
    const conjunction = read.length === 0 ? undefined : readConjunction(cursor);
    const modifier = readModifier(cursor);
    cursor.skipSpace();
    if (cursor.done || cursor.char === ")") throw cursor.wrong("Encountered the end after an operator");
    read.push({ conjunction, modifier, node: readClause(cursor, joining, field) });
  }
  const clauses: Clause[] = [];
  for (const one of joining.wholeText ? withTexts(read, field) : read) {
    addClause(clauses, { operator: joining.operator, ...one });
  }
  // A clause alone stands for itself, unless it is marked.
  const plain = read[0]?.modifier === undefined;
  return clauses.length === 1 && plain ? clauses[0].node : { kind: "group", clauses, boost: 1 };
}

/** Words beside one another as one text: those without operator, field or boost (Lucene's `MultiTerm`). */
function withTexts(read: readonly Read[], field: string | undefined): Read[] {
  const joined: Read[] = [];
  const isWord = ({ conjunction, modifier, node }: Read) =>
    conjunction === undefined && modifier === undefined && wordOf(node, field) !== undefined;
  let before = false;
  for (const [at, one] of read.entries()) {
    const last = joined.at(-1);
    const word = isWord(one) ? wordOf(one.node, field) : undefined;
    const start = last === undefined || !before ? undefined : wordOf(last.node, field);
    // A word before AND or OR belongs to what is behind it.
    const isFree = read[at + 1]?.conjunction === undefined;
    if (last !== undefined && start !== undefined && word !== undefined && isFree) {
      joined[joined.length - 1] = { ...last, node: { kind: "term", field, text: `${start} ${word}`, boost: 1 } };
    } else joined.push(one);
    before = word !== undefined;
  }
  return joined;
}

function wordOf(node: SyntaxNode, field: string | undefined): string | undefined {
  return node.kind === "term" && node.field === field && node.boost === 1 ? node.text : undefined;
}

function readConjunction(cursor: QueryCursor): Conjunction {
  if (cursor.match(/AND(?=[\s()"+\-!\u3000]|$)|&&/y) !== undefined) return skipped(cursor, "and");
  if (cursor.match(/OR(?=[\s()"+\-!\u3000]|$)|\|\|/y) !== undefined) return skipped(cursor, "or");
  return undefined;
}

function skipped(cursor: QueryCursor, conjunction: "and" | "or"): Conjunction {
  cursor.skipSpace();
  return conjunction;
}

function readModifier(cursor: QueryCursor): Modifier {
  if (cursor.skip("+")) return "+";
  return cursor.match(/NOT(?=[\s()"+\-!\u3000]|$)|[-!]/y) === undefined ? undefined : "-";
}

interface Read {
  readonly conjunction: Conjunction;
  readonly modifier: Modifier;
  readonly node: SyntaxNode;
}

interface Added extends Read {
  readonly operator: DefaultOperator;
}

/** Lucene's `QueryParserBase.addClause`. */
function addClause(clauses: Clause[], { operator, conjunction, modifier, node }: Added): void {
  const before = clauses.at(-1);
  if (before !== undefined && before.occur !== "must_not") {
    if (conjunction === "and") before.occur = "must";
    if (operator === "and" && conjunction === "or") before.occur = "should";
  }
  clauses.push({ occur: occurOf(operator, conjunction, modifier), node });
}

function occurOf(operator: DefaultOperator, conjunction: Conjunction, modifier: Modifier): Occur {
  if (modifier === "-") return "must_not";
  if (operator === "or") return modifier === "+" || conjunction === "and" ? "must" : "should";
  return conjunction === "or" ? "should" : "must";
}

const FIELD = /(?:\\.|[^\s\u3000+\-!():^[\]"{}~*?\\/])(?:\\.|[^\s\u3000!():^[\]"{}~*?\\/])*(?=:)/sy;
/** A field by pattern, as `user.\*:x`: the star is escaped, or stands alone. */
const ANY_FIELD = /\*(?=:)/y;

function readClause(cursor: QueryCursor, joining: Joining, outer: string | undefined): SyntaxNode {
  const named = cursor.match(FIELD) ?? cursor.match(ANY_FIELD);
  const field = named === undefined ? outer : withoutEscapes(named);
  if (named !== undefined) {
    cursor.skip(":");
    cursor.skipSpace();
  }
  if (named === "*" && cursor.match(/\*(?=[\s)^]|$)/y) !== undefined) return { kind: "all", boost: readBoost(cursor) };
  if (!cursor.skip("(")) return readTerm(cursor, field);
  const group = cursor.within(() => readGroup(cursor, joining, field));
  if (!cursor.skip(")")) throw cursor.wrong('Encountered "<EOF>" inside of parentheses');
  return boosted(group, readBoost(cursor));
}

function boosted(node: SyntaxNode, boost: number): SyntaxNode {
  return boost === 1 ? node : { ...node, boost: node.boost * boost };
}

function readBoost(cursor: QueryCursor): number {
  if (!cursor.skip("^")) return 1;
  const number = cursor.match(/\d+(?:\.\d+)?/y);
  if (number === undefined) throw cursor.wrong("a boost that is no number");
  return Number(number);
}

const WORD = /(?:\\.|[^\s\u3000+\-!():^[\]"{}~\\/])(?:\\.|[^\s\u3000!():^[\]"{}~\\/])*/sy;

function readTerm(cursor: QueryCursor, field: string | undefined): SyntaxNode {
  if (cursor.char === '"') return readPhrase(cursor, field);
  if (cursor.char === "/") return readRegexp(cursor, field);
  if (cursor.char === "[" || cursor.char === "{") return readRange(cursor, field);
  const compared = cursor.match(/[<>]=?/y);
  if (compared !== undefined) return readComparison(cursor, field, compared);
  const word = cursor.match(WORD);
  if (word === undefined) throw cursor.wrong(`Encountered "${cursor.char}"`);
  if (cursor.sees("~")) throw notSupported("a fuzzy term (~) in [query_string]");
  const boost = readBoost(cursor);
  if (/^(?:\\.|[^*?\\])*[*?]/s.test(word)) return { kind: "pattern", field, pattern: word, boost };
  return { kind: "term", field, text: withoutEscapes(word), boost };
}

function readPhrase(cursor: QueryCursor, field: string | undefined): SyntaxNode {
  const text = quotedText(cursor);
  const slop = cursor.match(/~\d*(?:\.\d+)?/y)?.slice(1);
  const boost = readBoost(cursor);
  return {
    kind: "phrase",
    field,
    text,
    slop: slop === undefined || slop === "" ? undefined : Math.trunc(Number(slop)),
    boost,
  };
}

function quotedText(cursor: QueryCursor): string {
  const quoted = cursor.match(/"(?:\\.|[^"\\])*"/sy);
  if (quoted === undefined) throw cursor.wrong("Lexical error: a quote without an end");
  return withoutEscapes(quoted.slice(1, -1));
}

function readRegexp(cursor: QueryCursor, field: string | undefined): SyntaxNode {
  const found = cursor.match(/\/(?:\\\/|[^/])*\//y);
  if (found === undefined) throw cursor.wrong("Lexical error: a regular expression without an end");
  return { kind: "regexp", field, pattern: found.slice(1, -1).replaceAll("\\/", "/"), boost: readBoost(cursor) };
}

const BOUND = /(?:\\.|[^\s\u3000\]}"\\])+/sy;

function readRange(cursor: QueryCursor, field: string | undefined): SyntaxNode {
  const lower = cursor.skip("[") ? "gte" : cursor.skip("{") ? "gt" : "gte";
  const from = readBound(cursor);
  cursor.skipSpace();
  if (!cursor.skip("TO")) throw cursor.wrong("a range without TO");
  const to = readBound(cursor);
  cursor.skipSpace();
  const upper = cursor.skip("]") ? "lte" : cursor.skip("}") ? "lt" : undefined;
  if (upper === undefined) throw cursor.wrong("a range without an end");
  const bounds: RangeBounds = {
    ...(from === undefined ? {} : { [lower]: from }),
    ...(to === undefined ? {} : { [upper]: to }),
  };
  return { kind: "range", field, bounds, boost: readBoost(cursor) };
}

/** A bound's text; undefined: `*`, an open end. */
function readBound(cursor: QueryCursor): string | undefined {
  cursor.skipSpace();
  if (cursor.char === '"') return quotedText(cursor);
  const text = cursor.match(BOUND);
  if (text === undefined) throw cursor.wrong("a range without a bound");
  return text === "*" ? undefined : withoutEscapes(text);
}

const COMPARISONS: Readonly<Record<string, keyof RangeBounds>> = { ">": "gt", ">=": "gte", "<": "lt", "<=": "lte" };

function readComparison(cursor: QueryCursor, field: string | undefined, sign: string): SyntaxNode {
  cursor.skipSpace();
  const word = cursor.char === '"' ? quotedText(cursor) : cursor.match(/(?:\\.|[^\s\u3000!():^[\]"{}~*?\\/])+/sy);
  if (word === undefined) throw cursor.wrong(`a comparison (${sign}) without a value`);
  return { kind: "range", field, bounds: { [COMPARISONS[sign]]: withoutEscapes(word) }, boost: readBoost(cursor) };
}
