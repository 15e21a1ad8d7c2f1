/**
 * Regular expressions of RE2's syntax over bytes, in linear time, and what a text index must know of them. Pure: no
 * segment, no field. Start reading at line-pattern.ts (a pattern: parse.ts, program.ts) and
 * line-scanner.ts (the lines it matches: automaton.ts); at grams.ts for what an index holds, at gram-query.ts for what is asked of it.
 */
export {
  ALL_TEXTS,
  allOf,
  anyOf,
  type GramQuery,
  gramsOfBytes,
  mayMatch,
  NO_TEXTS,
  printGramQuery,
} from "./gram-query.js";
export {
  GRAM_BYTES,
  GRAM_COUNT,
  GRAM_LETTER,
  GRAM_LETTERS,
  gramAt,
  gramOf,
  NO_GRAM,
  printGram,
} from "./grams.js";
export { type GroupMatch, GroupPattern, type GroupPatternOptions } from "./group-pattern.js";
export { compileLinePattern, type LinePattern, type PatternOptions } from "./line-pattern.js";
export { LineRanges } from "./line-ranges.js";
export {
  type FoundLines,
  LEAST_SCANNER_BYTES,
  LineScanner,
  SCANNER_BYTES,
  type ScanMemory,
} from "./line-scanner.js";
export { type MatchRange, OrderedSearch } from "./ordered-search.js";
export { MAX_RANGES } from "./ranges-limit.js";
export { requiredGrams } from "./required-grams.js";
export type { Node } from "./syntax.js";
export { TextMatcher } from "./text-matcher.js";
