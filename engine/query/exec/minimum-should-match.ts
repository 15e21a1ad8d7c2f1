/**
 * How many of `optional` clauses must match, from Elasticsearch's `minimum_should_match` spelling: `2`, `-1`, `75%`, `-25%`,
 * and conditions `2<75%` (above two clauses: 75 %), several separated by spaces.
 * Source: OpenSearch `Queries.calculateMinShouldMatch`. Never negative; throws `invalid_value` when it cannot be read.
 */
import { EngineError } from "../../errors.js";

/** The number of optional clauses that must match. */
export function minimumShouldMatch(spec: string, optional: number): number {
  const text = spec.trim();
  return Math.max(0, text.includes("<") ? conditional(text, optional) : plain(text, optional));
}

function conditional(spec: string, optional: number): number {
  let result = optional;
  for (const part of spec.replace(/\s*<\s*/g, "<").split(/\s+/)) {
    const [bound, value] = part.split("<", 2);
    if (optional <= number(bound, spec)) return result;
    result = plain(value ?? "", optional);
  }
  return result;
}

function plain(spec: string, optional: number): number {
  if (!spec.endsWith("%")) {
    const count = number(spec, spec);
    return count < 0 ? optional + count : count;
  }
  const percent = number(spec.slice(0, -1), spec);
  // Java's cast to int cuts towards zero.
  const share = Math.trunc((optional * percent) / 100);
  return percent < 0 ? optional + share : share;
}

function number(text: string, spec: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    throw new EngineError(
      "invalid_value",
      `minimum_should_match [${spec}] cannot be read: expected a count, a percentage or conditions such as 2<75%`,
      { value: spec },
    );
  }
  return Number(text);
}
