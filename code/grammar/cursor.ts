import { QueryError } from "../query-error.js";

/** A place in the text of a query that is being read. */
export interface Cursor {
  readonly text: string;
  /** In UTF-16 units. */
  at: number;
  /** Parentheses that are open here: only then does `)` end a word. */
  depth: number;
  /** Parentheses that words left open, as `call(` does in `call( x )`: as many that stand alone may close them. */
  open: number;
}

/** A fault at a place of the text, the current one unless another is given. */
export function fault(cursor: Cursor, reason: string, at = cursor.at): QueryError {
  return new QueryError(reason, at + 1, cursor.text);
}

/** Takes what a sticky pattern finds here; null, and nothing taken, where it finds nothing. */
export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  const found = peek(cursor, pattern);
  if (found !== null) cursor.at += found[0].length;
  return found;
}

/** What a sticky pattern finds here. */
export function peek({ text, at }: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Whether something follows, once spaces are passed over. */
export function skipSpace(cursor: Cursor): boolean {
  take(cursor, /\s*/y);
  return cursor.at < cursor.text.length;
}

/** Whether a term may end here: at a space, at the end, or at a parenthesis that closes a group. */
export function isAtEnd({ text, at, depth }: Cursor): boolean {
  return at >= text.length || /\s/.test(text[at]) || (depth > 0 && text[at] === ")");
}

/**
 * Takes what stands up to the next space, and up to `stops` outside braces. Parentheses belong to it in pairs: inside a
 * group, `main()` is a word and the `)` behind it ends the group.
 */
export function takeBare(cursor: Cursor, stops = ""): string {
  const start = cursor.at;
  let parentheses = 0;
  let braces = 0;
  for (; cursor.at < cursor.text.length; cursor.at++) {
    const character = cursor.text[cursor.at];
    if (/\s/.test(character) || (braces === 0 && stops.includes(character))) break;
    if (character === "(") parentheses++;
    if (character === "{") braces++;
    if (character === "}") braces = Math.max(0, braces - 1);
    if (character !== ")") continue;
    if (parentheses === 0 && cursor.depth > 0) break;
    parentheses = Math.max(0, parentheses - 1);
  }
  return cursor.text.slice(start, cursor.at);
}

/** Where the brace stands that a text opens and never closes; undefined where each is closed. */
export function unclosedBrace(text: string): number | undefined {
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else open.pop();
  }
  return open.at(-1);
}

/** Where the parenthesis stands that a text closes and never opened; undefined where there is none. */
export function unopenedParenthesis(text: string): number | undefined {
  let open = 0;
  for (const { 0: parenthesis, index } of text.matchAll(/[()]/g)) {
    open += parenthesis === "(" ? 1 : -1;
    if (open < 0) return index;
  }
  return undefined;
}

/** Takes a text in quotes, which begins here; `\"` and `\\` stand for a quote and a backslash. */
export function takeQuoted(cursor: Cursor): string {
  const start = cursor.at;
  let text = "";
  for (cursor.at++; cursor.at < cursor.text.length; cursor.at++) {
    const character = cursor.text[cursor.at];
    if (character === '"') {
      cursor.at++;
      return text;
    }
    const escaped = character === "\\" && /["\\]/.test(cursor.text[cursor.at + 1] ?? "");
    text += escaped ? cursor.text[++cursor.at] : character;
  }
  throw fault(cursor, `the quote opened here is never closed; write \\" for a quote inside quotes`, start);
}

/** A regular expression as it stands between slashes. */
export interface WrittenRegex {
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
}

/**
 * Takes `/pattern/` with flags `i` (whatever the case) and `m` (may cross lines); undefined, and nothing taken, where a
 * slash begins something else. It is a regular expression when the next slash that is neither escaped nor inside
 * brackets ends it, that is when a space, the end or a closing parenthesis follows, flags between; and no space stands
 * just inside the slashes. So `/usr/lib/x`, `/users/:id`, `/* x` and `a / b / c` are words, and `/tmp/` is none.
 */
export function takeRegex(cursor: Cursor): WrittenRegex | undefined {
  const { text, at } = cursor;
  if (text[at] !== "/" || /[\s*/]/.test(text[at + 1] ?? " ")) return undefined;
  const close = closingSlash(text, at + 1);
  if (close === undefined || /\s/.test(text[close - 1])) return undefined;
  const flags = /[im]*/y;
  flags.lastIndex = close + 1;
  const written = flags.exec(text)?.[0] ?? "";
  const end = { ...cursor, at: close + 1 + written.length };
  if (!isAtEnd(end) || new Set(written).size < written.length) return undefined;
  cursor.at = end.at;
  const pattern = text.slice(at + 1, close).replace(/\\([\s\S])/g, (pair, one) => (one === "/" ? "/" : pair));
  return { pattern, ignoreCase: written.includes("i"), multiline: written.includes("m") };
}

function closingSlash(text: string, from: number): number | undefined {
  let isInBrackets = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "[") isInBrackets = true;
    else if (character === "]") isInBrackets = false;
    else if (character === "/" && !isInBrackets) return at;
  }
  return undefined;
}
