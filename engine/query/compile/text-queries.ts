/** Queries whose text is analysed: match and match_phrase. */
import { EngineError } from "../../errors.js";
import type { Field } from "../../mapping/field-table.js";
import { termWeight } from "../exec/bm25.js";
import type { ReaderContext } from "../exec/context.js";
import { minimumShouldMatch } from "../exec/minimum-should-match.js";
import { constantPlan, nonePlan, type PhrasePlan, type Plan, type PlannedTerm, termText } from "../exec/plan.js";
import { fieldStatistics, liveDocFreq, termStates } from "../exec/statistics.js";
import { prefixEnd } from "../exec/term-selection.js";
import type { TextToken } from "../exec/text-analysis.js";
import type { Match, MatchBoolPrefix, MatchPhrase } from "../query.js";
import { disMax, simplifyBool } from "./compound.js";
import { findField, requireSearchable } from "./fields.js";
import { chargeTerms, exactPlan, scoredTerm } from "./leaf-queries.js";
import { checkWords } from "./limits.js";

/** Terms that stand at one position. */
interface Place {
  position: number;
  terms: Uint8Array[];
}

/** Analysed words of a text, any or all of them; a term query on other fields. */
export function planMatch(context: ReaderContext, query: Match, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return nonePlan(`MatchNoDocsQuery("unmapped field [${query.field}]")`);
  if (!field.trigrams) requireSearchable(field);
  if (field.type !== "text") return lenient(query.lenient, () => exactPlan(context, field, query.query, boost));
  const places = group(context.analysis.queryTokens(field, String(query.query), query.analyzer));
  if (places.length === 0) return noTerms(query.zeroTerms, boost);
  const clauses = places.map((place) => scoredTerm(context, field, place.terms, boost));
  if (clauses.length === 1) return clauses[0];
  const empty = { must: [], should: [], filter: [], mustNot: [] };
  if (query.operator === "and") {
    // All words are required: of no optional ones a number is asked for.
    const minimum = query.minimumShouldMatch === undefined ? 0 : minimumShouldMatch(query.minimumShouldMatch, 0);
    return simplifyBool({ kind: "bool", ...empty, must: clauses, minimum });
  }
  const wanted =
    query.minimumShouldMatch === undefined ? 1 : minimumShouldMatch(query.minimumShouldMatch, places.length);
  return simplifyBool({ kind: "bool", ...empty, should: clauses, minimum: Math.max(1, wanted) });
}

/** Analysed words of a text, the last of which is a prefix that scores its boost; a term query on other fields. */
export function planMatchBoolPrefix(context: ReaderContext, query: MatchBoolPrefix, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return nonePlan(`MatchNoDocsQuery("unmapped field [${query.field}]")`);
  if (!field.trigrams) requireSearchable(field);
  if (field.type !== "text") return exactPlan(context, field, query.query, boost);
  const places = group(context.analysis.queryTokens(field, String(query.query), query.analyzer));
  if (places.length === 0) return noTerms("none", boost);
  const last = places[places.length - 1];
  const words = places.slice(0, -1).map((place) => scoredTerm(context, field, place.terms, boost));
  const prefixes = last.terms.map((term) => prefixPlan(field, term, boost));
  const clauses = [...words, prefixes.length === 1 ? prefixes[0] : disMax(prefixes, 0)];
  if (clauses.length === 1) return clauses[0];
  const empty = { must: [], should: [], filter: [], mustNot: [] };
  if (query.operator === "and") return simplifyBool({ kind: "bool", ...empty, must: clauses, minimum: 0 });
  const wanted =
    query.minimumShouldMatch === undefined ? 1 : minimumShouldMatch(query.minimumShouldMatch, clauses.length);
  return simplifyBool({ kind: "bool", ...empty, should: clauses, minimum: Math.max(1, wanted) });
}

function prefixPlan(field: Field, prefix: Uint8Array, boost: number): Plan {
  const filter = { kind: "terms", field, terms: { kind: "range", low: prefix, high: prefixEnd(prefix) } } as const;
  return constantPlan(filter, boost, `${field.path}:${termText(prefix)}*`);
}

/** A value that the field's type cannot hold matches nothing when leniency was asked for. */
export function lenient(wanted: boolean, plan: () => Plan): Plan {
  if (!wanted) return plan();
  try {
    return plan();
  } catch (error) {
    if (error instanceof EngineError && error.code === "invalid_value")
      return nonePlan(`failed to parse: ${error.message}`);
    throw error;
  }
}

