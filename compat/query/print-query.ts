/** Queries as Elasticsearch prints them: every option said, defaults included. For what is shown of an alias's filter. */
import type { Query, Range } from "../../engine/index.js";
import { double, type Exact } from "../json/print.js";

type Printed = Record<string, unknown>;

interface Shared {
  readonly boost: Exact;
  readonly _name?: string;
}

/** The JSON of a query. */
export function printQuery(query: Query): Printed {
  const shared: Shared = { boost: double(query.boost), ...(query.name === undefined ? {} : { _name: query.name }) };
  const printed = printCompound(query, shared) ?? printText(query, shared) ?? printLeaf(query, shared);
  return printed ?? { [query.kind]: { ...query } };
}

function printCompound(query: Query, shared: Shared): Printed | undefined {
  switch (query.kind) {
    case "bool": {
      const clauses = {
        must: query.must,
        filter: query.filter,
        must_not: query.mustNot,
        should: query.should,
      };
      const given = Object.entries(clauses).filter(([, list]) => list.length > 0);
      const printed = Object.fromEntries(given.map(([name, list]) => [name, list.map(printQuery)]));
      const minimum = query.minimumShouldMatch === undefined ? {} : { minimum_should_match: query.minimumShouldMatch };
      return { bool: { ...printed, adjust_pure_negative: true, ...minimum, ...shared } };
    }
    case "constant_score":
      return { constant_score: { filter: printQuery(query.filter), ...shared } };
    case "dis_max": {
      const queries = query.queries.map(printQuery);
      return { dis_max: { tie_breaker: double(query.tieBreaker), queries, ...shared } };
    }
    case "match_all":
    case "match_none":
      return { [query.kind]: shared };
    default:
      return undefined;
  }
}

function printText(query: Query, shared: Shared): Printed | undefined {
  switch (query.kind) {
    case "match": {
      const { field, query: text, operator, zeroTerms, lenient } = query;
      const options = { operator: operator.toUpperCase(), zero_terms_query: zeroTerms.toUpperCase(), lenient };
      return { match: { [field]: { query: text, ...options, ...extras(query), ...shared } } };
    }
    case "match_phrase": {
      const { field, query: text, slop, zeroTerms, lastTermExpansions } = query;
      const options = { slop, zero_terms_query: zeroTerms.toUpperCase() };
      const body = { query: text, ...options, ...extras(query), ...shared };
      if (lastTermExpansions === 0) return { match_phrase: { [field]: body } };
      return { match_phrase_prefix: { [field]: { ...body, max_expansions: lastTermExpansions } } };
    }
    case "match_bool_prefix": {
      const options = { operator: query.operator.toUpperCase(), ...extras(query) };
      return { match_bool_prefix: { [query.field]: { query: query.query, ...options, ...shared } } };
    }
    case "multi_match": {
      const fields = query.fields.map(({ field, boost }) => `${field}^${boost.toFixed(1)}`);
      const options = { type: query.type, operator: query.operator.toUpperCase(), slop: query.slop, ...extras(query) };
      return { multi_match: { query: query.query, fields, ...options, lenient: query.lenient, ...shared } };
    }
    default:
      return undefined;
  }
}

function extras({ analyzer, minimumShouldMatch }: { analyzer?: string; minimumShouldMatch?: string }): Printed {
  return {
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(minimumShouldMatch === undefined ? {} : { minimum_should_match: minimumShouldMatch }),
  };
}

function printLeaf(query: Query, shared: Shared): Printed | undefined {
  switch (query.kind) {
    case "term":
    case "prefix":
    case "wildcard":
    case "regexp": {
      const folded = query.caseInsensitive ? { case_insensitive: true } : {};
      const name = query.kind === "wildcard" ? "wildcard" : "value";
      return { [query.kind]: { [query.field]: { [name]: query.value, ...folded, ...shared } } };
    }
    case "terms":
      return { terms: { [query.field]: query.values, ...shared } };
    case "ids":
      return { ids: { values: query.values, ...shared } };
    case "exists":
      return { exists: { field: query.field, ...shared } };
    case "range":
      return { range: { [query.field]: { ...printBounds(query), ...shared } } };
    default:
      return undefined;
  }
}

function printBounds(range: Range): Printed {
  return {
    from: range.gte ?? range.gt ?? null,
    to: range.lte ?? range.lt ?? null,
    include_lower: range.gt === undefined,
    include_upper: range.lt === undefined,
    ...(range.format === undefined ? {} : { format: range.format }),
    ...(range.timeZone === undefined ? {} : { time_zone: range.timeZone }),
    ...(range.relation === undefined ? {} : { relation: range.relation.toUpperCase() }),
  };
}
