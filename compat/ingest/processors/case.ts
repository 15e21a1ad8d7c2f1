/** `lowercase`, `uppercase` and `trim`. */
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { textProcessor } from "./string-processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function lowercase(options: Options): Run {
  return textProcessor(options, (text) => text.toLowerCase());
}

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function uppercase(options: Options): Run {
  return textProcessor(options, (text) => text.toUpperCase());
}

/** Java's `trim`: everything up to the space. */
export function trim(options: Options): Run {
  return textProcessor(options, (text) => text.replace(/^[\0-\x20]+/, "").replace(/[\0-\x20]+$/, ""));
}
