import { type GlobSegment, parseSegment, pathMatches } from "./glob.js";

/** What the last matching rule of a file says of a path. */
export interface Verdict {
  ignored: boolean;
  /** `.gitignore:3: *.log`, for the catalog. */
  why: string;
}

interface Rule {
  segments: GlobSegment[];
  negated: boolean;
  foldersOnly: boolean;
  line: number;
  source: string;
}

/**
 * The rules of one ignore file, in git's format.
 *
 * A path is judged alone, not by its parents: the walk never enters what is ignored, and a folder that a deeper file
 * re-includes must not be judged again by the rule above it.
 */
export class IgnoreFile {
  readonly #rules: Rule[] = [];

  constructor(
    readonly label: string,
    text: string,
  ) {
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    for (const [index, line] of lines.entries()) {
      const rule = parseRule(line, index + 1);
      if (rule) this.#rules.push(rule);
    }
  }

  get size(): number {
    return this.#rules.length;
  }

  /** The verdict on a path relative to the file's folder, nothing when no rule speaks of it. */
  judge(names: string[], kind: "file" | "folder"): Verdict | undefined {
    for (let at = this.#rules.length - 1; at >= 0; at--) {
      const rule = this.#rules[at]!;
      if (rule.foldersOnly && kind === "file") continue;
      if (pathMatches(rule.segments, names)) {
        return { ignored: !rule.negated, why: `${this.label}:${rule.line}: ${rule.source}` };
      }
    }
    return undefined;
  }
}

function parseRule(source: string, line: number): Rule | undefined {
  let pattern = stripTrailingSpaces(source);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "") return undefined;
  const segments = pattern.split("/").map(parseSegment);
  if (!anchored) segments.unshift({ kind: "deep" });
  // `a/**` speaks of what is inside `a`, not of `a` itself: at least one more name.
  if (anchored && segments.at(-1)?.kind === "deep") segments.push(parseSegment("*"));
  return { segments, negated, foldersOnly, line, source: source.trim() };
}

/** Trailing spaces do not count unless a backslash stands before them. */
function stripTrailingSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === " " && text[end - 2] !== "\\") end--;
  return text.slice(0, end);
}
