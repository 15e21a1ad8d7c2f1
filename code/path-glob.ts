/** Most patterns that braces and folders may make of one. */
const MOST_PATTERNS = 64;

/** A pattern of paths that stands for too many; the message names it. */
export class GlobError extends Error {
  readonly key = "path";

  constructor(readonly value: string) {
    super(`path:${value}: its braces and folders make more than ${MOST_PATTERNS} patterns: write fewer`);
    this.name = "GlobError";
  }
}

// A glob may hold what ends a block comment, so the examples stand in line comments.
//
// Patterns in which only `*` means something (any characters, `/` too) that together mean a glob; undefined for a text
// without one. `**/` also stands for no folder at all, `{a,b}` for either, and a pattern without a folder for the name of
// a file wherever it lies. Throws GlobError.
export function globPatterns(glob: string): string[] | undefined {
  const braces = [...glob.matchAll(BRACES)];
  if (!glob.includes("*") && braces.length === 0) return undefined;
  const choices = braces.reduce((product, [, inner]) => product * inner.split(",").length, 1);
  if (choices * 2 ** glob.split("**/").length > MOST_PATTERNS) throw new GlobError(glob);
  const anywhere = glob.includes("/") || glob.startsWith("*") ? [glob] : [glob, `*/${glob}`];
  const expanded = anywhere.flatMap(withoutBraces).flatMap(withAndWithoutFolders);
  return [...new Set(expanded.map((pattern) => pattern.replace(/\*+/g, "*")))];
}

const BRACES = /\{([^{}]*,[^{}]*)\}/g;

// `*.{ts,tsx}` as `*.ts` and `*.tsx`.
function withoutBraces(glob: string): string[] {
  const found = new RegExp(BRACES.source).exec(glob);
  if (found === null) return [glob];
  const [whole, choices] = found;
  const before = glob.slice(0, found.index);
  const after = glob.slice(found.index + whole.length);
  return choices.split(",").flatMap((choice) => withoutBraces(before + choice + after));
}

// `a/**/b` as `a/b` and `a/*/b`.
function withAndWithoutFolders(glob: string): string[] {
  const at = glob.indexOf("**/");
  if (at < 0 || (at > 0 && glob[at - 1] !== "/")) return [glob];
  const before = glob.slice(0, at);
  return withAndWithoutFolders(glob.slice(at + 3)).flatMap((rest) =>
    // What begins with a star covers any folders before it.
    rest.startsWith("*") ? [before + rest] : [before + rest, `${before}*/${rest}`],
  );
}
