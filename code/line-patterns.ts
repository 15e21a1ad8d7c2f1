/** What of a query is looked for on lines as they are written, and the clause that asks a node for it. */
import { type LineSettings, lineSettings, readsLines } from "./query.js";
import type { Clause } from "./query-clauses.js";
import { type CodeQuery, leavesOf, type QueryLeaf } from "./query-terms.js";
import { isSensitiveByItself } from "./smart-case.js";

/** A pattern tried on each line; RE2's syntax, or a literal. Absent keys are as `matching_lines` has them: false. */
export interface LinePattern {
  pattern: string;
  syntax?: "literal";
  case_insensitive?: true;
  whole_word?: true;
  multiline?: true;
}

/** Field of files that is searched by lines, and that of declarations. */
export const LINES_FIELD = { files: "body.lines", declarations: "code" } as const;

/** The pattern of a leaf; undefined for one that is no matter of lines. */
export function linePattern(leaf: QueryLeaf, query: Pick<CodeQuery, "terms">): LinePattern | undefined {
  const settings = lineSettings(query);
  if (leaf.type === "regex" && leaf.on === "lines") return patternOf(leaf, settings);
  if (leaf.type === "literal") return patternOf(leaf, settings);
  const isWord = leaf.type === "word" || leaf.type === "phrase";
  return isWord && readsLines(query) ? patternOf(leaf, settings) : undefined;
}

/** All patterns on lines that a query asks for, not those it takes away. */
export function wantedPatterns(query: Pick<CodeQuery, "terms">): LinePattern[] {
  return leavesOf(query.terms).flatMap(({ leaf, wanted }) => {
    const pattern = wanted ? linePattern(leaf, query) : undefined;
    return pattern === undefined ? [] : [pattern];
  });
}

/** Documents of which a line of the field has the pattern. */
export function linesClause(field: string, pattern: LinePattern): Clause {
  return { matching_lines: { [field]: pattern } };
}

/** A pattern on values that are one line each, such as names: sensitive where it has an upper-case letter. */
export function valueClause(field: string, leaf: Extract<QueryLeaf, { type: "regex" }>): Clause {
  return linesClause(field, patternOf(leaf, { case: "auto", word: "no" }));
}

type PatternLeaf = Exclude<QueryLeaf, { type: "key" }>;

function patternOf(leaf: PatternLeaf, settings: LineSettings): LinePattern {
  const pattern = leaf.type === "regex" ? leaf.pattern : leaf.text;
  const isRegex = leaf.type === "regex";
  const ignoreCase = isRegex && leaf.ignoreCase ? "no" : settings.case;
  const isSensitive = ignoreCase === "yes" || (ignoreCase === "auto" && isSensitiveByItself(pattern, isRegex));
  return {
    pattern,
    ...(isRegex ? {} : { syntax: "literal" as const }),
    ...(isSensitive ? {} : { case_insensitive: true as const }),
    ...(settings.word === "yes" ? { whole_word: true as const } : {}),
    ...(isRegex && leaf.multiline ? { multiline: true as const } : {}),
  };
}
