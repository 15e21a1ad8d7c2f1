/**
 * Which tokens of a field's text a query marks. Terms, prefixes and patterns mark single tokens; a phrase marks its words
 * where they stand as the phrase wants them (each word in tags of its own).
 */
import type { Field } from "../../mapping/field-table.js";
import { matchesGlob } from "../exec/glob.js";
import { type Filter, type PhrasePlan, type Plan, type TermSelection, termText } from "../exec/plan.js";
import type { TextToken } from "../exec/text-analysis.js";
import { regexp } from "../regexp/regexp.js";

/** Marks tokens: adds their indexes to `marked`. */
export interface Matcher {
  readonly field: Field;
  mark(tokens: readonly TextToken[], marked: Set<number>): void;
}

/** Matchers of everything in a plan that can match a text; exclusions are left out. */
export function matchersOf(plan: Plan): Matcher[] {
  switch (plan.kind) {
    case "term": {
      const terms = plan.terms.map((term) => term.bytes);
      return [tokenMatcher(plan.field, (token) => terms.some((term) => Buffer.compare(term, token) === 0))];
    }
    case "phrase":
      return [phraseMatcher(plan)];
    case "bool":
      return [...plan.must, ...plan.should, ...plan.filter].flatMap(matchersOf);
    case "dis_max":
      return plan.plans.flatMap(matchersOf);
    case "constant":
      return filterMatchers(plan.filter);
    default:
      return [];
  }
}

function filterMatchers(filter: Filter): Matcher[] {
  if (filter.kind === "plan") return matchersOf(filter.plan);
  if (filter.kind !== "terms") return [];
  const { field, terms } = filter;
  // Terms of addresses and booleans are bytes of their own, not words of a text.
  return field.type === "text" || field.type === "keyword" ? [tokenMatcher(field, selectionTest(terms))] : [];
}

function selectionTest(selection: TermSelection): (term: Uint8Array) => boolean {
  switch (selection.kind) {
    case "exact":
      return (term) => selection.terms.some((one) => Buffer.compare(one, term) === 0);
    case "range": {
      const { low, high } = selection;
      return (term) =>
        (low === null || Buffer.compare(low, term) <= 0) && (high === null || Buffer.compare(term, high) < 0);
    }
    case "pattern":
      return (term) => matchesGlob(selection.glob, term);
    case "regexp": {
      const { matches } = regexp(selection.pattern, selection.letters);
      return (term) => matches(termText(term));
    }
    case "ranges":
      // Of fields whose values are ranges, which are no words of a text.
      return () => false;
  }
}

function tokenMatcher(field: Field, matches: (term: Uint8Array) => boolean): Matcher {
  return {
    field,
    mark: (tokens, marked) => {
      tokens.forEach((token, i) => {
        if (matches(token.term)) marked.add(i);
      });
    },
  };
}

function phraseMatcher(plan: PhrasePlan): Matcher {
  return {
    field: plan.field,
    mark: (tokens, marked) => {
      // Per place of the phrase: its tokens, as index and position less the place's offset.
      const places = plan.positions.map(({ offset, terms }) =>
        tokens.flatMap((token, index) =>
          terms.some((term) => Buffer.compare(term.bytes, token.term) === 0)
            ? [{ index, at: token.position - offset }]
            : [],
        ),
      );
      if (places.some((place) => place.length === 0)) return;
      for (const start of places[0]) {
        const chosen = places.map((place) => nearest(place, start.at));
        const positions = chosen.map((one) => one.at);
        if (Math.max(...positions) - Math.min(...positions) > plan.slop) continue;
        for (const one of chosen) marked.add(one.index);
      }
    },
  };
}

function nearest(place: readonly { index: number; at: number }[], at: number): { index: number; at: number } {
  return place.reduce((best, one) => (Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best));
}
