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
    const values = readLine(textAt(document, field), dialect);
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

/** The values of a line; empty for those that are not there. Behind a last separator there is none, as in Elasticsearch. */
function readLine(line: string, dialect: Dialect): string[] {
  const values: string[] = [];
  for (let at = 0; at < line.length; ) {
    const { value, end } = readValue(line, at, dialect);
    values.push(value);
    at = end + 1;
  }
  return values;
}

function readValue(line: string, start: number, { separator, quote, trim }: Dialect): { value: string; end: number } {
  let at = start;
  if (trim) while (at < line.length && /[ \t]/.test(line[at])) at++;
  if (line[at] !== quote) {
    const found = line.indexOf(separator, start);
    const end = found < 0 ? line.length : found;
    const value = line.slice(start, end);
    const wrong = Math.max(value.indexOf(quote), value.search(/[\r\n]/));
    if (wrong >= 0) throw illegalArgument(`Illegal character inside unquoted field at ${start + wrong}`);
    return { value: trim ? value.trim() : value, end };
  }
  let value = "";
  for (at++; ; ) {
    const close = line.indexOf(quote, at);
    if (close < 0) throw illegalArgument("Unmatched quote");
    value += line.slice(at, close);
    if (line[close + 1] === quote) {
      value += quote;
      at = close + 2;
      continue;
    }
    at = close + 1;
    break;
  }
  if (trim) while (at < line.length && /[ \t]/.test(line[at])) at++;
  if (at < line.length && line[at] !== separator) {
    throw illegalArgument(`character '${line[at]}' after quoted field at ${at}`);
  }
  return { value, end: at };
}
