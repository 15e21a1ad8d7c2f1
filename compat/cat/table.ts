/** The form of `_cat` answers: columns described as data, printed as aligned text or as JSON objects of strings. */
import { matchesPattern } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";
import { answerFormat } from "../http/media-types.js";
import { json, type Reply, text } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { durationIn, printDuration, printSize, sizeIn } from "../units.js";

/** A cell: text as it is, a count, or a size in bytes (printed as `bytes` asks). */
export type Cell = string | number | { readonly bytes: number } | { readonly millis: number } | null;

export interface Column<R> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Shown unless `h` says otherwise. */
  readonly shown: boolean;
  /** Numbers and sizes stand to the right unless a column says otherwise. */
  readonly align?: "left" | "right";
  readonly cell: (row: R) => Cell;
}

/** A column that is shown by default. */
export function column<R>(name: string, aliases: string, description: string, cell: (row: R) => Cell): Column<R> {
  return { name, aliases: aliases === "" ? [] : aliases.split(","), description, shown: true, cell };
}

/** A column that `h` has to ask for. */
export function extra<R>(name: string, aliases: string, description: string, cell: (row: R) => Cell): Column<R> {
  return { ...column(name, aliases, description, cell), shown: false };
}

/** The column with another alignment than its values have by nature. */
export function aligned<R>(align: "left" | "right", column: Column<R>): Column<R> {
  return { ...column, align };
}

/** Answers a table in the form the request asks for: `help`, `h`, `s`, `v`, `bytes`, `format`. */
export function answerTable<R>(request: ApiRequest, columns: readonly Column<R>[], rows: () => readonly R[]): Reply {
  const { parameters, accept } = request;
  const asValues = answerFormat(parameters.text("format"), accept, true) !== "text";
  if (parameters.boolean("help", false)) return text(help(columns));
  const chosen = chooseColumns(columns, parameters.list("h"));
  const sorted = sortRows(columns, rows(), parameters.list("s") ?? []);
  const units = { bytes: parameters.text("bytes"), time: parameters.text("time") };
  const cells = sorted.map((row) => chosen.map(({ column }) => printCell(column.cell(row), units)));
  if (asValues) return json(cells.map((line) => Object.fromEntries(line.map((cell, at) => [chosen[at].title, cell]))));
  const header = parameters.boolean("v", false) ? [chosen.map(({ title }) => title)] : [];
  return text(
    align(
      [...header, ...cells],
      chosen.map(({ column }) => toTheRight(column, sorted)),
    ),
  );
}

function toTheRight<R>(column: Column<R>, rows: readonly R[]): boolean {
  if (column.align !== undefined) return column.align === "right";
  return rows.some((row) => typeof (column.cell(row) ?? "") !== "string");
}

function help<R>(columns: readonly Column<R>[]): string {
  return align(
    columns.map(({ name, aliases, description }) => [name, "|", aliases.join(","), "|", description]),
    [],
  );
}

interface Chosen<R> {
  readonly title: string;
  readonly column: Column<R>;
}

/** `h=health,doc*`: names, aliases and patterns; titles are as asked. */
function chooseColumns<R>(columns: readonly Column<R>[], asked: readonly string[] | undefined): Chosen<R>[] {
  if (asked === undefined)
    return columns.filter(({ shown }) => shown).map((column) => ({ title: column.name, column }));
  return asked.flatMap((name) => {
    if (!name.includes("*")) {
      const column = findColumn(columns, name);
      return column === undefined ? [] : [{ title: name, column }];
    }
    const matching = columns.filter((column) => matchesPattern(name, column.name));
    return matching.map((column) => ({ title: column.name, column }));
  });
}

function findColumn<R>(columns: readonly Column<R>[], name: string): Column<R> | undefined {
  return columns.find((column) => column.name === name || column.aliases.includes(name));
}

/** `s=docs.count:desc,index` */
function sortRows<R>(columns: readonly Column<R>[], rows: readonly R[], keys: readonly string[]): R[] {
  const parsed = keys.map((key) => {
    const [name, order] = key.split(":");
    const found = findColumn(columns, name);
    if (found === undefined) throw illegalArgument(`Unable to sort by unknown sort key \`${name}\``);
    return { column: found, sign: order === "desc" ? -1 : 1 };
  });
  return [...rows].sort((a, b) => {
    for (const { column, sign } of parsed) {
      const order = compare(rank(column.cell(a)), rank(column.cell(b)));
      if (order !== 0) return order * sign;
    }
    return 0;
  });
}

function rank(cell: Cell): string | number {
  if (cell === null) return "";
  if (typeof cell === "object") return "bytes" in cell ? cell.bytes : cell.millis;
  return cell;
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? 1 : -1;
}

function printCell(cell: Cell, units: { bytes: string | undefined; time: string | undefined }): string | null {
  if (cell === null) return null;
  if (typeof cell !== "object") return String(cell);
  if ("millis" in cell)
    return units.time === undefined ? printDuration(cell.millis) : String(durationIn(cell.millis, units.time));
  return units.bytes === undefined ? printSize(cell.bytes) : String(sizeIn(cell.bytes, units.bytes));
}

/** Columns as wide as their widest cell; numbers and sizes to the right. */
function align(lines: readonly (readonly (string | null)[])[], right: readonly boolean[]): string {
  if (lines.length === 0) return "";
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)));
  const last = widths.length - 1;
  const pad = (cell: string | null, at: number) =>
    padCell(cell ?? "", widths[at], right[at] ? "right" : at === last ? "none" : "left");
  return `${lines.map((line) => line.map(pad).join(" ")).join("\n")}\n`;
}

/** The last column is not padded, as in Elasticsearch. */
function padCell(cell: string, width: number, align: "left" | "right" | "none"): string {
  if (align === "none") return cell;
  return align === "right" ? cell.padStart(width) : cell.padEnd(width);
}
