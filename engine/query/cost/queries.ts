/**
 * What finding a query's documents costs, by its kind. Words, terms and dictionaries are looked at; what is not known by
 * looking (how many documents a range holds) is taken for many. A kind that is not in the table is taken for expensive.
 */
import type { Field } from "../../mapping/field-table.js";
import { compiledPattern, lineField } from "../compile/lines-queries.js";
import { prefixEnd } from "../exec/term-selection.js";
import type { Bool, Match, MatchingLines, MatchPhrase, MultiMatch, Prefix, Query, Terms, Wildcard } from "../query.js";
import { COST } from "./constants.js";
import { type Probe, SHARE } from "./probe.js";
import { exactTerm } from "./terms.js";

/** The documents a query finds, and the microseconds it takes to find them. */
export interface Finding {
  readonly docs: number;
  /** As a set, whatever their scores. */
  readonly marking: number;
  /** Each with its score. */
  readonly scoring: number;
}

type Estimators = { [K in Query["kind"]]?: (probe: Probe, query: Extract<Query, { kind: K }>) => Finding };

/** Terms that are read by their postings even where there is a column. */
const BY_POSTINGS = 16;

const ESTIMATORS: Estimators = {
  match_all: ({ docs }) => ({ docs, marking: docs * COST.bit, scoring: 0 }),
  match_none: () => NOTHING,
  term: (probe, query) => exact(probe, query.field, String(query.value), query.caseInsensitive),
  terms: manyTerms,
  match: words,
  match_phrase: phrase,
  multi_match: multiMatch,
  bool,
  range: (probe, query) => scanned(probe, probe.field(query.field)),
  exists: (probe) => alike(probe.docs, probe.docs * COST.bit),
  ids: (probe, query) => alike(query.values.length, query.values.length * probe.leaves * COST.id),
  prefix,
  wildcard,
  regexp: (probe, query) => {
    const field = probe.field(query.field);
    if (field === undefined) return NOTHING;
    if (field.trigrams) return read(probe);
    return pattern(probe, field, { from: null, to: null, compared: true });
  },
  matching_lines: matchingLines,
  virtual_shard: (probe) => alike(probe.docs, probe.docs * COST.row),
  constant_score: (probe, query) => {
    const { docs, marking } = find(probe, query.filter);
    return alike(docs, marking);
  },
  dis_max: (probe, query) => {
    const parts = query.queries.map((part) => find(probe, part));
    const docs = Math.min(probe.docs, sum(parts, "docs"));
    return { docs, marking: sum(parts, "marking"), scoring: sum(parts, "scoring") + docs * COST.singly };
  },
};

const NOTHING: Finding = { docs: 0, marking: 0, scoring: 0 };

/** Finding a query's documents in one reader. */
export function find(probe: Probe, query: Query): Finding {
  const estimate = ESTIMATORS[query.kind] as ((probe: Probe, query: Query) => Finding) | undefined;
  return estimate === undefined ? alike(probe.docs, probe.docs * COST.unknown) : estimate(probe, query);
}

/** Number of clauses, words counted roughly: an explanation has a part for each. */
export function clauses(query: Query): number {
  if (query.kind === "bool") {
    return [...query.must, ...query.should, ...query.filter, ...query.mustNot].reduce((n, one) => n + clauses(one), 0);
  }
  if (query.kind === "dis_max") return query.queries.reduce((n, one) => n + clauses(one), 0);
  if (query.kind === "match") return 1 + Math.floor(String(query.query).length / 8);
  return 1;
}

/** How much text of each leaf is searched for lines, in chunks; undefined: that is not known. */
export function chunksByLeaf(probe: Probe, query: MatchingLines): readonly number[] | undefined {
  const field = textField(probe, query);
  return field === undefined ? undefined : probe.chunksByLeaf(field, compiledPattern(query).grams);
}

/** The field whose text is searched by chunks; undefined: there is none, or whole values are read. */
export function textField(probe: Probe, query: MatchingLines): Field | undefined {
  const asked = probe.field(query.field);
  if (asked === undefined) return undefined;
  const field = lineField(asked, (path) => probe.field(path));
  return field.trigrams && !query.multiline ? field : undefined;
}

