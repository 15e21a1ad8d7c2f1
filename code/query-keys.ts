import { nearest } from "./edit-distance.js";
import { DECLARATION_KINDS, FILE_CLASSES } from "./kinds.js";

/** What of the working tree `changed:` asks for. */
export const CHANGED = ["all", "staged", "unstaged", "untracked"] as const;
/** Whose lines `diff:` asks for. */
export const DIFF = ["added", "removed"] as const;
/** What a query looks for. */
export const TYPES = ["code", "commit"] as const;
/** Whether upper and lower case differ; `auto`: where the pattern has an upper-case letter. */
export const CASES = ["yes", "no", "auto"] as const;
/** Whether what is found must be whole words. */
export const WHOLE_WORDS = ["yes", "no"] as const;

/**
 * The keys of the query language, one row each: add a row here and its clause in query-clauses.ts. `alone` is the value of
 * a key with nothing behind it.
 */
export const QUERY_KEYS = [
  { key: "author", example: "ada", values: undefined, means: "author of commits" },
  {
    key: "branch",
    example: "main",
    values: undefined,
    means: "not what folders have; * allowed",
  },
  { key: "calls", example: "parse", values: undefined, means: "declarations that call it" },
  {
    key: "case",
    example: "yes",
    values: CASES,
    place: "whole query",
    means: "case of /regex/, content:; yes: of words too",
  },
  { key: "changed", example: "all", values: CHANGED, alone: "all", means: "files not as in the last commit" },
  { key: "class", example: "test", values: FILE_CLASSES, means: "class of file" },
  {
    key: "content",
    example: "foo(",
    values: undefined,
    takes: "text",
    means: "a piece of a line",
  },
  { key: "def", example: "Server.start", values: undefined, means: "declared with exactly this name; * allowed" },
  { key: "diff", example: "added", values: DIFF, means: "commits that added or removed the words" },
  { key: "kind", example: "function", values: DECLARATION_KINDS, means: "kind of declaration" },
  { key: "lang", example: "typescript", values: undefined, means: "language, or a usual short form" },
  {
    key: "path",
    example: "src/*",
    values: undefined,
    regex: true,
    means: "piece of a path, glob of all of it, or /regex/",
  },
  {
    key: "ref",
    example: "Server",
    values: undefined,
    means: "declarations that call, use or extend it",
  },
  { key: "repo", example: "pinakes", values: undefined, regex: true, means: "repository; *, /regex/ allowed" },
  {
    key: "since",
    example: "v1.2",
    values: undefined,
    means: "changed since a commit, tag, date (3d)",
  },
  {
    key: "sym",
    example: "start",
    values: undefined,
    regex: true,
    means: "words of a name, or /regex/",
  },
  { key: "type", example: "commit", values: TYPES, place: "outside groups", means: "commits instead of code" },
  {
    key: "word",
    example: "yes",
    values: WHOLE_WORDS,
    place: "whole query",
    means: "whole words only",
  },
] as const satisfies readonly QueryKeyRow[];

/** One row: what is written, what may stand behind it. */
export interface QueryKeyRow {
  key: string;
  example: string;
  values: readonly string[] | undefined;
  alone?: string;
  /** `text`: all up to the next space or quote is one value, commas too. */
  takes?: "list" | "text";
  /** Whether a `/regex/` may stand for its value. */
  regex?: boolean;
  /** `whole query`: it changes the meaning of the others, so it stands outside parentheses, once, without a minus. */
  place?: "anywhere" | "outside groups" | "whole query";
  means: string;
}

/** Name of a key. */
export type QueryKey = (typeof QUERY_KEYS)[number]["key"];

/** The row of a key, undefined when there is none. */
export function queryKey(name: string): (QueryKeyRow & { key: QueryKey }) | undefined {
  return QUERY_KEYS.find(({ key }) => key === name);
}

/** What other code searches call a key. */
const ELSEWHERE: Readonly<Record<string, QueryKey>> = {
  file: "path",
  filename: "path",
  f: "path",
  in: "path",
  language: "lang",
  symbol: "sym",
  function: "def",
  references: "ref",
  callers: "calls",
  repository: "repo",
  r: "repo",
  b: "branch",
  rev: "branch",
  text: "content",
  c: "content",
};

/** The key that other code searches call so. */
export function keyElsewhere(name: string): QueryKey | undefined {
  const known = name.toLowerCase();
  return Object.hasOwn(ELSEWHERE, known) ? ELSEWHERE[known] : undefined;
}

/** The key that a slip of the pen is nearest to, by its own name or by what other code searches call it. */
export function keyNear(name: string): QueryKey | undefined {
  const own = QUERY_KEYS.map(({ key }) => key as string);
  const [near] = nearest(name, [...own, ...Object.keys(ELSEWHERE).filter((other) => other.length > 1)], 1);
  return near === undefined ? undefined : (keyElsewhere(near) ?? queryKey(near)?.key);
}
