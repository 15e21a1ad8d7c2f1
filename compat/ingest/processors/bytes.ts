/** `bytes`: `1kb` becomes 1024. */
import { illegalArgument } from "../../errors.js";
import { parseSize } from "../../units.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { textProcessor } from "./string-processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function bytes(options: Options): Run {
  return textProcessor(options, (text) => {
    try {
      // A space before the unit is let through.
      return parseSize(text.replace(/^\s*([\d.]+)\s+(\S+)$/, "$1$2"), "Ingest Field");
    } catch {
      throw illegalArgument(
        `failed to parse setting [Ingest Field] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
      );
    }
  });
}
