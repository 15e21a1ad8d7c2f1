/** `html_strip`: a text without the tags of HTML. */
import { stripHtml } from "../../../engine/index.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { textProcessor } from "./string-processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function htmlStrip(options: Options): Run {
  // Without a tag nothing is changed, entities included, as in Elasticsearch.
  return textProcessor(options, (text) => (text.includes("<") && text.includes(">") ? stripHtml(text) : text));
}
