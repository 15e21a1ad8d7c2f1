import Papa from "papaparse";
import { BOUNDS, counted } from "../bounds.js";
import { none, oneList, type Reading } from "../record.js";
import { recordsOfRows } from "./rows.js";

/** Rows whose count of cells differs from the header's: more than this share, and it is no table. */
const MAX_ODD_ROWS = 0.02;
const DELIMITERS = [",", ";", "\t", "|"] as const;
/** Characters that the dialect is told from. */
const SAMPLE = 64 * 1024;
/** Rows of the sample that have the most usual count of cells at least. */
const SAMPLE_SHARE = 0.9;

/** How much it takes to believe that a text is a table: less when the file's name says so. */
export type Belief = "named" | "unnamed";

interface Dialect {
  delimiter: string;
  columns: number;
}

/** A table of delimited cells, whatever its dialect; the name of the file only says how much proof is wanted. */
export function readTable(text: string, belief: Belief): Reading {
  const { body, named, delimiter, header } = readPreamble(text);
  const dialect = delimiter ? { delimiter, columns: 0 } : findDialect(body, named);
  if (!dialect) return none(hasOpenQuote(body) ? "a quote is not closed" : "no delimiter gives rows of equal length");
  const parsed = parseRows(body, dialect.delimiter, named);
  if ("whyNot" in parsed) return parsed;
  const rows =
    header && fits(header, parsed.rows[0], dialect.delimiter)
      ? [header.split(dialect.delimiter), ...parsed.rows]
      : parsed.rows;
  const width = mostUsual(rows.map((row) => row.length));
  if (width < 2) return none("it has one column");
  if (width > BOUNDS.columns) return none(`it has more than ${BOUNDS.columns} columns`);
  const odd = rows.filter((row) => row.length !== width).length;
  if (odd > rows.length * MAX_ODD_ROWS) return none(`${odd} of its ${rows.length} rows have another count of cells`);
  if (rows.length < 2) return none("it has one row");
  if (belief === "unnamed" && (rows.length < 3 || odd > 0)) return none("too few rows to tell a table from prose");
  return finish(rows, width, { delimiter: dialect.delimiter, belief, notes: parsed.notes });
}

function finish(rows: string[][], width: number, how: { delimiter: string; belief: Belief; notes: string[] }): Reading {
  const table = recordsOfRows(rows, { width, delimiter: how.delimiter });
  if ("whyNot" in table) return table;
  const isProof = table.typedColumns > 0 || (table.headed === "header" && width >= 3 && isFull(rows));
  if (how.belief === "unnamed" && (!isProof || table.meanCell > 48)) return none("its cells read like prose");
  return oneList(table.records, [...how.notes, ...table.notes]);
}

/** Enough rows, whose cells are not parts of sentences: after a comma in prose comes a blank. */
function isFull(rows: string[][]): boolean {
  const later = rows.slice(0, 200).flatMap((row) => row.slice(1));
  return rows.length >= 10 && later.filter((cell) => /^\s/.test(cell)).length < later.length / 4;
}

interface Preamble {
  body: string;
  /** Whether comment lines stand at the beginning, so that others may follow. */
  named: "comments" | "plain";
  /** Said by a first line `sep=;`. */
  delimiter: string | undefined;
  /** The last comment line, which may be the header: `#chrom start end`. */
  header: string | undefined;
}

function readPreamble(text: string): Preamble {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const said = /^sep=([,;|\t])\r?\n/.exec(text.slice(start, start + 16));
  if (said) {
    return { body: text.slice(start + said[0].length), named: "plain", delimiter: said[1]!, header: undefined };
  }
  if (text[start] !== "#") return { body: text.slice(start), named: "plain", delimiter: undefined, header: undefined };
  let at = start;
  let last = "";
  while (text[at] === "#") {
    const end = text.indexOf("\n", at);
    if (end < 0) return { body: "", named: "comments", delimiter: undefined, header: undefined };
    last = text.slice(at + 1, end).trim();
    at = end + 1;
  }
  return { body: text.slice(at), named: "comments", delimiter: undefined, header: last };
}

/** Whether the last comment line has as many cells as the rows below. */
function fits(header: string, row: string[] | undefined, delimiter: string): boolean {
  const names = header.split(delimiter);
  return row !== undefined && names.length === row.length && names.every((name) => /^[^\d\s][^\n]*$/.test(name.trim()));
}

/** The delimiter whose rows agree best; cells that hold another delimiter speak against one. */
function findDialect(body: string, named: Preamble["named"]): Dialect | undefined {
  const cut = body.length > SAMPLE ? body.lastIndexOf("\n", SAMPLE) : body.length;
  const sample = body.slice(0, cut <= 0 ? SAMPLE : cut);
  let best: (Dialect & { score: number }) | undefined;
  for (const delimiter of DELIMITERS) {
    if (!sample.includes(delimiter)) continue;
    const rows = Papa.parse<string[]>(sample, configOf(delimiter, named)).data;
    const columns = mostUsual(rows.map((row) => row.length));
    const share = rows.filter((row) => row.length === columns).length / rows.length;
    if (columns < 2 || share < SAMPLE_SHARE) continue;
    const others = DELIMITERS.filter((other) => other !== delimiter);
    const cells = rows.slice(0, 200).flat();
    const mixed = cells.filter((cell) => others.some((other) => cell.includes(other) && !cell.includes(" "))).length;
    const score = share - mixed / cells.length;
    if (!best || score > best.score) best = { delimiter, columns, score };
  }
  return best;
}

/** Whether the cells of a text run on to its end for want of a quote. */
function hasOpenQuote(body: string): boolean {
  return Papa.parse(body.slice(0, SAMPLE), { delimiter: "," }).errors.some(({ type }) => type === "Quotes");
}

function configOf(delimiter: string, named: Preamble["named"]) {
  return { delimiter, skipEmptyLines: true, ...(named === "comments" && { comments: "#" }) } as const;
}

function parseRows(
  body: string,
  delimiter: string,
  named: Preamble["named"],
): { rows: string[][]; notes: string[] } | { whyNot: string } {
  const config = configOf(delimiter, named);
  // Tab-separated files mostly know no quotes; where one is not closed it is a character like any other.
  const quoted = Papa.parse<string[]>(body, config);
  const isBroken = quoted.errors.some(({ type }) => type === "Quotes");
  const parsed = isBroken && delimiter === "\t" ? Papa.parse<string[]>(body, { ...config, quoteChar: "\0" }) : quoted;
  if (isBroken && delimiter !== "\t") return none("a quote is not closed") as { whyNot: string };
  const { data } = parsed;
  if (data.length <= BOUNDS.records) return { rows: data, notes: [] };
  const left = data.length - BOUNDS.records;
  return {
    rows: data.slice(0, BOUNDS.records),
    notes: [`${counted(left, "row")} beyond ${BOUNDS.records} were left out`],
  };
}

/** The number that is met most often, the larger one of equals. */
export function mostUsual(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  let best = 0;
  for (const [number, count] of counts) {
    const most = counts.get(best) ?? 0;
    if (count > most || (count === most && number > best)) best = number;
  }
  return best;
}
