/** Queries about one field's values. */
import { EngineError } from "../../errors.js";
import { type Field, mappedFields } from "../../mapping/field-table.js";
import { flatBounds, flatTerm } from "../../mapping/flat-object.js";
import { matchesPattern } from "../../mapping/patterns.js";
import { isRangeType } from "../../mapping/range-fields.js";
import { type Bounds, exactBounds, numericValue, rangeBounds } from "../../mapping/values.js";
import { termWeight } from "../exec/bm25.js";
import type { ReaderContext } from "../exec/context.js";
import { type Glob, type GlobPart, glob } from "../exec/glob.js";
import { constantPlan, type Filter, nonePlan, type Plan, type TermPlan, termText } from "../exec/plan.js";
import { fieldStatistics, liveDocFreq, termStates } from "../exec/statistics.js";
import { prefixEnd } from "../exec/term-selection.js";
import type {
  Exists,
  Ids,
  MatchAll,
  Prefix,
  Range,
  Regexp,
  Scalar,
  Term,
  Terms,
  VirtualShard,
  Wildcard,
} from "../query.js";
import { regexp } from "../regexp/regexp.js";
import { findField, requireSearchable } from "./fields.js";
import { rangesFilter, rangesWith } from "./range-fields.js";
import { exactValues, globValues, regexpValues } from "./value-queries.js";

/** Every document, scored by the boost. */
export function planAll(_: ReaderContext, __: MatchAll, boost: number): Plan {
  return constantPlan({ kind: "all" }, boost, "*:*");
}

/** No document. */
export function planNone(): Plan {
  return nonePlan("MatchNoDocsQuery");
}

/** One exact value of a field. */
export function planTerm(context: ReaderContext, query: Term, boost: number): Plan {
  const special = metadataFilter(context, query.field, [query.value]);
  if (special !== null) return constantPlan(special, boost, `${query.field}:${query.value}`);
  const field = findField(context, query.field);
  if (field === undefined) return unmapped(query.field);
  if (field.trigrams) {
    const shown = { boost, text: `${query.field}:${query.value}` };
    return globValues(field, [[{ literal: String(query.value) }]], query.caseInsensitive, shown);
  }
  requireSearchable(field);
  if (isRangeType(field.type)) {
    return constantPlan(rangesWith(context, field, query.value), boost, `${query.field}:${query.value}`);
  }
  if (query.caseInsensitive) requireCase(field);
  if (query.caseInsensitive && field.type !== "boolean" && field.inverted) {
    return foldedTerm(context, field, String(query.value), boost);
  }
  return exactPlan(context, field, query.value, boost);
}

const CASED: ReadonlySet<string> = new Set(["keyword", "text", "flat_object", "boolean"]);

/** Throws for a field whose values have no case. Truth values are let through, as in Elasticsearch. */
function requireCase(field: Field): void {
  if (CASED.has(field.type)) return;
  throw new EngineError(
    "query_unsupported",
    `[${field.path}] field which is of type [${field.type}], does not support case insensitive term queries`,
    { field: field.path, type: field.type },
  );
}

/** A value as a term or number of the field: BM25 where the field has terms that score, else one score for all. */
export function exactPlan(context: ReaderContext, field: Field, value: Scalar, boost: number): Plan {
  const shown = `${field.path}:${String(value)}`;
  if (field.trigrams) return constantPlan(exactValues(field, [String(value)]), boost, shown);
  if (isRangeType(field.type)) return constantPlan(rangesWith(context, field, value), boost, shown);
  const normalize = (text: string) => (field.type === "keyword" ? context.analysis.normalize(field, text) : text);
  const bounds = exactBounds(field, value, context.environment.clock, normalize);
  if (bounds.kind === "term" && field.inverted && field.type !== "ip") {
    // `to` is the term's successor: the exact term is `from`.
    return scoredTerm(context, field, [bounds.from], boost);
  }
  return constantPlan(boundsFilter(field, bounds), boost, shown);
}

/** What a term of a plan takes: its bytes, its plan, and its place in each leaf. */
const TERM_BYTES = 300;
const TERM_STATE_BYTES = 100;
/** What a value of a set takes. */
const VALUE_BYTES = 200;

/** Charges what looking so many terms up takes. Throws `circuit_breaking`. */
export function chargeTerms(context: ReaderContext, count: number): void {
  const bytes = count * (TERM_BYTES + TERM_STATE_BYTES * context.leaves.length);
  context.environment.memory.charge(bytes, "<query terms>");
}

