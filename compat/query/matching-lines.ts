/** Pinakes' own query on the lines of a text: `matching_lines`. */
import { oneOf } from "../body/shape.js";
import { common, querySkeleton, type ReadClause, readField, required } from "./clause.js";

const MATCHING_LINES = querySkeleton("matching_lines", {
  pattern: "string",
  syntax: "string",
  case_insensitive: "boolean",
  whole_word: "boolean",
  multiline: "boolean",
});

export const readMatchingLines: ReadClause = (body) => {
  const { field, options } = readField(body, MATCHING_LINES, "pattern");
  return {
    kind: "matching_lines",
    field,
    pattern: required(options.pattern, "matching_lines", "pattern"),
    syntax: oneOf(options.syntax ?? "regex", ["regex", "literal"], "[matching_lines] [syntax]"),
    caseInsensitive: options.case_insensitive ?? false,
    wholeWord: options.whole_word ?? false,
    multiline: options.multiline ?? false,
    ...common(options),
  };
};
