/**
 * The forgiving syntax of `simple_query_string` (Lucene's SimpleQueryParser): `+` and, `|` or, `-` not, "phrases", `pre*`,
 * parentheses. Nothing in it is an error: what makes no sense is passed over. `flags` switch parts of the syntax off.
 */
import type { Query } from "../../../engine/index.js";
import { notSupported } from "../../errors.js";
import { isSpace, QueryCursor, withoutEscapes } from "./cursor.js";
import { matchPhrase, matchWords, ofEachField, type WordOptions } from "./fields.js";

/** Parts of the syntax, as `flags` names them. */
export const SIMPLE_FLAGS = [
  "AND",
  "ESCAPE",
  "FUZZY",
  "NEAR",
  "NOT",
  "OR",
  "PHRASE",
  "PRECEDENCE",
  "PREFIX",
  "SLOP",
  "WHITESPACE",
] as const;

export type SimpleFlag = (typeof SIMPLE_FLAGS)[number];

export interface SimpleOptions extends WordOptions {
  readonly flags: ReadonlySet<SimpleFlag>;
}

type Joined = "must" | "should";

/** What has been read of a group. */
interface State {
  top: Query | undefined;
  /** How the next part is joined; undefined: by the default operator. */
  next: Joined | undefined;
  /** How the parts of `top` are joined; undefined: it is one part. */
  previous: Joined | undefined;
  negations: number;
}

/** The query of a text. Throws ApiError 400 only for what is not built. */
export function parseSimple(text: string, options: SimpleOptions): Query {
  // Lucene takes this text, whatever the fields and flags, for everything.
  if (text.trim() === "*") return { kind: "match_all", boost: 1 };
  const cursor = new QueryCursor(text);
  let query = readGroup(cursor, options);
  // A closing parenthesis too many ends nothing.
  while (!cursor.done) {
    cursor.at++;
    const rest = readGroup(cursor, options);
    if (rest !== undefined)
      query = query === undefined ? rest : joined(query, rest, options.operator === "and" ? "must" : "should");
  }
  const found = query ?? { kind: "match_none", boost: 1 };
  const { minimumShouldMatch } = options;
  return minimumShouldMatch === undefined || found.kind !== "bool" ? found : { ...found, minimumShouldMatch };
}

function joined(a: Query, b: Query, how: Joined): Query {
  const both = [a, b];
  return {
    kind: "bool",
    must: how === "must" ? both : [],
    should: how === "should" ? both : [],
    filter: [],
    mustNot: [],
    boost: 1,
  };
}

function readGroup(cursor: QueryCursor, options: SimpleOptions): Query | undefined {
  const state: State = { top: undefined, next: undefined, previous: undefined, negations: 0 };
  const { flags } = options;
  while (!cursor.done) {
    if (cursor.char === ")" && flags.has("PRECEDENCE")) return state.top;
    if (readOperator(cursor, state, flags)) continue;
    add(state, readPart(cursor, options), options);
  }
  return state.top;
}

/** Goes past an operator or white space; false: a part of the text stands here. */
function readOperator(cursor: QueryCursor, state: State, flags: ReadonlySet<SimpleFlag>): boolean {
  if (isSpace(cursor.char) && flags.has("WHITESPACE")) cursor.skipSpace();
  else if (cursor.char === "+" && flags.has("AND")) joinNext(cursor, state, "must");
  else if (cursor.char === "|" && flags.has("OR")) joinNext(cursor, state, "should");
  else if (cursor.char === "-" && flags.has("NOT")) {
    cursor.at++;
    state.negations++;
  } else return false;
  return true;
}

function joinNext(cursor: QueryCursor, state: State, how: Joined): void {
  cursor.at++;
  if (state.next === undefined && state.top !== undefined) state.next = how;
}

function readPart(cursor: QueryCursor, options: SimpleOptions): Query | undefined {
  const { flags } = options;
  if (cursor.char === "(" && flags.has("PRECEDENCE")) {
    cursor.at++;
    const inner = cursor.within(() => readGroup(cursor, options));
    cursor.skip(")");
    return inner;
  }
  const phrase = cursor.char === '"' && flags.has("PHRASE") ? cursor.match(/"(?:\\.|[^"\\])*"/sy) : undefined;
  if (phrase === undefined) return readWord(cursor, options);
  const slop = flags.has("NEAR") || flags.has("SLOP") ? cursor.match(/~\d+/y) : undefined;
  const text = unescaped(phrase.slice(1, -1), flags);
  if (text.trim() === "") return undefined;
  const asked = { text, slop: slop === undefined ? undefined : Number(slop.slice(1)), boost: 1 };
  return matchPhrase(options.fields, asked, options);
}

function readWord(cursor: QueryCursor, options: SimpleOptions): Query | undefined {
  const { flags } = options;
  const start = cursor.at;
  // A quote that nothing closes stands for nothing.
  if (cursor.char === '"' && flags.has("PHRASE")) cursor.at++;
  while (!cursor.done && !endsWord(cursor.char, flags))
    cursor.at += cursor.char === "\\" && flags.has("ESCAPE") ? 2 : 1;
  if (cursor.at === start) cursor.at++;
  const word = cursor.text.slice(start, cursor.at).replace(/^"/, "");
  if (word === "") return undefined;
  if (flags.has("FUZZY") && /[^\\]~\d*$/.test(word)) throw notSupported("a fuzzy term (~) in [simple_query_string]");
  if (flags.has("PREFIX") && /[^\\]\*$/.test(word)) {
    const value = unescaped(word.slice(0, -1), flags);
    return ofEachField(
      options.fields,
      { kind: "prefix", field: "", value, caseInsensitive: false, analyzed: true, boost: 1 },
      options,
    );
  }
  return matchWords(options.fields, unescaped(word, flags), options, 1);
}

function endsWord(char: string, flags: ReadonlySet<SimpleFlag>): boolean {
  if (char === '"') return flags.has("PHRASE");
  if (char === "+") return flags.has("AND");
  if (char === "|") return flags.has("OR");
  if (char === "(" || char === ")") return flags.has("PRECEDENCE");
  return isSpace(char) && flags.has("WHITESPACE");
}

function unescaped(text: string, flags: ReadonlySet<SimpleFlag>): string {
  return flags.has("ESCAPE") ? withoutEscapes(text) : text;
}

/** Joins a part to what was read: parts that are joined alike lie beside one another, else what is before becomes one part. */
function add(state: State, part: Query | undefined, options: SimpleOptions): void {
  if (part !== undefined) {
    const own = state.negations % 2 === 0 ? part : without(part);
    const how = state.next ?? (options.operator === "and" ? "must" : "should");
    if (state.top === undefined) state.top = own;
    else if (state.previous === how && state.top.kind === "bool") state.top[how].push(own);
    else {
      state.top = joined(state.top, own, how);
      state.previous = how;
    }
  }
  state.next = undefined;
  state.negations = 0;
}

/** Everything but what a part finds. */
function without(part: Query): Query {
  return {
    kind: "bool",
    must: [],
    should: [{ kind: "match_all", boost: 1 }],
    filter: [],
    mustNot: [part],
    boost: 1,
  };
}