/** BM25 of a term, or of several as if they were one; nothing when no live document has any. */
export function scoredTerm(context: ReaderContext, field: Field, terms: readonly Uint8Array[], boost: number): Plan {
  chargeTerms(context, terms.length);
  const planned = terms.map((bytes) => ({ bytes, states: termStates(context.reader, field, bytes) }));
  const frequencies = planned.map((term) => liveDocFreq(context.reader, field, term.bytes, term.states));
  // Synonyms are weighed as one pseudo term that is as frequent as the most frequent of them (Lucene SynonymQuery).
  const docFreq = Math.max(...frequencies);
  const statistics = fieldStatistics(context.reader, field);
  if (docFreq === 0) return nonePlan(`no matching term`);
  const text = terms.map(termText).join(" ");
  const plan: TermPlan = {
    kind: "term",
    field,
    terms: planned,
    weight: termWeight(boost, statistics, [{ text, docFreq }]),
  };
  if (field.mapping.scoring === "constant") {
    return constantPlan({ kind: "plan", plan }, boost, `${field.path}:${text}`);
  }
  return plan;
}

function foldedTerm(context: ReaderContext, field: Field, value: string, boost: number): Plan {
  const text = field.type === "flat_object" ? value : context.analysis.normalize(field, value);
  return patternPlan(field, glob([{ literal: ownText(field, text) }], true), { boost, text });
}

/** How a field's terms hold a text: behind its path in an object that is kept flat. */
function ownText(field: Field, text: string): string {
  return field.type === "flat_object" ? termText(flatTerm(field, text)) : text;
}

/** Documents with any term that a pattern matches. */
function patternPlan(field: Field, pattern: Glob, shown: { boost: number; text: string }): Plan {
  // Lucene's automaton of no characters accepts nothing, not the empty term.
  if (pattern.tokens.length === 0) return nonePlan(`${field.path}: empty pattern`);
  const filter: Filter = { kind: "terms", field, terms: { kind: "pattern", glob: pattern } };
  return constantPlan(filter, shown.boost, `${field.path}:${shown.text}`);
}

/** Any of several exact values; all matches score alike. */
export function planTerms(context: ReaderContext, query: Terms, boost: number): Plan {
  const special = metadataFilter(context, query.field, query.values);
  if (special !== null) return constantPlan(special, boost, `${query.field}:(${query.values.join(" ")})`);
  const field = findField(context, query.field);
  if (field === undefined) return unmapped(query.field);
  const text = `${query.field}:(${query.values.join(" ")})`;
  if (field.trigrams) return constantPlan(exactValues(field, query.values.map(String)), boost, text);
  requireSearchable(field);
  if (isRangeType(field.type)) {
    const should = query.values.map((value) => constantPlan(rangesWith(context, field, value), 1, text));
    const any: Plan = { kind: "bool", must: [], filter: [], should, mustNot: [], minimum: 1 };
    return should.length === 0 ? nonePlan("no values") : constantPlan({ kind: "plan", plan: any }, boost, text);
  }
  return constantPlan(setFilter(context, field, query.values), boost, text);
}

function setFilter(context: ReaderContext, field: Field, values: readonly Scalar[]): Filter {
  context.environment.memory.charge(values.length * VALUE_BYTES, "<query terms>");
  const normalize = (text: string) => (field.type === "keyword" ? context.analysis.normalize(field, text) : text);
  const bounds = values.map((value) => exactBounds(field, value, context.environment.clock, normalize));
  if (bounds.every((b) => b.kind === "term" && isSingleTerm(b))) {
    const terms = bounds.map((b) => (b as Bounds & { kind: "term" }).from).sort(Buffer.compare);
    return { kind: "terms", field, terms: { kind: "exact", terms } };
  }
  if (bounds.every((b) => b.kind === "double" && b.low === b.high)) {
    return { kind: "double_set", field, values: bounds.map((b) => (b as Bounds & { kind: "double" }).low) };
  }
  if (bounds.every((b) => b.kind === "long" && b.low === b.high)) {
    return { kind: "long_set", field, values: bounds.map((b) => (b as Bounds & { kind: "long" }).low) };
  }
  const should = bounds.map((b) => constantPlan(boundsFilter(field, b), 1, field.path));
  return { kind: "plan", plan: { kind: "bool", must: [], filter: [], should, mustNot: [], minimum: 1 } };
}

function isSingleTerm(bounds: Bounds & { kind: "term" }): boolean {
  const { from, to } = bounds;
  return to !== null && to.length === from.length + 1 && to[from.length] === 0 && from.every((b, i) => b === to[i]);
}

/** Documents inside bounds. */
export function boundsFilter(field: Field, bounds: Bounds): Filter {
  switch (bounds.kind) {
    case "long":
      return { kind: "long_range", field, low: bounds.low, high: bounds.high };
    case "double":
      return { kind: "double_range", field, low: bounds.low, high: bounds.high };
    case "term":
      return { kind: "terms", field, terms: { kind: "range", low: bounds.from, high: bounds.to } };
  }
}

