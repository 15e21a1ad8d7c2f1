/**
 * `_source` filtering: dotted paths with `*` (which matches across dots too). A value is shown when it or what it lies in
 * is included, and neither it nor what it lies in is excluded. Works on the document's text, so that what stays keeps the
 * digits it was written with.
 *
 * Of objects and arrays that nothing is left of, those that are included themselves stay as `{}` and `[]`; those that were
 * only entered for the sake of something inside them vanish, and within an array that is looked into so do all that are empty.
 */
import { mayNameBelow, namesPath, type ShownPaths } from "../../engine/index.js";
import { parseTree, printTree, type Tree, type TreeArray, type TreeObject } from "../json/tree.js";

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
  const includes = matcher(shown.includes);
  const excludes = matcher(shown.excludes);
  const isAllNamed = shown.includes.length === 0;
  const filter = (source: Uint8Array) => {
    const text = Buffer.from(source.buffer, source.byteOffset, source.length).toString();
    const tree = parseTree(text);
    if (typeof tree === "string" || tree.kind === "array") return Buffer.from(text);
    return Buffer.from(printTree(membersShown(tree, { path: "", isNamed: isAllNamed }, { includes, excludes })));
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

interface Matchers {
  readonly includes: Matcher;
  readonly excludes: Matcher;
}

/** Where the walk is, and whether that is included: then everything inside is, too. */
interface Place {
  readonly path: string;
  readonly isNamed: boolean;
}

function membersShown(object: TreeObject, { path, isNamed }: Place, matchers: Matchers): TreeObject {
  const keys: string[] = [];
  const values: Tree[] = [];
  for (const [at, key] of object.keys.entries()) {
    const full = path === "" ? key : `${path}.${key}`;
    if (matchers.excludes.covers(full)) continue;
    const place = { path: full, isNamed: isNamed || matchers.includes.covers(full) };
    const value = memberShown(object.values[at], place, matchers);
    if (value === undefined) continue;
    keys.push(key);
    values.push(value);
  }
  return { kind: "object", keys, values };
}

function memberShown(value: Tree, place: Place, matchers: Matchers): Tree | undefined {
  if (isWholeShown(place, matchers)) return value;
  if (typeof value === "string") return place.isNamed ? value : undefined;
  if (!place.isNamed && !matchers.includes.reaches(place.path)) return undefined;
  const left = value.kind === "object" ? membersShown(value, place, matchers) : itemsShown(value, place, matchers);
  return place.isNamed || left.values.length > 0 ? left : undefined;
}

/** Nothing inside can be excluded. */
function isWholeShown({ path, isNamed }: Place, { excludes }: Matchers): boolean {
  return isNamed && !excludes.reaches(path);
}

/** Items have the path of their array. */
function itemsShown(array: TreeArray, place: Place, matchers: Matchers): TreeArray {
  const values: Tree[] = [];
  for (const item of array.values) {
    if (typeof item === "string") {
      if (place.isNamed) values.push(item);
      continue;
    }
    const left = item.kind === "object" ? membersShown(item, place, matchers) : itemsShown(item, place, matchers);
    if (left.values.length > 0) values.push(left);
  }
  return { kind: "array", values };
}
