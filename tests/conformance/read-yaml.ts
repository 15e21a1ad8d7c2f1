/** YAML of a suite to values. */
import { type Document, isAlias, isScalar, isSeq, isMap as isYamlMap, type Node, parseAllDocuments } from "yaml";
import { Decimal, type Value, type ValueMap } from "./values.js";

/** Lines of one file that may be healed: more than that is no slip but another format. */
const MOST_HEALED = 60;

/** The documents of a file. Throws SyntaxError with the line for what can't be read. */
export function readYaml(text: string, file: string): Value[] {
  return documentsOf(text, file).map((document) => toValue(document.contents as Node | null, document, file));
}

/**
 * Some published files are no YAML 1.2: lines inside braces or quotes are indented less than the rules ask. Parsers that
 * suites were written for take them; a few spaces before such a line change nothing else.
 */
function documentsOf(text: string, file: string): Document[] {
  const lines = text.split("\n");
  for (let healed = 0; ; healed++) {
    const documents = parseAllDocuments(lines.join("\n"), { prettyErrors: false, uniqueKeys: false }) as Document[];
    const [error] = documents.flatMap(({ errors }) => errors);
    if (error === undefined) return documents;
    const line = lines.join("\n").slice(0, error.pos[0]).split("\n").length - 1;
    const at = error.code === "MISSING_CHAR" ? line + 1 : line;
    if (healed >= MOST_HEALED || !isHealable(error.code) || at >= lines.length) {
      throw new SyntaxError(`${file}:${line + 1}: ${error.message}`);
    }
    lines[at] = `  ${lines[at]}`;
  }
}

function isHealable(code: string): boolean {
  return code === "BAD_INDENT" || code === "MISSING_CHAR";
}

function toValue(node: Node | null, document: Document, file: string): Value {
  if (node === null) return null;
  if (isAlias(node)) return toValue(node.resolve(document) as Node, document, file);
  if (isSeq(node)) return node.items.map((item) => toValue(item as Node, document, file));
  if (isYamlMap(node)) {
    const map: ValueMap = new Map();
    for (const { key, value } of node.items)
      map.set(keyText(key as Node), toValue(value as Node | null, document, file));
    return map;
  }
  if (isScalar(node)) return scalar(node.value, node.source);
  throw new SyntaxError(`${file}: a YAML node of an unknown kind`);
}

function keyText(key: Node): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : String(key);
}

function scalar(value: unknown, written = ""): Value {
  // Inside braces the blanks before the next mark are part of it.
  const source = written.trim();
  if (typeof value === "number" && /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value)) return BigInt(source);
  if (typeof value === "number" && !/^[-+]?\d+$/.test(source) && Number.isFinite(value)) return decimal(value, source);
  if (value === undefined) return null;
  return value as Value;
}

/** Written as in the file where that is JSON too. */
function decimal(value: number, source: string): Value {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(source) ? new Decimal(source) : value;
}
