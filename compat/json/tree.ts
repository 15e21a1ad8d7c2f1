/**
 * JSON as a tree whose leaves are the text they were written with: for re-arranging JSON (`filter_path`, `_source`
 * filtering, `pretty`) without touching a single number. Only for text that is known to be valid JSON.
 */
export type Tree = TreeObject | TreeArray | string;

export interface TreeObject {
  readonly kind: "object";
  /** Decoded names, in the order of the text. */
  readonly keys: string[];
  readonly values: Tree[];
}

export interface TreeArray {
  readonly kind: "array";
  readonly values: Tree[];
}

interface Cursor {
  readonly text: string;
  at: number;
}

/** The tree of valid JSON text; what is given for other text is undefined. */
export function parseTree(text: string): Tree {
  return readTree({ text, at: 0 });
}

/** The text of a tree, without white space. */
export function printTree(tree: Tree): string {
  if (typeof tree === "string") return tree;
  if (tree.kind === "array") return `[${tree.values.map(printTree).join(",")}]`;
  return `{${tree.keys.map((key, at) => `${JSON.stringify(key)}:${printTree(tree.values[at])}`).join(",")}}`;
}

/** The text of an object's members by name, each as it was written but for white space. */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const tree = parseTree(text);
  if (typeof tree === "string" || tree.kind !== "object") return new Map();
  return new Map(tree.keys.map((key, at) => [key, printTree(tree.values[at])]));
}

/** The text of a tree as Elasticsearch's `pretty` writes it, without the newline at the end. */
export function printPretty(tree: Tree, indent = ""): string {
  if (typeof tree === "string") return tree;
  const inner = `${indent}  `;
  const array = tree.kind === "array";
  if (tree.values.length === 0) return array ? "[ ]" : "{ }";
  const lines = tree.values.map((value, at) => {
    const name = array ? "" : `${JSON.stringify((tree as TreeObject).keys[at])} : `;
    return inner + name + printPretty(value, inner);
  });
  const [open, close] = array ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function readTree(cursor: Cursor): Tree {
  skipSpace(cursor);
  const open = cursor.text[cursor.at];
  if (open === "{") return readObject(cursor);
  if (open === "[") return readArray(cursor);
  return open === '"' ? readString(cursor) : readBare(cursor);
}

function readObject(cursor: Cursor): TreeObject {
  const keys: string[] = [];
  const values: Tree[] = [];
  cursor.at++;
  for (skipSpace(cursor); cursor.text[cursor.at] === '"' || cursor.text[cursor.at] === ","; skipSpace(cursor)) {
    if (cursor.text[cursor.at] === ",") {
      cursor.at++;
      continue;
    }
    const key = readString(cursor);
    keys.push(key.includes("\\") ? (JSON.parse(key) as string) : key.slice(1, -1));
    skipSpace(cursor);
    cursor.at++;
    values.push(readTree(cursor));
  }
  cursor.at++;
  return { kind: "object", keys, values };
}

function readArray(cursor: Cursor): TreeArray {
  const values: Tree[] = [];
  cursor.at++;
  for (skipSpace(cursor); cursor.at < cursor.text.length && cursor.text[cursor.at] !== "]"; skipSpace(cursor)) {
    if (cursor.text[cursor.at] === ",") cursor.at++;
    else values.push(readTree(cursor));
  }
  cursor.at++;
  return { kind: "array", values };
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  let end = cursor.text.indexOf('"', start + 1);
  for (; end !== -1; end = cursor.text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (cursor.text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) break;
  }
  cursor.at = end === -1 ? cursor.text.length : end + 1;
  return cursor.text.slice(start, cursor.at);
}

const BARE = /[^\s,\]}]+/y;

function readBare(cursor: Cursor): string {
  BARE.lastIndex = cursor.at;
  const text = BARE.exec(cursor.text)?.[0] ?? "";
  cursor.at += Math.max(1, text.length);
  return text;
}

function skipSpace(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && cursor.text.charCodeAt(cursor.at) <= 0x20) cursor.at++;
}
