/** `dissect`: a text taken apart at what stands between its parts, without regular expressions. */
import { illegalArgument } from "../../errors.js";
import { setField, textAt } from "../document/ingest-document.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** `%{+name/2->}` */
interface Key {
  readonly name: string;
  /** `+` appends, `*` names another key, `&` is named by one, `?` and the empty key throw away. */
  readonly modifier: "" | "+" | "*" | "&" | "?";
  /** Place among the parts that are appended. */
  readonly order: number;
  /** The delimiter behind may come several times. */
  readonly padded: boolean;
  /** What stands behind it. */
  readonly delimiter: string;
}

interface Pattern {
  readonly leading: string;
  readonly keys: readonly Key[];
}

const KEY = /%\{([^}]*)\}/g;

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function dissect(options: Options): Run {
  const field = options.plainPath("field");
  const written = options.string("pattern");
  const separator = options.optionalString("append_separator") ?? "";
  const ignoreMissing = options.boolean("ignore_missing", false);
  const pattern = readPattern(written, options);
  return (document) => {
    if (ignoreMissing && (document.lookUp(field) ?? null) === null) return;
    const text = textAt(document, field);
    const values = split(text, pattern);
    if (values === undefined) {
      throw illegalArgument(`Unable to find match for dissect pattern: ${written} against source: ${text}`);
    }
    for (const [name, value] of resolved(pattern.keys, values, separator)) setField(document, name, value);
  };
}

function readPattern(written: string, options: Options): Pattern {
  const matches = [...written.matchAll(KEY)];
  if (matches.every((match) => match[1] === "" || match[1].startsWith("?")))
    throw options.error(
      "pattern",
      `Unable to parse pattern: ${written}. Reason: Unable to find any keys or delimiters.`,
    );
  const keys = matches.map((match, at) => {
    const end = match.index + match[0].length;
    return readKey(match[1], written.slice(end, matches[at + 1]?.index ?? written.length));
  });
  const names = (modifier: string) =>
    keys
      .filter((key) => key.modifier === modifier)
      .map(({ name }) => name)
      .sort()
      .join();
  if (names("*") !== names("&")) {
    throw options.error(
      "pattern",
      `Unable to parse pattern: ${written}. Reason: Found invalid key/reference associations`,
    );
  }
  return { leading: written.slice(0, matches[0].index), keys };
}

function readKey(written: string, delimiter: string): Key {
  const padded = written.endsWith("->");
  const inner = padded ? written.slice(0, -2) : written;
  const [, modifier, name, order] = /^([+*&?]?)(.*?)(?:\/(\d+))?$/.exec(inner) as RegExpExecArray;
  const ordered = modifier === "+" && order !== undefined;
  return {
    name: ordered || order === undefined ? name : `${name}/${order}`,
    modifier: modifier as Key["modifier"],
    order: ordered ? Number(order) : 0,
    padded,
    delimiter,
  };
}

/**
 * The text of each key, in order; undefined where the text is not like that. A delimiter that comes again at once is
 * skipped after a padded key; after another one the next key is empty, whatever its own delimiter, as in Elasticsearch.
 */
function split(text: string, { leading, keys }: Pattern): string[] | undefined {
  if (!text.startsWith(leading)) return undefined;
  const values: string[] = [];
  let at = leading.length;
  while (values.length < keys.length) {
    const { delimiter, padded } = keys[values.length];
    if (delimiter === "") {
      values.push(text.slice(at));
      return values.length === keys.length ? values : undefined;
    }
    const found = text.indexOf(delimiter, at);
    if (found < 0) return undefined;
    values.push(text.slice(at, found));
    at = found + delimiter.length;
    while (text.startsWith(delimiter, at) && (padded || values.length < keys.length)) {
      at += delimiter.length;
      if (!padded) values.push("");
    }
  }
  return values;
}

/** Fields and their values: what is appended is joined, what is named by another key has its name. */
function resolved(keys: readonly Key[], values: readonly string[], separator: string): Map<string, string> {
  const fields = new Map<string, string>();
  const parts = new Map<string, { order: number; value: string }[]>();
  const appended = new Set(keys.filter(({ modifier }) => modifier === "+").map(({ name }) => name));
  for (const [at, { name, modifier, order }] of keys.entries()) {
    if (name === "" || modifier === "?") continue;
    if (appended.has(name) && (modifier === "+" || modifier === "")) {
      parts.set(name, [...(parts.get(name) ?? []), { order, value: values[at] }]);
    } else if (modifier === "*") {
      const value = keys.findIndex((key) => key.modifier === "&" && key.name === name);
      fields.set(values[at], values[value]);
    } else if (modifier === "") fields.set(name, values[at]);
  }
  for (const [name, list] of parts) {
    const ordered = [...list].sort((a, b) => a.order - b.order);
    fields.set(name, ordered.map(({ value }) => value).join(separator));
  }
  return fields;
}
