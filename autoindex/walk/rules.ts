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
  /** Rules whose last name is written out, by that name: lists of paths that programs write have very many. */
  readonly #byName = new Map<string, Rule[]>();
  /** Rules that are held beside every name. */
  readonly #wild: Rule[] = [];
  /** Why rules of the file do not count, empty when all do. */
  readonly refusal: string = "";

  constructor(
    readonly label: string,
    text: string,
  ) {
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    for (const [index, line] of lines.entries()) {
      const rule = parseRule(line, index + 1);
      const last = rule?.segments.at(-1);
      if (!rule || !last) continue;
      if (last.kind === "exact") append(this.#byName, last.text, rule);
      else if (this.#wild.length < MOST_WILD) this.#wild.push(rule);
      else
        this.refusal ||= `from line ${rule.line} on, rules whose last name has a wildcard are too many (${MOST_WILD} count)`;
    }
  }

  get size(): number {
    return this.#byName.size + this.#wild.length;
  }

  /** The verdict on a path relative to the file's folder, nothing when no rule speaks of it: the last one that does decides. */
  judge(names: string[], kind: "file" | "folder"): Verdict | undefined {
    const named = lastMatch(this.#byName.get(names.at(-1) ?? "") ?? [], names, kind);
    const wild = lastMatch(this.#wild, names, kind, named?.line);
    const rule = wild ?? named;
    return rule && { ignored: !rule.negated, why: `${this.label}:${rule.line}: ${rule.source}` };
  }
}

/** Rules of a file that may have a wildcard in their last name. The longest files for programs' own use have some hundred. */
const MOST_WILD = 5000;

function append(lists: Map<string, Rule[]>, key: string, rule: Rule): void {
  const list = lists.get(key);
  if (list) list.push(rule);
  else lists.set(key, [rule]);
}

/** The last rule that speaks of a path, of those after a line. */
function lastMatch(rules: readonly Rule[], names: string[], kind: "file" | "folder", after = 0): Rule | undefined {
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at]!;
    if (rule.line <= after) return undefined;
    if (rule.foldersOnly && kind === "file") continue;
    if (pathMatches(rule.segments, names)) return rule;
  }
  return undefined;
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
