/** A regular expression over whole texts, whose cost grows with the text alone. */
import { EngineError } from "../../errors.js";
import { type Expression, Expressions } from "./expressions.js";
import { parseRegexp, type RegexpCase } from "./parse.js";

/** Expressions kept from text to text: what was derived for one serves the others. */
const MAX_KEPT = 50_000;
/** Expressions that matching a single text may need. */
const MAX_MADE = 500_000;
/** Characters of a pattern. Lucene's `index.max_regex_length`. */
const MAX_LENGTH = 1000;

/** A pattern ready to be matched. */
export interface Regexp {
  matches(text: string): boolean;
}

/** Compiles a pattern in Lucene's syntax (parse.ts). Throws `invalid_value` for one that is none, or too long. */
export function regexp(pattern: string, letters: RegexpCase = "as written"): Regexp {
  if (pattern.length > MAX_LENGTH) {
    throw new EngineError(
      "invalid_value",
      `The length of regex [${pattern.length}] used in the request has exceeded the allowed maximum [${MAX_LENGTH}]. ` +
        "This maximum can be set by changing the [index.max_regex_length] index level setting.",
      { length: pattern.length, limit: MAX_LENGTH },
    );
  }
  let make = new Expressions();
  let root = parseRegexp(pattern, make, letters);
  return {
    matches(text) {
      if (make.size > MAX_KEPT) {
        make = new Expressions();
        root = parseRegexp(pattern, make, letters);
      }
      return run(make, root, text, pattern);
    },
  };
}

function run(make: Expressions, root: Expression, text: string, pattern: string): boolean {
  let left = root;
  for (const character of text) {
    left = make.derive(left, character.codePointAt(0) as number);
    if (left === make.none) return false;
    if (left === make.anything) return true;
    if (make.size > MAX_MADE) throw tooComplex(pattern);
  }
  return left.nullable;
}

function tooComplex(pattern: string): EngineError {
  return new EngineError("invalid_value", `regular expression [${pattern}] is too complex to be matched: simplify it`, {
    pattern,
  });
}
