/** One word in fields cut by `pinakes_code`, of declarations, files or commits. */
import { compoundOf, partsOf } from "../identifier.js";
import type { Clause } from "../query-clauses.js";
import { constant } from "./constant.js";
import { BOOST, PARTS_IN_ROW } from "./weights.js";

/**
 * A word in one of the fields. An identifier stands there whole, whatever its case, which counts more, or as its parts in a
 * row: parts that stand apart are other names. Of a word that is several identifiers (`Server.start`) all parts stand in one
 * field, anywhere. `scoring` has further options of `multi_match`.
 */
export function wordIn(fields: readonly string[], word: string, scoring: Clause = {}): Clause {
  const identifier = compoundOf(word);
  if (identifier === undefined) {
    return { multi_match: { query: word, type: "best_fields", fields, operator: "and", ...scoring } };
  }
  const inRow = { multi_match: { query: word, type: "phrase", fields, boost: PARTS_IN_ROW, ...scoring } };
  const whole = { multi_match: { query: wholes(identifier).join(" "), fields, analyzer: "whitespace" } };
  return { bool: { should: [inRow, constant(whole, BOOST.wholeIdentifier)], minimum_should_match: 1 } };
}

/** As the index has them, in lower case: the identifier itself, and `readTimeout` as `read_timeout`. */
function wholes(identifier: string): string[] {
  return [...new Set([identifier.toLowerCase(), partsOf(identifier).join("_")])];
}
