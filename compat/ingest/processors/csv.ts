/** `csv`: the fields of one line of separated values (RFC 4180) as fields of the document. */
import { illegalArgument } from "../../errors.js";
import { textAt } from "../document/ingest-document.js";
import { parsePath } from "../document/path.js";
import type { Value } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

interface Dialect {
  readonly separator: string;
  readonly quote: string;
  readonly trim: boolean;
}

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function csv(options: Options): Run {
  const field = options.plainPath("field");
  const targets = options.strings("target_fields").map((name) => (name === "" ? undefined : parsePath(name)));
  if (targets.length === 0) throw options.error("target_fields", "target fields list can't be empty");
  const dialect = {
    separator: character(options, "separator", ","),
    quote: character(options, "quote", '"'),
    trim: options.boolean("trim", false),
  };
  if (dialect.separator === dialect.quote) throw options.error("separator", "separator and quote are the same");
  const ignoreMissing = options.boolean("ignore_missing", false);
  const emptyValue = options.optional("empty_value") as Value | undefined;
  return (document) => {
    if (ignoreMissing && (document.lookUp(field) ?? null) === null) return;
    const values = readLine(textAt(document, field), targets.length, dialect);
    for (const [at, value] of values.entries()) {
      const target = targets[at];
      if (target === undefined) continue;
      if (value !== "") document.set(target, value);
      else if (emptyValue !== undefined) document.set(target, emptyValue);
    }
  };
}

function character(options: Options, name: string, otherwise: string): string {
  const value = options.optionalString(name) ?? otherwise;
  if (value.length !== 1)
    throw options.error(name, `${name} has to be single character like "${otherwise}" or other, but was [${value}]`);
  if (/[\r\n]/.test(value)) throw options.error(name, `${name} has to be a character that ends no line`);
  return value;
}

/**
 * The first `count` values of a line; empty for those that are not there. White space before a quote is skipped, and behind
 * a last separator there is no value, as in Elasticsearch.
 */
function readLine(line: string, count: number, dialect: Dialect): string[] {
  const values: string[] = [];
  for (let at = 0; at < line.length && values.length < count; ) {
    const start = skipSpace(line, at, dialect.separator);
    if (start === line.length) break;
    const { value, end } =
      line[start] === dialect.quote
        ? quoted(line, start + 1, dialect)
        : plain(line, dialect.trim || line[start] === dialect.separator ? start : at, dialect);
    values.push(value);
    at = end + 1;
  }
  return values;
}

interface Read {
  readonly value: string;
  /** Where its separator is, or where the line ends. */
  readonly end: number;
}

/** Where white space ends; a separator is none, be it a tab or a space. */
function skipSpace(line: string, from: number, separator: string): number {
  let at = from;
  while (at < line.length && line[at] !== separator && (line[at] === " " || line[at] === "\t")) at++;
  return at;
}

function plain(line: string, start: number, { separator, quote, trim }: Dialect): Read {
  const found = line.indexOf(separator, start);
  const end = found < 0 ? line.length : found;
  const value = line.slice(start, end);
  const wrong = [...value].findIndex((character) => character === quote || character === "\n" || character === "\r");
  if (wrong >= 0) throw illegalArgument(`Illegal character inside unquoted field at ${start + wrong}`);
  // What stands at the end of the line keeps its white space.
  return { value: trim && found >= 0 ? value.replace(/[ \t]+$/, "") : value, end };
}

function quoted(line: string, start: number, { separator, quote }: Dialect): Read {
  let value = "";
  let at = start;
  for (;;) {
    const close = line.indexOf(quote, at);
    if (close < 0) throw illegalArgument("Unmatched quote");
    value += line.slice(at, close);
    at = close + 1;
    if (line[at] !== quote) break;
    value += quote;
    at++;
  }
  at = skipSpace(line, at, separator);
  if (at < line.length && line[at] !== separator) {
    throw illegalArgument(`character '${line[at]}' after quoted field at ${at}`);
  }
  return { value, end: at };
}
