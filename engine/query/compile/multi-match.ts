/** One text over several fields: the best field's score, or their sum. */

import { type Field, mappedFields } from "../../mapping/field-table.js";
import { matchesPattern } from "../../mapping/patterns.js";
import type { ReaderContext } from "../exec/context.js";
import { nonePlan, type Plan } from "../exec/plan.js";
import type { MultiMatch } from "../query.js";
import { disMax, markBoosted } from "./compound.js";
import type { Compile } from "./contract.js";
import { findField } from "./fields.js";
import { lenient } from "./text-queries.js";

/** The same text asked of several fields. */
export function planMultiMatch(context: ReaderContext, query: MultiMatch, boost: number, compile: Compile): Plan {
  const fields = expandFields(context, query.fields);
  if (fields.length === 0) return nonePlan('MatchNoDocsQuery("no fields")');
  const plans = fields.map(({ field, boost: own, byPattern }) => {
    const total = Math.fround(boost * Math.fround(own));
    // A pattern may catch numbers and dates that the text is no value of: they are passed over.
    const plan = lenient(query.lenient || byPattern, () => compile(fieldQuery(query, field.path), total));
    return markBoosted(plan, own);
  });
  return disMax(plans, query.type === "most_fields" || query.type === "bool_prefix" ? 1 : query.tieBreaker);
}

function fieldQuery(query: MultiMatch, field: string): Parameters<Compile>[0] {
  const common = { field, query: query.query, analyzer: query.analyzer, zeroTerms: query.zeroTerms, boost: 1 };
  if (query.type === "bool_prefix") {
    const { operator, minimumShouldMatch, analyzer } = query;
    return { kind: "match_bool_prefix", field, query: query.query, operator, minimumShouldMatch, analyzer, boost: 1 };
  }
  if (query.type === "phrase") {
    return { kind: "match_phrase", slop: query.slop, lastTermExpansions: 0, ...common };
  }
  return {
    kind: "match",
    operator: query.operator,
    minimumShouldMatch: query.minimumShouldMatch,
    lenient: false,
    ...common,
  };
}

/**
 * Fields in the order named, patterns in the order of the mapping. A name or pattern given twice counts once, with the boost
 * given last; the boosts of a field that several of them name multiply.
 */
export function expandFields(
  context: ReaderContext,
  wanted: readonly { field: string; boost: number }[],
): { field: Field; boost: number; byPattern: boolean }[] {
  const boosts = new Map(wanted.map(({ field, boost }) => [field, boost]));
  const found = new Map<string, { field: Field; boost: number; byPattern: boolean }>();
  for (const [pattern, boost] of boosts) {
    const byPattern = pattern.includes("*");
    for (const field of matching(context, pattern)) {
      const known = found.get(field.path);
      if (known === undefined) found.set(field.path, { field, boost, byPattern });
      else known.boost *= boost;
    }
  }
  return [...found.values()];
}

/** Types whose values no text can be one of. */
const NEVER_BY_PATTERN: ReadonlySet<string> = new Set(["dense_vector", "geo_point", "binary", "completion"]);

function matching(context: ReaderContext, pattern: string): Field[] {
  if (!pattern.includes("*")) {
    const field = findField(context, pattern);
    return field === undefined ? [] : [field];
  }
  return mappedFields(context.reader.fields).filter(
    (field) =>
      !field.nested &&
      !NEVER_BY_PATTERN.has(field.type) &&
      (field.inverted || field.column !== null) &&
      matchesPattern(pattern, field.path),
  );
}
