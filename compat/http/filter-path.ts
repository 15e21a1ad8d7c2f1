/**
 * `filter_path`: comma list of dotted paths; `*` matches within one name, `**` any number of names, a leading `-`
 * excludes. Excludes apply first; an object left empty by the filter disappears, the whole answer at least is `{}`.
 */
import { parseTree, printTree, type Tree, type TreeArray, type TreeObject } from "../json/tree.js";

type Pattern = readonly string[];

/** The JSON text with only what the filters let through; numbers keep the text they had. */
export function filterPath(json: string, filters: readonly string[]): string {
  const includes = filters.filter((filter) => !filter.startsWith("-")).map(parsePattern);
  const excludes = filters.filter((filter) => filter.startsWith("-")).map((filter) => parsePattern(filter.slice(1)));
  let tree: Tree | undefined = parseTree(json);
  if (excludes.length > 0) tree = exclude(tree, excludes);
  if (includes.length > 0 && tree !== undefined) tree = include(tree, includes);
  return tree === undefined ? "{}" : printTree(tree);
}

function parsePattern(filter: string): Pattern {
  return filter.split(/(?<!\\)\./).map((part) => part.replaceAll("\\.", "."));
}

function include(tree: Tree, patterns: readonly Pattern[]): Tree | undefined {
  if (patterns.some((pattern) => pattern.every((part) => part === "**"))) return tree;
  if (typeof tree === "string") return undefined;
  // What is empty has nothing that a filter could match.
  if (tree.values.length === 0) return undefined;
  if (tree.kind === "array") return compactArray(tree, (value) => include(value, patterns));
  return compactObject(tree, (value, key) => {
    const next = patterns.flatMap((pattern) => descend(pattern, key));
    return next.length === 0 ? undefined : include(value, next);
  });
}

function exclude(tree: Tree, patterns: readonly Pattern[]): Tree | undefined {
  if (typeof tree === "string") return tree;
  if (tree.kind === "array") return compactArray(tree, (value) => exclude(value, patterns));
  return compactObject(tree, (value, key) => {
    const next = patterns.flatMap((pattern) => descend(pattern, key));
    return next.some((pattern) => pattern.length === 0) ? undefined : exclude(value, next);
  });
}

/** What is left of a pattern below a name; an empty pattern has been matched whole. */
function descend(pattern: Pattern, key: string): Pattern[] {
  if (pattern.length === 0) return [];
  if (pattern[0] === "**") return [pattern, ...descend(pattern.slice(1), key)];
  return nameMatches(pattern[0], key) ? [pattern.slice(1)] : [];
}

function nameMatches(pattern: string, key: string): boolean {
  if (!pattern.includes("*")) return pattern === key;
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(key);
}

function compactArray(array: TreeArray, each: (value: Tree) => Tree | undefined): Tree | undefined {
  const values = array.values.map(each).filter((value) => value !== undefined);
  return values.length === 0 && array.values.length > 0 ? undefined : { kind: "array", values };
}

function compactObject(object: TreeObject, each: (value: Tree, key: string) => Tree | undefined): Tree | undefined {
  const keys: string[] = [];
  const values: Tree[] = [];
  for (const [at, key] of object.keys.entries()) {
    const value = each(object.values[at], key);
    if (value === undefined) continue;
    keys.push(key);
    values.push(value);
  }
  return values.length === 0 && object.values.length > 0 ? undefined : { kind: "object", keys, values };
}
