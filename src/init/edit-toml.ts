/**
 * Sets a table of strings and lists in a TOML file by its text, so that comments and layout stay, and believes the result
 * only when a parser reads from it exactly what was there before and the table.
 */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import { ConfigError } from "./config-error.js";

/** A table to be set. */
export interface TomlEdit {
  /** For messages. */
  file: string;
  /** The file's text; undefined when there is none. */
  text: string | undefined;
  /** Keys of the table, such as `mcp_servers`, `pinakes`: bare keys. */
  path: readonly [string, string];
  entry: Readonly<Record<string, unknown>>;
}

type Table = Record<string, unknown>;

/** The text with the table's keys set; the same text when they are. Throws ConfigError where that cannot be done safely. */
export function setTomlTable({ file, text = "", path, entry }: TomlEdit): string {
  const before = parseTable(file, text);
  const [outer, inner] = path;
  const known = tableIn(tableIn(before, outer), inner);
  const missing = Object.entries(entry).filter(([key, value]) => !isDeepStrictEqual(known?.[key], value));
  if (missing.length === 0) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const header = lines.findIndex((line) => headerOf(line) === path.join("."));
  const added = missing.map(([key, value]) => stringify({ [key]: value }).trim());
  const after = header < 0 ? appended(lines, path, added) : changed(lines, header, missing);
  const result = after.join(eol);
  const wanted = { ...before, [outer]: { ...tableIn(before, outer), [inner]: { ...known, ...entry } } };
  if (!isDeepStrictEqual(plain(readBack(result)), plain(wanted))) {
    const block = [
      `[${path.join(".")}]`,
      ...Object.entries(entry).map(([key, value]) => stringify({ [key]: value }).trim()),
    ];
    throw new ConfigError(file, `it is written in a way that is not changed here; add by hand:\n${block.join("\n")}\n`);
  }
  return result;
}

function parseTable(file: string, text: string): Table {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0];
    throw new ConfigError(file, `it is no valid TOML (${reason} at line ${error.line}, column ${error.column})`);
  }
}

function readBack(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function tableIn(table: Table | undefined, key: string): Table | undefined {
  const value = table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : undefined;
}

/** The name in a table's header, without spaces; undefined for other lines. */
function headerOf(line: string): string | undefined {
  return /^\s*\[\s*([^[\]]+?)\s*\]\s*(#.*)?$/
    .exec(line)?.[1]
    .replace(/\s*\.\s*/g, ".")
    .replace(/["']/g, "");
}

function appended(lines: readonly string[], path: readonly string[], added: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  return [...lines.slice(0, end), ...(end > 0 ? [""] : []), `[${path.join(".")}]`, ...added, ""];
}

/** Each key's lines replaced where it stands in the table, else put behind the header. */
function changed(lines: readonly string[], header: number, values: readonly (readonly [string, unknown])[]): string[] {
  const result = [...lines];
  for (const [key, value] of values) {
    const written = stringify({ [key]: value }).trim();
    const at = keyLine(result, header, key);
    if (at === undefined) result.splice(header + 1, 0, written);
    else result.splice(at, valueLines(result, at), written);
  }
  return result;
}

function keyLine(lines: readonly string[], header: number, key: string): number | undefined {
  for (let at = header + 1; at < lines.length && !/^\s*\[/.test(lines[at]); at++)
    if (new RegExp(`^\\s*["']?${key}["']?\\s*=`).test(lines[at])) return at;
  return undefined;
}

/** How many lines a key and its value take: a list may go over several. */
function valueLines(lines: readonly string[], at: number): number {
  for (let count = 1; at + count <= lines.length; count++)
    if (readBack(lines.slice(at, at + count).join("\n")) !== undefined) return count;
  return 1;
}

/** Values without what distinguishes only classes: dates become text. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, bigintToText));
}

function bigintToText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
