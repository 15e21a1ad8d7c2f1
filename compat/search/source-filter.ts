/**
 * `_source` filtering: dotted paths with `*` (which matches across dots too), includes first, then excludes. Works on
 * the document's text, so that what stays keeps the digits it was written with.
 */
import { mayNameBelow, namesPath, type ShownPaths } from "../../engine/index.js";
import { parseTree, printTree, type Tree, type TreeObject } from "../json/tree.js";

/** A function from a document's bytes to the bytes that are shown, and what it goes by. */
export type SourceFilter = ((source: Uint8Array) => Buffer) & { readonly shown: ShownPaths };

interface Matcher {
  /** The path itself, or one of its parents, is named. */
  covers(path: string): boolean;
  /** Something below the path may be named. */
  reaches(path: string): boolean;
}

/** Made once per request. */
export function sourceFilter(shown: ShownPaths): SourceFilter {
  const includes = shown.includes.length === 0 ? undefined : matcher(shown.includes);
  const excludes = shown.excludes.length === 0 ? undefined : matcher(shown.excludes);
  const filter = (source: Uint8Array) => {
    const text = Buffer.from(source.buffer, source.byteOffset, source.length).toString();
    const tree = parseTree(text);
    if (typeof tree === "string" || tree.kind === "array") return Buffer.from(text);
    const included = includes === undefined ? tree : includeIn(tree, "", includes);
    return Buffer.from(printTree(excludes === undefined ? included : excludeIn(included, "", excludes)));
  };
  return Object.assign(filter, { shown });
}

function matcher(patterns: readonly string[]): Matcher {
  return {
    covers: remembered((path) => namesPath(patterns, path)),
    reaches: remembered((path) => mayNameBelow(patterns, path)),
  };
}

/** Documents of a page have the same paths; nobody bounds how many different ones. */
const MOST_REMEMBERED = 1_000;

function remembered(test: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    let answer = known.get(path);
    if (answer === undefined) {
      answer = test(path);
      if (known.size < MOST_REMEMBERED) known.set(path, answer);
    }
    return answer;
  };
}

function includeIn(object: TreeObject, path: string, includes: Matcher): TreeObject {
  return mapObject(object, path, (value, full) => {
    if (includes.covers(full)) return value;
    if (typeof value === "string" || !includes.reaches(full)) return undefined;
    return dropEmpty(descend(value, full, (inner, at) => includeIn(inner, at, includes), "drop"));
  });
}

function excludeIn(object: TreeObject, path: string, excludes: Matcher): TreeObject {
  return mapObject(object, path, (value, full) => {
    if (excludes.covers(full)) return undefined;
    return typeof value === "string"
      ? value
      : descend(value, full, (inner, at) => excludeIn(inner, at, excludes), "keep");
  });
}

function mapObject(
  object: TreeObject,
  path: string,
  each: (value: Tree, path: string) => Tree | undefined,
): TreeObject {
  const keys: string[] = [];
  const values: Tree[] = [];
  for (const [at, key] of object.keys.entries()) {
    const value = each(object.values[at], path === "" ? key : `${path}.${key}`);
    if (value === undefined) continue;
    keys.push(key);
    values.push(value);
  }
  return { kind: "object", keys, values };
}

/** Objects of an array are filtered one by one and vanish when nothing is left of them; plain values count as unnamed. */
function descend(
  tree: Tree,
  path: string,
  each: (object: TreeObject, path: string) => TreeObject,
  scalars: "keep" | "drop",
): Tree {
  if (typeof tree === "string") return tree;
  if (tree.kind === "object") return each(tree, path);
  const values = tree.values
    .filter((value) => typeof value !== "string" || scalars === "keep")
    .map((value) => descend(value, path, each, scalars))
    .filter((value, at) => !isEmptied(value, tree.values[at]));
  return { kind: "array", values };
}

function isEmptied(value: Tree, before: Tree): boolean {
  return (
    typeof value !== "string" && value.values.length === 0 && typeof before !== "string" && before.values.length > 0
  );
}

function dropEmpty(tree: Tree): Tree | undefined {
  return typeof tree !== "string" && tree.values.length === 0 ? undefined : tree;
}
