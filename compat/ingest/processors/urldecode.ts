/** `urldecode`: `%20` and `+` become a space. */
import { illegalArgument } from "../../errors.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { textProcessor } from "./string-processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function urldecode(options: Options): Run {
  return textProcessor(options, (text) => {
    const spaced = text.replaceAll("+", " ");
    if (!spaced.includes("%")) return spaced;
    const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(spaced);
    if (bad !== null) {
      throw illegalArgument(
        `Could not URL-decode value [${text}]: illegal hex characters in escape (%) pattern [${bad[0]}]`,
      );
    }
    // Bytes that are no UTF-8 become U+FFFD, as in Java.
    return spaced.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
  });
}
