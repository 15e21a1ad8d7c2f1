import type { Bool, Query } from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import type { Json } from "../json/value.js";
import { common, querySkeleton, type ReadClause, type ReadQuery } from "./clause.js";

const SHAPE = querySkeleton("bool", {
  must: "any",
  should: "any",
  filter: "any",
  must_not: "any",
  mustNot: "any",
  minimum_should_match: "string",
  adjust_pure_negative: "boolean",
});

/** `bool`: clauses as a list or a single one. Without clauses it matches everything. */
export const readBool: ReadClause = (body, readQuery) => {
  const options = readShape(body, SHAPE);
  const bool: Bool = {
    kind: "bool",
    must: clauses(options.must, readQuery),
    should: clauses(options.should, readQuery),
    filter: clauses(options.filter, readQuery),
    mustNot: clauses(options.must_not ?? options.mustNot, readQuery),
    ...common(options),
  };
  if (options.minimum_should_match !== undefined) bool.minimumShouldMatch = options.minimum_should_match;
  return isEmpty(bool) ? { kind: "match_all", ...common(options) } : bool;
};

function isEmpty(bool: Bool): boolean {
  return bool.must.length + bool.should.length + bool.filter.length + bool.mustNot.length === 0;
}

function clauses(given: Json | undefined, readQuery: ReadQuery): Query[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given.map(readQuery) : [readQuery(given)];
}
