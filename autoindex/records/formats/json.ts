import { BOUNDS, counted } from "../bounds.js";
import { isRecord, none, oneList, type Reading, type RecordList, type RecordValue } from "../record.js";
import { jsonProblem } from "./json-problem.js";
import { scanValues } from "./json-scan.js";

/** Of the text of an object, the share that its lists of records must make up; the rest is their heading. */
const LIST_SHARE = 0.7;
/** Records from which on a list in an object is data; shorter ones are settings. */
const MIN_LISTED = 3;
/** Share of lines that may be damaged, told in the notes. */
const MAX_BAD_LINES = 0.02;
/** A number that a double cannot hold, so that the text itself is kept. */
const LONG_DIGITS = /\d{16}/;

/** JSON in its shapes of lists: an array, an object around lists, one value a line, values one after the other. */
export function readJson(text: string): Reading {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = /^\s*(.)/s.exec(body.slice(0, 1000))?.[1];
  if (first !== "[" && first !== "{") return none("it does not begin like JSON");
  const value = parse(body);
  if (value !== undefined) return readWhole(value, body);
  const lines = readJsonLines(body);
  if (!("whyNot" in lines)) return lines;
  return (first === "{" ? readConcatenated(body) : undefined) ?? none(jsonProblem(body));
}

/** The name of the shape that a text was read by. */
export function jsonShape(text: string): "json" | "json lines" {
  const end = text.indexOf("\n");
  return parse(end < 0 ? text : text.slice(0, end)) !== undefined && end > 0 && text.slice(end).trim() !== ""
    ? "json lines"
    : "json";
}

function readWhole(value: unknown, text: string): Reading {
  if (Array.isArray(value)) {
    if (value.length === 0) return none("its array is empty");
    if (!value.every(isRecord)) return none("its array holds more than objects");
    return oneList(value, [], LONG_DIGITS.test(text) ? sourcesOf(text, value.length) : undefined);
  }
  return readListsInside(value as RecordValue, text);
}

/** `{"total": 2, "items": [{...}, {...}]}`: the lists that are most of an object; one alone needs no name. */
function readListsInside(value: RecordValue, text: string): Reading {
  if (isManifest(value)) return none("it is the manifest of a package");
  const lists: RecordList[] = [];
  let chars = 0;
  for (const [key, inner] of Object.entries(value).slice(0, BOUNDS.lists)) {
    if (!Array.isArray(inner) || inner.length < MIN_LISTED || !inner.every(isRecord)) continue;
    lists.push({ part: key, records: inner, notes: [] });
    chars += JSON.stringify(inner).length;
  }
  if (lists.length === 0) return none("it is one JSON object, not a list");
  if (chars < JSON.stringify(value).length * LIST_SHARE)
    return none("it is one JSON object with more in it than lists");
  const notes = LONG_DIGITS.test(text) ? ["numbers of more than 15 digits are rounded"] : [];
  return { lists: lists.map((list) => ({ ...list, part: lists.length === 1 ? "" : list.part, notes })) };
}

/** Describes a package, whose contributors may be most of it. */
function isManifest({ name, version }: RecordValue): boolean {
  return typeof name === "string" && typeof version === "string";
}

function sourcesOf(text: string, count: number): string[] | undefined {
  const sources = scanValues(text, text.indexOf("[") + 1).values;
  return sources.length === count ? sources.map(onOneLine) : undefined;
}

/** A value's text without its line ends, which JSON has between its parts alone. */
function onOneLine(source: string): string {
  return source.replace(/[\r\n]+\s*/g, " ");
}

/** One JSON object a line, blank lines aside; at least two. A few damaged lines, mostly a cut last one, are told of. */
export function readJsonLines(text: string): Reading {
  const records: RecordValue[] = [];
  const sources: string[] = [];
  let [bad, seen] = [0, 0];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(at, end).trim();
    at = end + 1;
    if (line === "") continue;
    seen++;
    const value = line[0] === "{" ? parse(line) : undefined;
    if (isRecord(value)) {
      records.push(value);
      sources.push(line);
    } else if (++bad > 1 + seen * MAX_BAD_LINES) return none("not every line is a JSON object");
  }
  if (records.length < 2) return none("it has fewer than two lines of JSON");
  const notes =
    bad > 0
      ? [
          `${counted(bad, "line")} that ${bad === 1 ? "is" : "are"} no whole JSON object ${bad === 1 ? "was" : "were"} left out`,
        ]
      : [];
  return oneList(records, notes, sources);
}

/** Objects printed over several lines, one after the other. */
function readConcatenated(text: string): Reading | undefined {
  const { values, rest } = scanValues(text, 0);
  const records = values.map(parse);
  if (records.length < 2 || !records.every(isRecord)) return undefined;
  const notes =
    rest.trim() === "" ? [] : [`what follows after ${counted(records.length, "object")} is no JSON and was left out`];
  if (rest.length > text.length * MAX_BAD_LINES && rest.length > 64 * 1024) return undefined;
  return oneList(records as RecordValue[], notes, values.map(onOneLine));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all, or nested deeper than the stack: the caller reads the text as text.
    return undefined;
  }
}
