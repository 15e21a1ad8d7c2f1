/**
 * `filter_path`: comma list of dotted paths; `*` matches within one name, `**` any number of names, a leading `-`
 * excludes. Excludes apply first; an object left empty by the filter disappears, the whole answer at least is `{}`.
 */
import { matchesPattern } from "../../engine/index.js";
import { parseTree, printTree, type Tree, type TreeArray, type TreeObject } from "../json/tree.js";

/**
 * A path's names from one of them on; undefined: all have been matched. What is left of a path after a name is one object
 * however often it is met, so that many `**` do not multiply what is tried.
 */
type Pattern = { readonly name: string; readonly rest: Pattern } | undefined;

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
  const names = filter.split(/(?<!\\)\./).map((part) => part.replaceAll("\\.", "."));
  return names.reduceRight<Pattern>((rest, name) => ({ name, rest }), undefined);
}

function include(tree: Tree, patterns: readonly Pattern[]): Tree | undefined {
  if (patterns.some(isMatched)) return tree;
  if (typeof tree === "string") return undefined;
  // What is empty has nothing that a filter could match.
  if (tree.values.length === 0) return undefined;
  if (tree.kind === "array") return compactArray(tree, (value) => include(value, patterns));
  return compactObject(tree, (value, key) => {
    const next = descend(patterns, key);
    return next.length === 0 ? undefined : include(value, next);
  });
}

function exclude(tree: Tree, patterns: readonly Pattern[]): Tree | undefined {
  if (typeof tree === "string") return tree;
  if (tree.kind === "array") return compactArray(tree, (value) => exclude(value, patterns));
  return compactObject(tree, (value, key) => {
    const next = descend(patterns, key);
    return next.includes(undefined) ? undefined : exclude(value, next);
  });
}

/** Whether nothing is left of a pattern that must be met. */
function isMatched(pattern: Pattern): boolean {
  return pattern === undefined || (pattern.name === "**" && isMatched(pattern.rest));
}

/** What is left of patterns below a name, each once. */
function descend(patterns: readonly Pattern[], key: string): Pattern[] {
  const left = new Set<Pattern>();
  for (let pattern of patterns) {
    for (; pattern?.name === "**"; pattern = pattern.rest) left.add(pattern);
    if (pattern !== undefined && matchesPattern(pattern.name, key)) left.add(pattern.rest);
  }
  return [...left];
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
