/** `html_strip`: a text without the tags of HTML. */
import { stripHtml } from "../../../engine/index.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { textProcessor } from "./string-processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function htmlStrip(options: Options): Run {
  return textProcessor(options, stripHtml);
}
