/** `date`: a text or a number as a moment. */

import { dateFormat, timeZone } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";
import { dateReader } from "../dates.js";
import { compileTemplate } from "../document/template.js";
import { textOf } from "../document/values.js";
import type { Options } from "../options.js";
import type { CompileTools, Run } from "../processor.js";

const DEFAULT_OUTPUT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function date(options: Options, { now }: CompileTools): Run {
  const field = options.plainPath("field");
  const target = options.pathOr("target_field", "@timestamp");
  const zone = compileTemplate(options.optionalString("timezone") ?? "UTC");
  const locale = compileTemplate(options.optionalString("locale") ?? "en");
  const formats = options.strings("formats").map(compileTemplate);
  const output = dateFormat(options.optionalString("output_format") ?? DEFAULT_OUTPUT);
  // What can be known now is made now.
  if (zone.constant !== undefined) timeZone(zone.constant);
  const readers = formats.map(({ constant }) =>
    constant === undefined || locale.constant === undefined ? undefined : dateReader(constant, locale.constant),
  );
  return (document) => {
    const text = textOf(document.get(field));
    const place = timeZone(zone.render(document));
    let problem = "";
    for (const [at, format] of formats.entries()) {
      const read = readers[at] ?? dateReader(format.render(document), locale.render(document));
      const millis = read(text, { zone: place, now: now() });
      if (millis !== null) {
        document.set(target(document), output.print(millis, place));
        return;
      }
      problem = `failed to parse date field [${text}] with format [${format.render(document)}]`;
    }
    throw illegalArgument(`unable to parse date [${text}]`, { type: "illegal_argument_exception", reason: problem });
  };
}
