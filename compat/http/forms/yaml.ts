/** YAML from and to JSON text. Numbers keep their spelling; anchors and tags, which Elasticsearch's parser has no use for, are refused. */
import { createRequire } from "node:module";
import type { Node as YamlNode } from "yaml";
import { ApiError } from "../../errors.js";
import { printDouble, printJson } from "../../json/print.js";
import type { Tree } from "../../json/tree.js";
import { notReadable } from "./byte-source.js";

/** Read with the first YAML body: most nodes never see one, and it is eighty files. */
let library: typeof import("yaml") | undefined;

function yaml(): typeof import("yaml") {
  library ??= createRequire(import.meta.url)("yaml") as typeof import("yaml");
  return library;
}

/** The largest YAML body, as Elasticsearch's parser has it (SnakeYAML's limit of code points). */
export const MAX_YAML_BYTES = 3 * 1024 * 1024;

/** JSON text of a YAML document. Throws ApiError 400, 413 for a body that is too large to be read at once. */
export function readYaml(bytes: Buffer): string {
  if (bytes.length > MAX_YAML_BYTES) {
    const reason = `The incoming YAML document exceeds the limit: ${MAX_YAML_BYTES} bytes`;
    throw new ApiError(413, "content_too_large_exception", reason);
  }
  try {
    const document = yaml().parseDocument(bytes.toString("utf8"), {
      uniqueKeys: true,
      intAsBigInt: true,
      merge: false,
    });
    const [error] = document.errors;
    if (error !== undefined) throw notReadable("YAML", error.message);
    return textOf(document.contents as YamlNode | null);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Nesting that leaves no stack.
    throw notReadable("YAML", (error as Error).message);
  }
}

function textOf(node: YamlNode | null): string {
  if (node === null) return "null";
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  if (isAlias(node)) throw notReadable("YAML", "anchors are not supported by Pinakes");
  if (isSeq(node)) return `[${node.items.map((item) => textOf(item as YamlNode | null)).join(",")}]`;
  if (isMap(node)) {
    const members = node.items.map(
      ({ key, value }) => `${keyOf(key as YamlNode | null)}:${textOf(value as YamlNode | null)}`,
    );
    return `{${members.join(",")}}`;
  }
  if (isScalar(node)) return scalarText(node.value, node.source);
  throw notReadable("YAML", "a node of unknown kind");
}

function keyOf(key: YamlNode | null): string {
  if (key === null) return '"null"';
  if (!yaml().isScalar(key)) throw notReadable("YAML", "a key that is no text");
  return JSON.stringify(typeof key.value === "string" ? key.value : (key.source ?? String(key.value)));
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function scalarText(value: unknown, source: string | undefined): string {
  if (typeof value !== "number") return printJson(value);
  if (source !== undefined && JSON_NUMBER.test(source)) return source;
  if (!Number.isFinite(value)) throw notReadable("YAML", `[${source ?? value}] is no number of JSON`);
  return printDouble(value);
}

/** A JSON tree as a YAML document, as Jackson's generator lays it out. */
export function printYaml(tree: Tree): string {
  const lines: string[] = ["---"];
  if (isFlat(tree)) lines.push(flat(tree));
  else addBlock(lines, tree as Exclude<Tree, string>, "", "");
  return `${lines.join("\n")}\n`;
}

/** Whether a value stands on one line. */
function isFlat(tree: Tree): boolean {
  return typeof tree === "string" || tree.values.length === 0;
}

function flat(tree: Tree): string {
  if (typeof tree !== "string") return tree.kind === "array" ? "[]" : "{}";
  return tree.startsWith('"') ? quoted(JSON.parse(tree) as string) : tree;
}

/** Adds the lines of a list or an object; `first` begins the first of them, `indent` the others. */
function addBlock(lines: string[], tree: Exclude<Tree, string>, first: string, indent: string): void {
  for (const [at, value] of tree.values.entries()) {
    const lead = at === 0 ? first : indent;
    if (tree.kind === "array") {
      if (isFlat(value)) lines.push(`${lead}- ${flat(value)}`);
      else addBlock(lines, value as Exclude<Tree, string>, `${lead}- `, `${indent}  `);
      continue;
    }
    const key = keyText(tree.keys[at]);
    if (isFlat(value)) {
      lines.push(`${lead}${key}: ${flat(value)}`);
      continue;
    }
    lines.push(`${lead}${key}:`);
    const block = value as Exclude<Tree, string>;
    const below = block.kind === "array" ? indent : `${indent}  `;
    addBlock(lines, block, below, below);
  }
}

const PLAIN_KEY = /^[A-Za-z_][\w.-]*$/;
const WORD = /^(?:true|false|yes|no|on|off|y|n|null)$/i;

function keyText(key: string): string {
  return PLAIN_KEY.test(key) && !WORD.test(key) ? key : quoted(key);
}

/** What YAML's double quotes read otherwise than JSON's is escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
