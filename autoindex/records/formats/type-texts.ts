import { BOUNDS } from "../bounds.js";
import { isRecord, type RecordValue } from "../record.js";
import { type Column, ColumnGuess } from "./cells.js";

/** Objects inside objects that are looked at. */
const DEPTH = 8;

/**
 * Numbers and truth values where every text of a field is one, for formats that know texts alone. Changes the records
 * and gives them back. Fields beyond what a data set may have are left as they are.
 */
export function typeTexts(records: RecordValue[]): RecordValue[] {
  const guesses = new Map<string, ColumnGuess>();
  for (const record of records) {
    visit(record, "", 0, (path, text) => {
      const known = guesses.get(path);
      if (known) known.add(text);
      else if (guesses.size < BOUNDS.fields) {
        const guess = new ColumnGuess();
        guesses.set(path, guess);
        guess.add(text);
      }
      return text;
    });
  }
  const typed = new Map<string, Column>();
  for (const [path, guess] of guesses) {
    const column = guess.column();
    if (column.kind !== "text") typed.set(path, column);
  }
  if (typed.size === 0) return records;
  const convert = (path: string, text: string): unknown => {
    const column = typed.get(path);
    return column ? column.convert(text) : text;
  };
  for (const record of records) visit(record, "", 0, convert);
  return records;
}

/** Puts in the place of each text what `replace` makes of it; a field that becomes nothing goes. */
function visit(
  record: RecordValue,
  prefix: string,
  depth: number,
  replace: (path: string, text: string) => unknown,
): void {
  if (depth > DEPTH) return;
  for (const name of Object.keys(record)) {
    const value = record[name];
    const path = prefix === "" ? name : `${prefix}\0${name}`;
    if (typeof value === "string") {
      const put = value === "" ? value : replace(path, value);
      if (put === undefined) delete record[name];
      else if (put !== value) record[name] = put;
    } else if (Array.isArray(value)) {
      record[name] = value.map((item) =>
        typeof item === "string" && item !== "" ? (replace(path, item) ?? item) : item,
      );
      for (const item of value) if (isRecord(item)) visit(item, path, depth + 1, replace);
    } else if (isRecord(value)) visit(value, path, depth + 1, replace);
  }
}