/** Text that has the pattern's grams is searched, and lines of it are shown. */
function matchingLines(probe: Probe, query: MatchingLines): Finding {
  if (probe.field(query.field) === undefined) return NOTHING;
  const chunks = chunksByLeaf(probe, query)?.reduce((total, one) => total + one, 0);
  if (chunks === undefined) return read(probe);
  const pattern = compiledPattern(query);
  const each = (pattern.literal === null && pattern.classes === null ? COST.readChunk : COST.chunk) + COST.line;
  const docs = Math.min(probe.docs, chunks);
  // Half of the chunks that have the grams are taken to have a line.
  const looked = chunks * Math.min(1, (2 * probe.enough) / Math.max(1, docs));
  return alike(docs, probe.docs * COST.bit + looked * each);
}

/** Documents whose text is looked at. */
function read(probe: Probe): Finding {
  return alike(probe.docs * SHARE, probe.docs * COST.text);
}

/** All with the same score: found as a set either way. */
function alike(docs: number, marking: number): Finding {
  return { docs, marking, scoring: marking };
}

function sum(parts: readonly Finding[], what: keyof Finding): number {
  return parts.reduce((total, part) => total + part[what], 0);
}

/** Documents by the rows of a column. */
function scanned(probe: Probe, field: Field | undefined): Finding {
  if (field === undefined) return NOTHING;
  probe.needs(field, field.column === null ? "postings" : "column");
  return alike(probe.docs * SHARE, probe.docs * COST.row);
}

/** A term's documents. */
function posted(probe: Probe, field: Field, docs: number): Finding {
  if (docs > 1) probe.needs(field, "postings");
  const lookup = COST.term * probe.leaves;
  return { docs, marking: lookup + docs * COST.marked, scoring: lookup + docs * COST.scored };
}

function exact(probe: Probe, path: string, value: string, folded: boolean): Finding {
  const field = probe.field(path);
  if (field === undefined) return path.startsWith("_") ? alike(probe.docs, probe.docs * COST.bit) : NOTHING;
  if (field.trigrams) return read(probe);
  if (!field.inverted) return scanned(probe, field);
  if (folded) return pattern(probe, field, { from: null, to: null, compared: true });
  return posted(probe, field, probe.docFreq(field, exactTerm(probe, field, value)));
}

function manyTerms(probe: Probe, query: Terms): Finding {
  const field = probe.field(query.field);
  if (field?.trigrams) return read(probe);
  const lookups = query.values.length * COST.term * probe.leaves;
  if (field === undefined) return query.field === "_id" ? alike(query.values.length, lookups) : NOTHING;
  if (query.values.length > BY_POSTINGS || !field.inverted) {
    probe.needs(field, field.column === null ? "postings" : "column");
    return alike(probe.docs * SHARE, lookups + probe.docs * COST.marked);
  }
  const parts = query.values.map((value) => exact(probe, query.field, String(value), false));
  return alike(Math.min(probe.docs, sum(parts, "docs")), sum(parts, "marking"));
}

/** The documents of each word of a text. */
function frequencies(probe: Probe, field: Field, text: string, analyzer: string | undefined): number[] {
  return probe.analysis.queryTokens(field, text, analyzer).map((token) => probe.docFreq(field, token.term));
}

function words(probe: Probe, query: Match): Finding {
  const field = probe.field(query.field);
  if (field === undefined) return NOTHING;
  if (field.type !== "text") return exact(probe, query.field, String(query.query), false);
  const found = frequencies(probe, field, String(query.query), query.analyzer);
  return query.operator === "and" ? allOf(probe, field, found, COST.advanced) : anyOf(probe, field, found);
}

function anyOf(probe: Probe, field: Field, found: readonly number[]): Finding {
  const parts = found.map((docs) => posted(probe, field, docs));
  const docs = Math.min(probe.docs, sum(parts, "docs"));
  const adding = found.length > 1 ? docs * COST.added : 0;
  return { docs, marking: sum(parts, "marking"), scoring: sum(parts, "scoring") + adding };
}

/** Terms that must all match; `each` is what a document of the rarest costs for every other. */
function allOf(probe: Probe, field: Field, found: readonly number[], each: number): Finding {
  if (found.length < 2) return anyOf(probe, field, found);
  const rarest = Math.min(...found);
  const share = probe.countsAll ? 1 : COST.passedOver;
  const scoring = found.length * COST.term * probe.leaves + rarest * (found.length - 1) * each * share;
  const marking = sum(
    found.map((docs) => posted(probe, field, docs)),
    "marking",
  );
  return { docs: rarest * SHARE, marking, scoring };
}