function noTerms(zeroTerms: "none" | "all", boost: number): Plan {
  return zeroTerms === "all"
    ? constantPlan({ kind: "all" }, boost, "*:*")
    : nonePlan('MatchNoDocsQuery("Matching no documents because no terms present")');
}

/** Tokens by position; each term once per position. */
function group(tokens: readonly TextToken[]): Place[] {
  checkWords(tokens.length);
  const places: Place[] = [];
  for (const token of tokens) {
    const last = places.at(-1);
    if (last === undefined || last.position !== token.position) {
      places.push({ position: token.position, terms: [token.term] });
    } else if (!last.terms.some((term) => Buffer.compare(term, token.term) === 0)) last.terms.push(token.term);
  }
  return places;
}

/** Analysed words of a text in their order, the last one possibly a prefix. */
export function planMatchPhrase(context: ReaderContext, query: MatchPhrase, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return nonePlan(`MatchNoDocsQuery("unmapped field [${query.field}]")`);
  if (!field.trigrams) requireSearchable(field);
  if (field.type !== "text") return exactPlan(context, field, query.query, boost);
  const places = group(context.analysis.queryTokens(field, String(query.query), query.analyzer));
  if (places.length === 0) return noTerms(query.zeroTerms, boost);
  if (query.lastTermExpansions > 0) {
    const last = places[places.length - 1];
    last.terms = expandPrefixes(context, field, last.terms, query.lastTermExpansions);
    if (last.terms.length === 0) return nonePlan(`no term begins with the last word of [${String(query.query)}]`);
  }
  if (places.length === 1)
    return onePlace(context, field, places[0].terms, { boost, apart: query.lastTermExpansions > 0 });
  return phrase(context, field, places, { boost, slop: query.slop });
}

/** Expanded prefixes score each for itself, synonyms as one. */
function onePlace(
  context: ReaderContext,
  field: Field,
  terms: readonly Uint8Array[],
  options: { boost: number; apart: boolean },
): Plan {
  if (!options.apart) return scoredTerm(context, field, terms, options.boost);
  const should = terms.map((term) => scoredTerm(context, field, [term], options.boost));
  return simplifyBool({ kind: "bool", must: [], filter: [], mustNot: [], should, minimum: 1 });
}

function phrase(
  context: ReaderContext,
  field: Field,
  places: readonly Place[],
  options: { boost: number; slop: number },
): Plan {
  const { reader } = context;
  chargeTerms(context, places.length);
  const planTerm = (bytes: Uint8Array): PlannedTerm => ({ bytes, states: termStates(reader, field, bytes) });
  const first = places[0].position;
  const positions = places.map((place) => ({ offset: place.position - first, terms: place.terms.map(planTerm) }));
  const counted = positions.map(({ terms }) =>
    terms.map((term) => ({
      text: termText(term.bytes),
      docFreq: liveDocFreq(reader, field, term.bytes, term.states),
    })),
  );
  if (counted.some((terms) => terms.every((term) => term.docFreq === 0))) return nonePlan("no matching term");
  const known = counted.flat().filter((term) => term.docFreq > 0);
  const plan: PhrasePlan = {
    kind: "phrase",
    field,
    positions,
    slop: options.slop,
    weight: termWeight(options.boost, fieldStatistics(reader, field), known),
  };
  if (field.mapping.scoring === "constant") {
    return constantPlan({ kind: "plan", plan }, options.boost, `${field.path}:phrase`);
  }
  return plan;
}

/** The first `limit` terms of the index, in byte order, that begin with one of the prefixes. */
function expandPrefixes(
  context: ReaderContext,
  field: Field,
  prefixes: readonly Uint8Array[],
  limit: number,
): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const { segment } of context.leaves) {
    const dictionary = segment.terms(field);
    if (dictionary === null) continue;
    for (const prefix of prefixes) {
      const end = prefixEnd(prefix);
      const to = Math.min(end === null ? dictionary.size : dictionary.seek(end), dictionary.seek(prefix) + limit);
      for (let ordinal = dictionary.seek(prefix); ordinal < to; ordinal++) {
        const term = dictionary.term(ordinal);
        found.set(Buffer.from(term).toString("latin1"), term);
      }
    }
  }
  return [...found.values()].sort(Buffer.compare).slice(0, limit);
}
