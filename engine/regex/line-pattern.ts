/** A pattern for lines, with all that is known of it before any text is seen. Plain data but for the program: made once per search. */
import { foldRanges } from "./fold.js";
import type { GramQuery } from "./gram-query.js";
import { type RequiredLiteral, requiredLiteral } from "./literals.js";
import { parsePattern } from "./parse.js";
import { compileProgram, type Program } from "./program.js";
import { mergeRanges } from "./ranges.js";
import { type RequiredClasses, requiredClasses } from "./required-classes.js";
import { requiredGrams } from "./required-grams.js";
import { concat, literal, type Node, patternError } from "./syntax.js";

/** What is asked for. */
export interface PatternOptions {
  readonly pattern: string;
  /** "regex": RE2's syntax (parse.ts); "literal": the text as it stands. */
  readonly syntax: "regex" | "literal";
  readonly caseInsensitive: boolean;
  /** Whether what stands beside a match must not be part of a word. */
  readonly wholeWord: boolean;
  /** "line": a match lies within a line; "lines": it may cross line feeds. */
  readonly extent: "line" | "lines";
}

/** A compiled pattern. */
export interface LinePattern {
  readonly options: PatternOptions;
  readonly program: Program;
  /** What every text that matches has; for extent "line", what the line that matches has. */
  readonly grams: GramQuery;
  readonly literal: RequiredLiteral | null;
  /** What is looked for where there is no literal; null: nothing that is rare enough, or a match may cross lines. */
  readonly classes: RequiredClasses | null;
}

/** Characters of a pattern: a bound on what compiling it takes. */
const MAX_CHARACTERS = 10_000;

/** Compiles. Throws `invalid_value` naming the column and the reason. */
export function compileLinePattern(options: PatternOptions): LinePattern {
  const inner = parse(options);
  const node = options.wholeWord
    ? concat([{ kind: "look", look: "no_word_before" }, inner, { kind: "look", look: "no_word_behind" }])
    : inner;
  const program = compileProgram(node, options.pattern); // bounds the pattern's size
  const literal = requiredLiteral(node);
  return {
    options,
    program,
    grams: requiredGrams(node, options.extent),
    literal,
    classes: literal === null && options.extent === "line" ? requiredClasses(node) : null,
  };
}

function parse({ pattern, syntax, caseInsensitive, extent }: PatternOptions): Node {
  if (pattern.length > MAX_CHARACTERS) {
    throw patternError(
      `${pattern.slice(0, 20)}...`,
      MAX_CHARACTERS + 1,
      `a pattern has at most ${MAX_CHARACTERS} characters`,
    );
  }
  const lineFeeds = extent === "line" ? "refused" : "allowed";
  if (syntax === "regex") {
    return parsePattern(pattern, { caseInsensitive, classes: "unicode", anchors: "lines", lineFeeds });
  }
  const feed = [...pattern].indexOf("\n");
  if (feed >= 0 && lineFeeds === "refused") {
    throw patternError(pattern, feed + 1, "a line has no \\n in it: set multiline to match over lines");
  }
  return literal(pattern, caseInsensitive ? (ranges) => foldRanges(mergeRanges(ranges)) : mergeRanges);
}
