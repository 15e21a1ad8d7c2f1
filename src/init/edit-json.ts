import { isDeepStrictEqual } from "node:util";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ConfigError } from "./config-error.js";

const BOM = "\uFEFF";

/** An entry to be set in a file of JSON, with or without comments. */
export interface JsonEdit {
  /** For messages. */
  file: string;
  /** The file's text; undefined when there is none. */
  text: string | undefined;
  /** Path of keys to the entry. */
  path: readonly string[];
  entry: Readonly<Record<string, unknown>>;
}

/**
 * The text with the entry's keys set; the same text when they are. Every other byte stays: comments, the order of keys,
 * keys that are not known here, the layout. Throws ConfigError for a text that is no JSON object or has something else
 * on the path.
 */
export function setJsonEntry({ file, text = "", path, entry }: JsonEdit): string {
  const mark = text.startsWith(BOM) ? BOM : "";
  const bare = text.slice(mark.length);
  let after = bare.trim() === "" ? "{}\n" : bare;
  const root = parseObject(file, after);
  refuseDoubled(
    root,
    [...path.map((_, at) => path.slice(0, at + 1)), ...Object.keys(entry).map((key) => [...path, key])],
    file,
  );
  const depth = deepestObject(root, path, file);
  if (depth < path.length) {
    const value = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
    return mark + withProperty(after, findNodeAtLocation(root, path.slice(0, depth)) ?? root, path[depth], value);
  }
  for (const [key, value] of Object.entries(entry)) after = withValue(after, path, key, value);
  return mark + after;
}

/** The tree of a text. Throws ConfigError with the place of the first fault. */
function parseObject(file: string, text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const lines = text.slice(0, first.offset).split("\n");
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
    throw new ConfigError(file, `it is no valid JSON (${printParseErrorCode(first.error)} at ${place})`);
  }
  if (root?.type !== "object") throw new ConfigError(file, "it holds no JSON object");
  return root;
}

/** How many keys of the path lead to objects that are there. */
function deepestObject(root: Node, path: readonly string[], file: string): number {
  for (let depth = 1; depth <= path.length; depth++) {
    const node = findNodeAtLocation(root, path.slice(0, depth));
    if (node === undefined) return depth - 1;
    if (node.type !== "object") throw new ConfigError(file, `"${path.slice(0, depth).join(".")}" is no object`);
  }
  return path.length;
}

/** Of a key that stands twice, programs read the last one, others the first: whichever is changed, half is wrong. */
function refuseDoubled(root: Node, paths: readonly (readonly string[])[], file: string): void {
  for (const path of paths) {
    const object = findNodeAtLocation(root, path.slice(0, -1));
    const keys = (object?.children ?? []).map((property) => property.children?.[0]?.value);
    if (object?.type === "object" && keys.filter((key) => key === path.at(-1)).length > 1)
      throw new ConfigError(file, `"${path.join(".")}" stands in it twice: take one away`);
  }
}

/** Sets one key of the object at a path that is there. */
function withValue(text: string, path: readonly string[], key: string, value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const object = root && findNodeAtLocation(root, [...path]);
  const known = root && findNodeAtLocation(root, [...path, key]);
  if (object === undefined) return text;
  if (known === undefined) return withProperty(text, object, key, value);
  if (isDeepStrictEqual(getNodeValue(known), value)) return text;
  const written = layOut(text, value, lineIndent(text, known.offset));
  return text.slice(0, known.offset) + written + text.slice(known.offset + known.length);
}

/** Adds a key behind the last one of an object: on a line of its own where the object has lines. */
function withProperty(text: string, object: Node, key: string, value: unknown): string {
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const end = last === undefined ? object.offset + 1 : last.offset + last.length;
  const tail = text.slice(end, close).trimEnd();
  const comma = last === undefined || hasComma(tail) ? "" : ",";
  const head = text.slice(0, end) + comma + tail;
  const quoted = `${JSON.stringify(key)}: `;
  const isOnOneLine = last !== undefined && !text.slice(object.offset, close).includes("\n");
  if (isOnOneLine) return `${head} ${quoted}${JSON.stringify(value)}${text.slice(end + tail.length)}`;
  const outer = lineIndent(text, object.offset);
  const indent = last === undefined ? outer + unitOf(text) : lineIndent(text, last.offset);
  const eol = eolOf(text);
  const trailing = last !== undefined && comma === "" ? "," : "";
  return `${head}${eol}${indent}${quoted}${layOut(text, value, indent)}${trailing}${eol}${outer}${text.slice(close)}`;
}

/** Whether a comma stands behind the last value, comments apart. */
function hasComma(tail: string): boolean {
  return tail.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "").includes(",");
}

/** A value over lines, as the text is laid out. */
function layOut(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eolOf(text) + indent);
}

/** White space at the beginning of the line of an offset. */
function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** One step of indentation as the text has it: two spaces where it has none. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
