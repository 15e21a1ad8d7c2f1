/** `date_index_name`: the index that a document goes to by its date. */
import { dateFormat, timeZone } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";
import { dateReader } from "../dates.js";
import { setField } from "../document/ingest-document.js";
import { compileTemplate } from "../document/template.js";
import { textOf } from "../document/values.js";
import type { Options } from "../options.js";
import type { CompileTools, Run } from "../processor.js";

const DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSSXX";
const ROUNDINGS: readonly string[] = ["y", "M", "w", "d", "h", "m", "s"];

/** The name is date math (`<logs-{2020-05-01||/M{yyyy-MM|UTC}}>`), which is resolved when the document is written. */
export function dateIndexName(options: Options, { now }: CompileTools): Run {
  const zoneName = options.optionalString("timezone") ?? "UTC";
  const zone = timeZone(zoneName);
  const locale = options.optionalString("locale") ?? "en";
  const prefix = compileTemplate(options.optionalString("index_name_prefix") ?? "");
  const field = options.plainPath("field");
  const rounding = compileTemplate(options.string("date_rounding"));
  const nameFormat = compileTemplate(options.optionalString("index_name_format") ?? "yyyy-MM-dd");
  const formats = options.optionalStrings("date_formats") ?? [DEFAULT_FORMAT];
  if (formats.length === 0) formats.push(DEFAULT_FORMAT);
  const readers = formats.map((format) => dateReader(format, locale));
  if (nameFormat.constant !== undefined) dateFormat(nameFormat.constant);
  return (document) => {
    const text = textOf(document.get(field));
    const millis = readers.map((read) => read(text, { zone, now: now() })).find((found) => found !== null);
    if (millis === undefined || millis === null) throw illegalArgument(`unable to parse date [${text}]`);
    const unit = rounding.render(document);
    if (!ROUNDINGS.includes(unit)) throw illegalArgument(`unit [${unit}] not supported for date math [/${unit}]`);
    const format = nameFormat.render(document);
    const shown = dateFormat(format).print(millis, zone);
    setField(document, "_index", `<${prefix.render(document)}{${shown}||/${unit}{${format}|${zoneName}}}>`);
  };
}
