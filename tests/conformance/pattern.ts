/** Regular expressions as suites write them: Java's, between slashes. */

/** The expression of `/.../`; undefined for other text. */
export function patternOf(text: string, mode: "comments" | "plain"): RegExp | undefined {
  const inner = /^\/([\s\S]*)\/$/.exec(text.trim())?.[1];
  if (inner === undefined) return undefined;
  const source = mode === "comments" ? withoutComments(inner) : inner;
  return new RegExp(toJavaScript(source));
}

/** Java's comments mode: white space and `# ...` count only when escaped. */
function withoutComments(source: string): string {
  return source.replace(/\\[\s\S]|\s+|#[^\n]*/g, (part) => {
    if (!part.startsWith("\\")) return "";
    return part === "\\ " ? " " : part === "\\#" ? "#" : part;
  });
}

/** `$` matches before a last line feed too; possessive quantifiers are written plainly, which finds the same here. */
function toJavaScript(source: string): string {
  const classes = source
    .replaceAll("\\p{Alnum}", "[A-Za-z0-9]")
    .replaceAll("\\p{XDigit}", "[0-9A-Fa-f]")
    .replace(/([*+?}])\+/g, "$1");
  return classes.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\$/g, (part) =>
    part === "$" ? "(?=\\n?(?![\\s\\S]))" : part,
  );
}
