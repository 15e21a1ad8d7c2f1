/** `kv`: `a=1 b=2` as fields. */
import { GroupPattern } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";
import { type IngestDocument, textAt } from "../document/ingest-document.js";
import { type FieldPath, parsePath } from "../document/path.js";
import { type Options, pathTemplate } from "../options.js";
import type { Run } from "../processor.js";
import { splitBy } from "../split.js";

interface KeyValueOptions {
  readonly field: (document: IngestDocument) => FieldPath;
  readonly target: ((document: IngestDocument) => FieldPath) | undefined;
  readonly fieldSplit: GroupPattern;
  readonly valueSplit: GroupPattern;
  readonly keep: (key: string) => boolean;
  readonly prefix: string;
  readonly trimKey: (key: string) => string;
  readonly value: (value: string) => string;
  readonly ignoreMissing: boolean;
}

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function kv(options: Options): Run {
  const read = readOptions(options);
  return (document) => {
    const path = read.field(document);
    if (read.ignoreMissing && (document.lookUp(path) ?? null) === null) return;
    const text = textAt(document, path);
    const prefix = read.target === undefined ? "" : `${read.target(document).text}.`;
    for (const part of splitBy(text, read.fieldSplit, { limit: 0, bytes: document.limit })) {
      const [key, value] = splitBy(part, read.valueSplit, { limit: 2 });
      if (value === undefined)
        throw illegalArgument(`field [${path.text}] does not contain value_split [${read.valueSplit.pattern}]`);
      const name = read.trimKey(key);
      if (read.keep(name)) add(document, parsePath(prefix + read.prefix + name), read.value(value));
    }
  };
}

/** Several values of one key are a list. */
function add(document: IngestDocument, path: FieldPath, value: string): void {
  if (document.has(path)) document.append(path, [value], "kept");
  else document.set(path, value);
}

function readOptions(options: Options): KeyValueOptions {
  const field = options.path("field");
  const targetName = options.optionalString("target_field");
  const pattern = (name: string) => new GroupPattern(options.string(name), { dialect: "java", caseInsensitive: false });
  const include = options.optionalStrings("include_keys");
  const exclude = options.optionalStrings("exclude_keys");
  const trimValue = trimmer(options.optionalString("trim_value"));
  const strip = options.boolean("strip_brackets", false);
  return {
    field,
    target: targetName === undefined ? undefined : pathTemplate(targetName),
    fieldSplit: pattern("field_split"),
    valueSplit: pattern("value_split"),
    keep: (key) => (include === undefined || include.includes(key)) && exclude?.includes(key) !== true,
    prefix: options.optionalString("prefix") ?? "",
    trimKey: trimmer(options.optionalString("trim_key")),
    value: (value) => trimValue(strip ? unbracketed(value) : value),
    ignoreMissing: options.boolean("ignore_missing", false),
  };
}

/** Takes characters away at both ends. */
function trimmer(characters: string | undefined): (text: string) => string {
  if (characters === undefined || characters === "") return (text) => text;
  const trimmed = new Set(characters);
  return (text) => {
    let [begin, end] = [0, text.length];
    while (begin < end && trimmed.has(text[begin])) begin++;
    while (end > begin && trimmed.has(text[end - 1])) end--;
    return text.slice(begin, end);
  };
}

/** Takes a bracket or a quote away at either end, whether or not the other has its like. */
function unbracketed(text: string): string {
  return text.replace(/^[([<"']/, "").replace(/[\])>"']$/, "");
}
