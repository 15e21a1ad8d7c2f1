/** What comments and strings look like, so far as import statements are to be told from them. */
export type CommentStyle = "slashes" | "hash";

const SLASHES = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
const HASH = /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** A text of the same length with comments overwritten, and what stands in strings of several lines; line feeds stay. */
export function blankComments(text: string, style: CommentStyle): string {
  return text.replace(style === "slashes" ? SLASHES : HASH, (found) => {
    const isComment = /^(?:\/[/*]|#|"""|'''|`)/.test(found);
    return isComment ? found.replace(/[^\n]/g, " ") : found;
  });
}

const RUST = /\/\/[^\n]*|\/\*|b?r(#*)"[\s\S]*?"\1|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\\n]|\\[^\n]{1,9}?)'/g;

/** The same of Rust, whose comments may hold comments: globs in the documentation of a file open and end some. */
export function blankRustComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  const tokens = new RegExp(RUST);
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [token] = found;
    if (!token.startsWith("/")) continue;
    const end = token === "/*" ? endOfNested(text, found.index) : found.index + token.length;
    parts.push(text.slice(from, found.index), text.slice(found.index, end).replace(/[^\n]/g, " "));
    from = end;
    tokens.lastIndex = end;
  }
  return [...parts, text.slice(from)].join("");
}

function endOfNested(text: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}