function phrase(probe: Probe, query: MatchPhrase): Finding {
  const field = probe.field(query.field);
  if (field === undefined) return NOTHING;
  if (field.type !== "text") return exact(probe, query.field, String(query.query), false);
  const found = frequencies(probe, field, String(query.query), query.analyzer);
  const { docs, scoring } = allOf(probe, field, found, COST.positions * (1 + Math.min(query.slop, 10)));
  probe.needs(field, "positions");
  // Positions are compared whether or not scores are wanted.
  return { docs, marking: scoring, scoring };
}

function multiMatch(probe: Probe, query: MultiMatch): Finding {
  const { operator, analyzer, lenient, slop, zeroTerms } = query;
  const common = { query: query.query, analyzer, boost: 1, zeroTerms };
  const parts = query.fields
    .flatMap(({ field }) => (field.includes("*") ? textFields(probe) : [field]))
    .map((field) =>
      query.type === "phrase"
        ? phrase(probe, { kind: "match_phrase", field, slop, lastTermExpansions: 0, ...common })
        : words(probe, { kind: "match", field, operator, lenient, ...common }),
    );
  const docs = Math.min(probe.docs, sum(parts, "docs"));
  return { docs, marking: sum(parts, "marking"), scoring: sum(parts, "scoring") + docs * COST.singly };
}

function textFields(probe: Probe): string[] {
  return [...probe.reader.fields.values()].filter((field) => field.type === "text").map((field) => field.path);
}

function bool(probe: Probe, query: Bool): Finding {
  // Where no text has a pattern's grams nothing else is looked at.
  const isMissing = (one: Query) => one.kind === "matching_lines" && matchingLines(probe, one).docs === 0;
  if (query.filter.some(isMissing) || query.must.some(isMissing)) return NOTHING;
  const must = query.must.map((one) => find(probe, one));
  const should = query.should.map((one) => find(probe, one));
  const narrowing = [...query.filter, ...query.mustNot].map((one) => find(probe, one));
  const required = [...must, ...query.filter.map((_, i) => narrowing[i])];
  const docs = Math.min(
    probe.docs,
    ...required.map((part) => part.docs),
    ...(required.length > 0 ? [] : [sum(should, "docs")]),
  );
  const combining = (required.length + should.length + query.mustNot.length) * probe.docs * COST.bit;
  const marking = combining + sum([...must, ...should, ...narrowing], "marking");
  const optional =
    required.length > 0 ? Math.min(sum(should, "scoring"), should.length * docs * COST.singly) : sum(should, "scoring");
  // Of several that must match, the rarest leads and the others are looked at for its documents only.
  const leading = must.length < 2 ? sum(must, "scoring") : docs * must.length * COST.singly;
  return { docs, marking, scoring: combining + sum(narrowing, "marking") + leading + optional };
}

function prefix(probe: Probe, query: Prefix): Finding {
  const field = probe.field(query.field);
  if (field === undefined) return NOTHING;
  if (field.trigrams) return read(probe);
  const from = Buffer.from(query.value, "utf8");
  if (query.caseInsensitive) return pattern(probe, field, { from: null, to: null, compared: true });
  return pattern(probe, field, { from, to: prefixEnd(from), compared: false });
}

function wildcard(probe: Probe, query: Wildcard): Finding {
  const field = probe.field(query.field);
  if (field === undefined) return NOTHING;
  if (field.trigrams) return read(probe);
  const literal = /^[^*?\\]*/.exec(query.value)?.[0] ?? "";
  if (query.caseInsensitive || literal === "") return pattern(probe, field, { from: null, to: null, compared: true });
  const from = Buffer.from(literal, "utf8");
  return pattern(probe, field, { from, to: prefixEnd(from), compared: true });
}

/** Terms of a part of a dictionary: each is perhaps compared, and those that match are read. */
function pattern(
  probe: Probe,
  field: Field,
  part: { from: Uint8Array | null; to: Uint8Array | null; compared: boolean },
): Finding {
  const terms = probe.terms(field, part.from, part.to);
  probe.needs(field, field.column === "ordinals" ? "column" : "postings");
  const comparing = part.compared ? terms * COST.compared : 0;
  const reading =
    field.column === "ordinals" ? probe.docs * COST.row : terms * COST.expanded + probe.docs * COST.marked;
  return alike(probe.docs * SHARE, comparing + (terms > BY_POSTINGS ? reading : terms * COST.term));
}
