import { DECLARATION_KINDS, FILE_CLASSES } from "./kinds.js";

/** The keys of the query language, one row each: add a row here and its clause in to-search.ts. */
export const QUERY_KEYS = [
  { key: "class", example: "test", values: FILE_CLASSES, means: "class of file" },
  { key: "def", example: "Server.start", values: undefined, means: "declared with exactly this name; * allowed" },
  { key: "kind", example: "function", values: DECLARATION_KINDS, means: "kind of declaration" },
  { key: "lang", example: "typescript", values: undefined, means: "language, or a usual short form" },
  { key: "path", example: "src/*", values: undefined, means: "piece of a path, or a pattern for all of it" },
  { key: "repo", example: "pinakes", values: undefined, means: "repository; * allowed" },
  { key: "sym", example: "start", values: undefined, means: "a name with these words in it" },
] as const;

/** Name of a key. */
export type QueryKey = (typeof QUERY_KEYS)[number]["key"];

/** The row of a key, undefined when there is none. */
export function queryKey(name: string): (typeof QUERY_KEYS)[number] | undefined {
  return QUERY_KEYS.find(({ key }) => key === name);
}
