/** `gsub`: what a regular expression matches is replaced. */
import { GroupPattern } from "../../../engine/index.js";
import { checkLength } from "../limits.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { readReplacement } from "../replacement.js";
import { textProcessor } from "./string-processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function gsub(options: Options): Run {
  const written = options.string("pattern");
  const replacement = options.string("replacement");
  const pattern = new GroupPattern(written, { dialect: "java", caseInsensitive: false });
  const replace = readReplacement(replacement, pattern, options);
  return textProcessor(options, (text, limit) => {
    let out = "";
    let from = 0;
    for (const match of pattern.findAll(text)) {
      out += text.slice(from, match.begin) + replace(match);
      from = match.end;
      checkLength(out.length, limit);
    }
    return out + text.slice(from);
  });
}
