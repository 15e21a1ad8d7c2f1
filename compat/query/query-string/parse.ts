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

/** Reads a query string; a text without clauses is an empty group. Throws ApiError 400. */
export function parseQueryString(text: string, operator: DefaultOperator): SyntaxNode {
  const cursor = new QueryCursor(text);
  const node = readGroup(cursor, operator, undefined);
  if (!cursor.done) throw cursor.wrong(`Encountered "${cursor.char}"`);
  return node;
}

type Conjunction = "and" | "or" | undefined;
type Modifier = "+" | "-" | undefined;

function readGroup(cursor: QueryCursor, operator: DefaultOperator, field: string | undefined): SyntaxNode {
  const clauses: Clause[] = [];
  let plain = true;
  for (cursor.skipSpace(); !cursor.done && cursor.char !== ")"; cursor.skipSpace()) {
    const conjunction = clauses.length === 0 ? undefined : readConjunction(cursor);
    const modifier = readModifier(cursor);
    if (modifier !== undefined && clauses.length === 0) plain = false;
    cursor.skipSpace();
    if (cursor.done || cursor.char === ")") throw cursor.wrong("Encountered the end after an operator");
    addClause(clauses, { operator, conjunction, modifier, node: readClause(cursor, operator, field) });
  }
  // A clause alone stands for itself, unless it is marked.
  return clauses.length === 1 && plain ? clauses[0].node : { kind: "group", clauses, boost: 1 };
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

interface Added {
  readonly operator: DefaultOperator;
  readonly conjunction: Conjunction;
  readonly modifier: Modifier;
  readonly node: SyntaxNode;
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

function readClause(cursor: QueryCursor, operator: DefaultOperator, outer: string | undefined): SyntaxNode {
  const named = cursor.match(FIELD) ?? cursor.match(ANY_FIELD);
  const field = named === undefined ? outer : withoutEscapes(named);
  if (named !== undefined) {
    cursor.skip(":");
    cursor.skipSpace();
  }
  if (named === "*" && cursor.match(/\*(?=[\s)^]|$)/y) !== undefined) return { kind: "all", boost: readBoost(cursor) };
  if (!cursor.skip("(")) return readTerm(cursor, field);
  const group = cursor.within(() => readGroup(cursor, operator, field));
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
