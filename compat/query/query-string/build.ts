/** From a query string's tree to queries. */
import type { Bool, Query } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";
import { withoutEscapes } from "./cursor.js";
import { askedFields, matchPhrase, matchWords, ofEachField, type WordOptions } from "./fields.js";
import type { SyntaxNode } from "./syntax.js";

export interface BuildOptions extends WordOptions {
  /** Whether a pattern may begin with `*` or `?`. */
  readonly leadingWildcard: boolean;
}

/** The query of a tree. Throws ApiError 400. */
export function buildQuery(node: SyntaxNode, options: BuildOptions): Query {
  const query = buildNode(node, options);
  const { minimumShouldMatch } = options;
  if (minimumShouldMatch === undefined || query.kind !== "bool") return query;
  return { ...query, minimumShouldMatch };
}

function buildNode(node: SyntaxNode, options: BuildOptions): Query {
  switch (node.kind) {
    case "all":
      return { kind: "match_all", boost: node.boost };
    case "group":
      return buildGroup(node, options);
    case "term":
      return node.field === "_exists_"
        ? { kind: "exists", field: node.text, boost: node.boost }
        : matchWords(askedFields(options, node.field), node.text, options, node.boost);
    case "phrase":
      return matchPhrase(askedFields(options, node.field), node, options);
    case "pattern":
      return buildPattern(node, options);
    case "regexp": {
      const query = {
        kind: "regexp",
        field: "",
        value: node.pattern,
        caseInsensitive: false,
        boost: node.boost,
      } as const;
      return ofEachField(askedFields(options, node.field), query, options);
    }
    case "range": {
      const zone = options.timeZone === undefined ? {} : { timeZone: options.timeZone };
      const query = { kind: "range", field: "", ...node.bounds, ...zone, boost: node.boost } as const;
      return ofEachField(askedFields(options, node.field), query, options);
    }
  }
}

function buildGroup({ clauses, boost }: SyntaxNode & { kind: "group" }, options: BuildOptions): Query {
  if (clauses.length === 0) return { kind: "match_none", boost };
  const bool: Bool = { kind: "bool", must: [], should: [], filter: [], mustNot: [], boost };
  for (const { occur, node } of clauses) {
    const query = buildNode(node, options);
    if (occur === "must") bool.must.push(query);
    else if (occur === "should") bool.should.push(query);
    else bool.mustNot.push(query);
  }
  return bool;
}

function buildPattern(node: SyntaxNode & { kind: "pattern" }, options: BuildOptions): Query {
  const { pattern, boost } = node;
  const fields = askedFields(options, node.field);
  if (pattern === "*") {
    if (node.field === "_exists_" || fields.some(({ field }) => field === "*")) return { kind: "match_all", boost };
    return ofEachField(fields, { kind: "exists", field: "", boost }, options);
  }
  if (node.field === "_exists_") return { kind: "exists", field: withoutEscapes(pattern), boost };
  if (!options.leadingWildcard && /^[*?]/.test(pattern)) {
    throw illegalArgument("'*' or '?' not allowed as first character in WildcardQuery");
  }
  const common = { field: "", caseInsensitive: false, analyzed: true, boost } as const;
  if (/^(?:\\.|[^*?\\])+\*$/s.test(pattern)) {
    return ofEachField(fields, { kind: "prefix", value: withoutEscapes(pattern.slice(0, -1)), ...common }, options);
  }
  return ofEachField(fields, { kind: "wildcard", value: pattern, ...common }, options);
}
