/** What is asked of one field or of several: how a query string's words become queries. */
import type { MultiMatch, Query } from "../../../engine/index.js";
import { illegalArgument } from "../../errors.js";

/** A field or pattern and what its scores are multiplied by. */
export interface AskedField {
  readonly field: string;
  readonly boost: number;
}

/** What all words of a query string share. */
export interface WordOptions {
  readonly fields: readonly AskedField[];
  readonly operator: "or" | "and";
  readonly analyzer: string | undefined;
  readonly quoteAnalyzer: string | undefined;
  readonly quoteFieldSuffix: string | undefined;
  readonly lenient: boolean;
  readonly phraseSlop: number;
  readonly tieBreaker: number;
  readonly type: "best_fields" | "most_fields" | "phrase";
  readonly timeZone: string | undefined;
  readonly minimumShouldMatch: string | undefined;
}

/** A query of one field, whose name stands for each of those asked. */
export type FieldQuery = Extract<Query, { kind: "each_field" }>["query"];

/** The fields that a name before a colon means; the default ones where there was none. */
export function askedFields(options: WordOptions, field: string | undefined): readonly AskedField[] {
  return field === undefined ? options.fields : [{ field, boost: 1 }];
}

/** What every document has without a field of the mapping: asked for by whole values. */
const isMetadata = ({ field }: AskedField): boolean => field === "_id" || field === "_index";

/** The best of the questions to metadata and of the one to all other fields. */
function besideMetadata(
  fields: readonly AskedField[],
  { own, others }: { own: (field: AskedField) => Query; others: (fields: readonly AskedField[]) => Query },
  tieBreaker: number,
): Query {
  const rest = fields.filter((one) => !isMetadata(one));
  const queries = fields.filter(isMetadata).map(own);
  if (rest.length > 0 || queries.length === 0) queries.push(others(rest));
  return queries.length === 1 ? queries[0] : { kind: "dis_max", queries, tieBreaker, boost: 1 };
}

/** A query of each of the fields, the best of which counts. Throws ApiError 400. */
export function ofEachField(fields: readonly AskedField[], query: FieldQuery, options: WordOptions): Query {
  const own = (one: AskedField) => ofMetadata(one, query, options);
  return besideMetadata(fields, { own, others: (rest) => ofFields(rest, query, options) }, options.tieBreaker);
}

/** Names of indices may be patterns; of ids nothing but whole ones can be asked. */
function ofMetadata({ field, boost: own }: AskedField, query: FieldQuery, options: WordOptions): Query {
  const boost = query.boost * own;
  if (query.kind === "exists") return { ...query, field, boost };
  if (field === "_index" && query.kind === "wildcard") return exactly(field, query.value, boost);
  if (field === "_index" && query.kind === "prefix") return exactly(field, `${query.value}*`, boost);
  if (options.lenient) return { kind: "match_none", boost };
  throw illegalArgument(
    `Can only use ${query.kind} queries on keyword and text fields - not on [${field}] which is of type [${field}]`,
  );
}

function exactly(field: string, value: string, boost: number): Query {
  return { kind: "term", field, value, caseInsensitive: false, boost };
}

function ofFields(fields: readonly AskedField[], query: FieldQuery, options: WordOptions): Query {
  const [only] = fields;
  if (fields.length === 1 && !only.field.includes("*") && only.boost === 1 && !options.lenient) {
    return { ...query, field: only.field };
  }
  const { lenient, tieBreaker } = options;
  return {
    kind: "each_field",
    fields: [...fields],
    query: { ...query, boost: 1 },
    lenient,
    tieBreaker,
    boost: query.boost,
  };
}

/** Words that are analysed, in any of the fields. */
export function matchWords(fields: readonly AskedField[], text: string, options: WordOptions, boost: number): Query {
  return multiMatch(
    fields,
    { text, boost, type: options.type, slop: options.phraseSlop, analyzer: options.analyzer },
    options,
  );
}

/** Words in their order. */
export function matchPhrase(
  fields: readonly AskedField[],
  { text, slop, boost }: { text: string; slop: number | undefined; boost: number },
  options: WordOptions,
): Query {
  const suffix = options.quoteFieldSuffix ?? "";
  const quoted = suffix === "" ? fields : fields.map((one) => ({ ...one, field: one.field + suffix }));
  const analyzer = options.quoteAnalyzer ?? options.analyzer;
  return multiMatch(quoted, { text, boost, type: "phrase", slop: slop ?? options.phraseSlop, analyzer }, options);
}

interface Words {
  readonly text: string;
  readonly boost: number;
  readonly type: MultiMatch["type"];
  readonly slop: number;
  readonly analyzer: string | undefined;
}

function multiMatch(fields: readonly AskedField[], words: Words, options: WordOptions): Query {
  const own = ({ field, boost }: AskedField) => exactly(field, words.text, words.boost * boost);
  return besideMetadata(fields, { own, others: (rest) => ofText(rest, words, options) }, options.tieBreaker);
}

function ofText(fields: readonly AskedField[], words: Words, options: WordOptions): MultiMatch {
  const query: MultiMatch = {
    kind: "multi_match",
    fields: [...fields],
    query: words.text,
    type: words.type,
    operator: options.operator,
    tieBreaker: words.type === "most_fields" ? 1 : options.tieBreaker,
    slop: words.slop,
    // Words that are none to the analyser take nothing away from what is found.
    zeroTerms: "none",
    lenient: options.lenient,
    boost: words.boost,
  };
  if (words.analyzer !== undefined) query.analyzer = words.analyzer;
  return query;
}
