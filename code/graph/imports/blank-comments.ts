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
