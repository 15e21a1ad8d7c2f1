/**
 * Inputs of completion fields as terms. What is completed is the analysed input, so a term begins with it, and a dictionary's
 * order finds all that a prefix begins:
 *
 *   key       the input's tokens, joined by U+001F
 *   U+0000
 *   surface   the input as it was given
 *   U+0000
 *   weight    decimal
 *
 * Inputs may hold neither of the two characters.
 */
import { EngineError } from "../errors.js";
import type { FieldMapping } from "../mapping/mapping.js";
import type { Analyzer } from "./analyzer.js";

const TOKEN_END = "\u001f";
const PART_END = "\u0000";
/** Largest weight, as in Elasticsearch. */
const MAX_WEIGHT = 2 ** 31 - 1;

/** What options of a completion field change about its terms. */
export interface CompletionOptions {
  /** UTF-16 units of an input that count. */
  readonly maxInputLength: number;
  /** Whether words stay apart: `foo bar` is not begun by `foob`. */
  readonly preserveSeparators: boolean;
}

const USUAL_LENGTH = 50;

/** What a mapping says of a completion field's terms. */
export function completionOptions(mapping: FieldMapping): CompletionOptions {
  return {
    maxInputLength: mapping.maxInputLength ?? USUAL_LENGTH,
    preserveSeparators: mapping.preserveSeparators !== false,
  };
}

/** What a prefix, or the beginning of a term, is. */
export function completionKey(analyzer: Analyzer, text: string, options: CompletionOptions): string {
  const tokens = analyzer.tokens(text.slice(0, options.maxInputLength));
  return tokens.map(({ term }) => term).join(options.preserveSeparators ? TOKEN_END : "");
}

/** The term of an input. Throws invalid_value for one that can't be completed to. */
export function completionTerm(key: string, surface: string, weight: number): Uint8Array {
  if (surface === "") throw refused("value must have a length > 0");
  if ([PART_END, TOKEN_END].some((reserved) => surface.includes(reserved))) {
    throw refused(`Illegal input [${surface}] contains reserved character`);
  }
  if (!Number.isInteger(weight) || weight < 0 || weight > MAX_WEIGHT) {
    throw refused(`weight must be in the interval [0..${MAX_WEIGHT}], but was [${weight}]`);
  }
  return Buffer.from(`${key}${PART_END}${surface}${PART_END}${weight}`, "utf8");
}

/** The input and its weight. */
export function readCompletionTerm(term: Uint8Array): { surface: string; weight: number } {
  const [, surface, weight] = Buffer.from(term).toString("utf8").split(PART_END);
  return { surface, weight: Number(weight) };
}

function refused(message: string): EngineError {
  return new EngineError("invalid_value", message);
}
