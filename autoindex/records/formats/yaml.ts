import { type Document, parseAllDocuments } from "yaml";
import { BOUNDS, counted } from "../bounds.js";
import { isRecord, none, oneList, type Reading, type RecordValue } from "../record.js";

/**
 * Brackets inside each other, and indented lists and maps inside each other. A thousand would end the parser's stack, and
 * there V8 may meet a pattern that it has to compile, which ends the process.
 */
const MAX_NESTING = 200;

/** A list of maps, or several documents that are maps. Whether it can be either is seen before it is parsed. */
export function readYaml(text: string): Reading {
  if (text.length > BOUNDS.yamlChars) return none(`it is longer than ${BOUNDS.yamlChars} characters`);
  const separators = text.match(/^---(\s|$)/gm)?.length ?? 0;
  const isList = /^([ \t]*(#[^\n]*)?\r?\n|---[^\n]*\n|%[^\n]*\n)*- /.test(text.slice(0, 64 * 1024));
  if (!isList && separators < 2) return none("it is one YAML map, not a list");
  if (flowNesting(text) > MAX_NESTING || blockNesting(text) > MAX_NESTING) return none("it is nested too deep");
  try {
    const documents = parseAllDocuments(text, { logLevel: "silent", uniqueKeys: true, intAsBigInt: true });
    return readDocuments(Array.isArray(documents) ? documents : []);
  } catch (error) {
    // The library throws on aliases beyond the bound.
    return none(`it is no YAML that can be read: ${firstLine(error)}`);
  }
}

function readDocuments(documents: readonly Document.Parsed[]): Reading {
  const faulty = documents.find(({ errors }) => errors.length > 0);
  if (faulty) return none(`it is no YAML: ${firstLine(faulty.errors[0])}`);
  const values = documents
    .map((document) => plain(document.toJS({ maxAliasCount: BOUNDS.yamlAliases }), new Set()))
    .filter((value) => value !== null);
  const records = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
  const [maps, others] = [records.filter(isRecord), records.filter((value) => !isRecord(value))];
  if (maps.length < 2) return none("it is no list of maps");
  if (others.length > maps.length * 0.02) return none("its list holds more than maps");
  const notes =
    others.length > 0
      ? [
          `${counted(others.length, "item")} of the list ${others.length === 1 ? "is no map and was" : "are no maps and were"} left out`,
        ]
      : [];
  return oneList(maps as RecordValue[], notes);
}

/** Flow brackets open at once; those in quotes are counted too, which errs on the safe side. */
function flowNesting(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 91 || char === 123) deepest = Math.max(deepest, ++depth);
    else if ((char === 93 || char === 125) && depth > 0) depth--;
  }
  return deepest;
}

/** Values as JSON has them. Throws for a value that holds itself, by an alias inside of what it names. */
function plain(value: unknown, around: Set<object>): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (around.has(value)) throw new Error("an alias stands inside of what it names");
  around.add(value);
  const made = Array.isArray(value)
    ? value.map((item) => plain(item, around))
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, around)]));
  around.delete(value);
  return made;
}

/** Indented parts open at once: each begins further right than the one around it, `- - x` on one line. */
function blockNesting(text: string): number {
  const columns: number[] = [];
  let deepest = 0;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    for (let at = skipBlanks(text, start, end); at < end; ) {
      while (columns.length > 0 && columns.at(-1)! >= at - start) columns.pop();
      deepest = Math.max(deepest, columns.push(at - start));
      if (!/[-?:]/.test(text[at]!) || !/\s/.test(text[at + 1] ?? " ")) break;
      at = skipBlanks(text, at + 1, end);
    }
    start = end + 1;
  }
  return deepest;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at++;
  return at;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