/** Values between bounds. */
export function planRange(context: ReaderContext, query: Range, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return unmapped(query.field);
  requireSearchable(field);
  if (isRangeType(field.type)) {
    return constantPlan(rangesFilter(context, field, query), boost, `${field.path}:${rangeText(query)}`);
  }
  if (field.type === "boolean") return booleanRange(context, field, query, boost);
  const normalize = (text: string) => (field.type === "keyword" ? context.analysis.normalize(field, text) : text);
  const bounds = rangeBounds(field, query, context.environment.clock, normalize);
  return constantPlan(boundsFilter(field, bounds), boost, `${field.path}:${rangeText(query)}`);
}

/** A range of booleans holds none, one or both of them: one is a term and scores so (Elasticsearch `BooleanFieldType.rangeQuery`). */
function booleanRange(context: ReaderContext, field: Field, query: Range, boost: number): Plan {
  const at = (value: Scalar) => Number(numericValue(field, value, context.environment.clock));
  let low = 0;
  let high = 1;
  if (query.gte !== undefined) low = at(query.gte);
  if (query.gt !== undefined) low = Math.max(low, at(query.gt) + 1);
  if (query.lte !== undefined) high = at(query.lte);
  if (query.lt !== undefined) high = Math.min(high, at(query.lt) - 1);
  const text = `${field.path}:${rangeText(query)}`;
  if (low > high) return nonePlan(`MatchNoDocsQuery("${text}")`);
  if (low === high) return exactPlan(context, field, low === 1, boost);
  return constantPlan({ kind: "presence", field }, boost, text);
}

function rangeText(query: Range): string {
  const low = query.gte ?? query.gt ?? "*";
  const high = query.lte ?? query.lt ?? "*";
  return `${query.gt === undefined ? "[" : "{"}${low} TO ${high}${query.lt === undefined ? "]" : "}"}`;
}

/** Metadata that every document has. */
const EVERYWHERE: ReadonlySet<string> = new Set(["_id", "_index", "_seq_no", "_version"]);

/** Metadata that cannot be asked for, in Elasticsearch's words. */
const NOT_SEARCHABLE: ReadonlyMap<string, string> = new Map([
  ["_source", "The _source field is not searchable"],
  ["_field_names", "Cannot run exists query on _field_names"],
]);

/** Documents with any value of a field, or of the fields below an object. */
export function planExists(context: ReaderContext, query: Exists, boost: number): Plan {
  if (EVERYWHERE.has(query.field))
    return constantPlan({ kind: "all" }, boost, `FieldExistsQuery [field=${query.field}]`);
  if (query.field === "_routing") return constantPlan({ kind: "routed" }, boost, "FieldExistsQuery [field=_routing]");
  const refusal = NOT_SEARCHABLE.get(query.field);
  if (refusal !== undefined) throw new EngineError("query_unsupported", refusal, { field: query.field });
  const flat = findField(context, query.field);
  if (flat?.key !== undefined) return flatExists(flat, query.field, boost);
  const fields = existingFields(context, query.field);
  if (fields.length === 0) return unmapped(query.field);
  const text = `FieldExistsQuery [field=${query.field}]`;
  if (fields.length === 1) return constantPlan({ kind: "presence", field: fields[0] }, boost, text);
  const should = fields.map((field) => constantPlan({ kind: "presence", field }, 1, text));
  const plan: Plan = { kind: "bool", must: [], filter: [], should, mustNot: [], minimum: 1 };
  return constantPlan({ kind: "plan", plan }, boost, text);
}

/** Documents with a value at a path in an object that is kept flat, or below it. */
function flatExists(field: Field, path: string, boost: number): Plan {
  const text = `FieldExistsQuery [field=${path}]`;
  const { from, to } = flatBounds(field);
  const below = Buffer.from(`${field.key}.`, "utf8");
  const ranges = [
    { low: from, high: to },
    { low: below, high: prefixEnd(below) },
  ];
  const should = ranges.map((range) =>
    constantPlan({ kind: "terms", field, terms: { kind: "range", ...range } }, 1, text),
  );
  const plan: Plan = { kind: "bool", must: [], filter: [], should, mustNot: [], minimum: 1 };
  return constantPlan({ kind: "plan", plan }, boost, text);
}

/** A field by name, the fields below an object, or those that a pattern names. */
function existingFields(context: ReaderContext, path: string): Field[] {
  const exact = findField(context, path);
  if (exact !== undefined) return [exact];
  const below = `${path}.`;
  return mappedFields(context.reader.fields).filter((field) =>
    path.includes("*") ? matchesPattern(path, field.path) : field.path.startsWith(below),
  );
}

/** Documents by `_id`. */
export function planIds(_: ReaderContext, query: Ids, boost: number): Plan {
  return constantPlan({ kind: "ids", values: query.values }, boost, `_id:(${query.values.join(" ")})`);
}

