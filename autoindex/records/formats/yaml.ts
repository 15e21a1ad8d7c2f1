import { type Document, parseAllDocuments } from "yaml";
import { BOUNDS, counted } from "../bounds.js";
import { isRecord, none, oneList, type Reading, type RecordValue } from "../record.js";

/** Brackets and braces inside each other; more would end the parser's stack. */
const MAX_NESTING = 200;

/** A list of maps, or several documents that are maps. Whether it can be either is seen before it is parsed. */
export function readYaml(text: string): Reading {
  if (text.length > BOUNDS.yamlChars) return none(`it is longer than ${BOUNDS.yamlChars} characters`);
  const separators = text.match(/^---(\s|$)/gm)?.length ?? 0;
  const isList = /^([ \t]*(#[^\n]*)?\r?\n|---[^\n]*\n|%[^\n]*\n)*- /.test(text.slice(0, 64 * 1024));
  if (!isList && separators < 2) return none("it is one YAML map, not a list");
  if (nesting(text) > MAX_NESTING) return none("it is nested too deep");
  try {
    const documents = parseAllDocuments(text, { logLevel: "silent", uniqueKeys: true });
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
    .map((document) => document.toJS({ maxAliasCount: BOUNDS.yamlAliases }))
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
function nesting(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 91 || char === 123) deepest = Math.max(deepest, ++depth);
    else if ((char === 93 || char === 125) && depth > 0) depth--;
  }
  return deepest;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
