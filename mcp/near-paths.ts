import type { Client } from "../client/index.js";
import { INDEX, nearest } from "../code/index.js";
import { sources } from "./node.js";

/** A path that was asked for and is not there. */
export interface MissingPath {
  /** As it was written, inside its repository. */
  path: string;
  repo?: string;
  /** What lies there if it is a slip of the pen. */
  is: "file" | "folder";
}

/** How many entries the catalog is asked for, and how many paths are told. */
const CANDIDATES = 500;
const TOLD = 5;
/** Letters that a near name shares with the wanted one at the start of some word: of a short one the first alone. */
const SHARED = 3;
const SHORT_WORD = 4;

/**
 * Paths that may be meant by one that is not there: of the same base name elsewhere, or of nearly the same letters. Asks
 * the catalog, which knows files that were left out as well.
 */
export async function nearPaths(client: Client, missing: MissingPath): Promise<string[]> {
  const { repo, is } = missing;
  const wanted = missing.path.replace(/^\.?\/+|\/+$/g, "");
  const base = baseOf(wanted);
  const words = base.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  if (words.length === 0) return [];
  const should = [
    { match: { "path.text": { query: words.join(" ") } } },
    ...words.map((word) => ({ prefix: { "path.text": beginningOf(word) } })),
  ];
  const filter = [{ term: { entry: "file" } }, ...(repo === undefined ? [] : [{ term: { repo } }])];
  const body = {
    query: { bool: { filter, should, minimum_should_match: 1 } },
    size: CANDIDATES,
    sort: [{ _score: { order: "desc" } }, { path: { order: "asc" } }],
    _source: ["path"],
  };
  const found = (await sources<{ path: string }>(client, INDEX.catalog, body)).map(({ path }) => path);
  const candidates = [...new Set(is === "file" ? found : found.flatMap(foldersAbove))];
  const named = (name: string) => candidates.filter((path) => baseOf(path).toLowerCase() === name.toLowerCase());
  const bases = nearest(base, [...new Set(candidates.map(baseOf))], TOLD);
  return [...new Set([...named(base), ...nearest(wanted, candidates, TOLD), ...bases.flatMap(named)])]
    .filter((path) => path !== wanted)
    .slice(0, TOLD);
}

/** `; near paths: a, b`, nothing when there are none. */
export function nearPathsNote(near: readonly string[]): string {
  return near.length === 0 ? "" : `; near paths: ${near.join(", ")}`;
}

function beginningOf(word: string): string {
  return word.slice(0, word.length <= SHORT_WORD ? 1 : SHARED).toLowerCase();
}

/** A folder that was left out as a whole ends with `/`. */
function baseOf(path: string): string {
  return path.replace(/\/$/, "").split("/").at(-1) ?? "";
}

function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}