/** Documents of some of an index's virtual shards. */
export function planVirtualShard(_: ReaderContext, query: VirtualShard, boost: number): Plan {
  const filter: Filter = {
    kind: "virtual_shard",
    shards: query.shards,
    spread: query.spread,
    wanted: query.wanted,
  };
  return constantPlan(filter, boost, `_shard:${query.wanted.join(",")}/${query.shards}`);
}

/** Terms that begin with a text. */
export function planPrefix(context: ReaderContext, query: Prefix, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return unmapped(query.field);
  if (field.trigrams) {
    const shown = { boost, text: `${field.path}:${query.value}*` };
    return globValues(field, [[{ literal: query.value }, "run"]], query.caseInsensitive, shown);
  }
  requireTerms(field, "prefix");
  const normalized = field.type === "keyword" || (query.analyzed === true && field.type === "text");
  const value = normalized ? context.analysis.normalize(field, query.value) : query.value;
  const text = `${field.path}:${value}*`;
  if (query.caseInsensitive)
    return patternPlan(field, glob([{ literal: ownText(field, value) }, "run"], true), { boost, text: `${value}*` });
  const low = field.type === "flat_object" ? flatTerm(field, value) : Buffer.from(value, "utf8");
  return constantPlan({ kind: "terms", field, terms: { kind: "range", low, high: prefixEnd(low) } }, boost, text);
}

/** Terms that a pattern with `*` and `?` matches. */
export function planWildcard(context: ReaderContext, query: Wildcard, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return unmapped(query.field);
  if (field.trigrams) {
    const parts = wildcardParts(query.value, (text) => text);
    return globValues(field, [parts], query.caseInsensitive, { boost, text: `${field.path}:${query.value}` });
  }
  requireTerms(field, "wildcard");
  const parts = wildcardParts(query.value, (text) =>
    // A text's terms are asked for as they are (Elasticsearch `StringFieldType.wildcardQuery`).
    field.type === "keyword" || (query.analyzed === true && field.type === "text")
      ? context.analysis.normalize(field, text)
      : text,
  );
  if (field.type === "flat_object") parts.unshift({ literal: termText(flatTerm(field, "")) });
  return patternPlan(field, glob(parts, query.caseInsensitive), { boost, text: query.value });
}

/** Terms, or values, that a regular expression matches as a whole. */
export function planRegexp(context: ReaderContext, query: Regexp, boost: number): Plan {
  const field = findField(context, query.field);
  if (field === undefined) return unmapped(query.field);
  const letters = query.caseInsensitive ? "either case" : "as written";
  const text = `${field.path}:/${query.value}/`;
  if (field.trigrams) return regexpValues(field, query.value, letters, { boost, text });
  requireTerms(field, "regexp");
  // What is no pattern is refused whether or not there are terms to match.
  regexp(query.value, letters);
  return constantPlan({ kind: "terms", field, terms: { kind: "regexp", pattern: query.value, letters } }, boost, text);
}

/**
 * The parts of a pattern with `*`, `?` and `\\`. Literal runs are normalised, wildcards are not (Elasticsearch
 * `StringFieldType.normalizeWildcardPattern`).
 */
function wildcardParts(pattern: string, normalize: (text: string) => string): GlobPart[] {
  const parts: GlobPart[] = [];
  let literal = "";
  const flush = () => {
    if (literal !== "") parts.push({ literal: normalize(literal) });
    literal = "";
  };
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i];
    if (c === "\\" && i + 1 < characters.length) literal += characters[++i];
    else if (c === "*" || c === "?") {
      flush();
      parts.push(c === "*" ? "run" : "one");
    } else literal += c;
  }
  flush();
  return parts;
}

function requireTerms(field: Field, query: string): void {
  requireSearchable(field);
  if (field.type === "text" || field.type === "keyword") return;
  if (field.type === "flat_object" && query !== "regexp") return;
  throw new EngineError(
    "query_unsupported",
    `Can only use ${query} queries on keyword, text and wildcard fields - not on [${field.path}] which is of type [${field.type}]`,
    { field: field.path, type: field.type },
  );
}

/** `_id` and `_index` can be asked for like fields. */
function metadataFilter(context: ReaderContext, field: string, values: readonly Scalar[]): Filter | null {
  if (field === "_id") return { kind: "ids", values: values.map(String) };
  if (field !== "_index") return null;
  const here = values.some((value) => matchesPattern(String(value), context.reader.index));
  return here ? { kind: "all" } : { kind: "plan", plan: nonePlan("another index") };
}

function unmapped(path: string): Plan {
  return nonePlan(`MatchNoDocsQuery("unmapped field [${path}]")`);
}
