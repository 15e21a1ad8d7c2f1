/**
 * Prose as clauses. Nothing of it must hold but any one word: what is rare among all documents counts most, which BM25 sees
 * to, and fields add up, so that a declaration that is named like the question, documented like it and made of its words
 * comes first. A file stands where its best declaration stands.
 */
import type { DeclarationKind } from "../documents.js";
import type { Clause } from "../query-clauses.js";
import { constant } from "./constant.js";
import { formsOf } from "./english.js";
import { priorClauses } from "./priors.js";
import type { Place, Prose } from "./prose.js";
import { FORM_FIELDS, PROSE_BOOST, PROSE_FIELDS, PROSE_KINDS, PROSE_PARTS } from "./weights.js";

/** Most words of a question. */
const LONGEST_QUESTION = 16;

/** What prose looks for, and what else orders it. */
export interface ProseClauses {
  /** Any of these. */
  must: Clause;
  should: Clause[];
}

/** Makes the clauses of prose. */
export function proseClauses(prose: Prose): ProseClauses {
  const should = [...wordClauses(prose), ...namedPlaces(prose)];
  const must = should.length > 0 ? { bool: { should, minimum_should_match: 1 } } : { match_none: {} };
  return { must, should: priors(prose) };
}

function wordClauses(prose: Prose): Clause[] {
  const { title, names, body, pairs } = prose;
  const asks = isQuestion(prose);
  return [
    ...(asks ? title.map(inAnyForm) : matches(title, PROSE_PARTS.title)),
    ...(asks ? pairs.map(pairClause) : []),
    ...matches(names, PROSE_PARTS.names),
    ...matches(body, PROSE_PARTS.body),
  ];
}

/** Words that each count in every field. */
function matches(words: readonly string[], part: number): Clause[] {
  if (words.length === 0) return [];
  const query = words.join(" ");
  return Object.entries(PROSE_FIELDS).map(([field, boost]) => ({
    match: { [field]: { query, boost: rounded(part * boost) } },
  }));
}

/** A word, or else another form of it, whichever counts more. */
function inAnyForm(word: string): Clause {
  const forms = formsOf(word);
  const itself = inFields(word, PROSE_FIELDS, PROSE_PARTS.title);
  if (forms.length === 0) return itself;
  return { dis_max: { queries: [itself, inFields(forms.join(" "), FORM_FIELDS, PROSE_PARTS.forms)] } };
}

function inFields(query: string, fields: Readonly<Record<string, number>>, part: number): Clause {
  const boosted = Object.entries(fields).map(([field, boost]) => `${field}^${rounded(part * boost)}`);
  return { multi_match: { query, type: "most_fields", fields: boosted } };
}

function pairClause(pair: string): Clause {
  return { match_phrase: { code: { query: pair, boost: PROSE_BOOST.pair } } };
}

/** Of the names, paths and frames, the first that fits counts. */
function namedPlaces({ paths, frames, names, places }: Prose): Clause[] {
  return [
    ...firstOf(names.map(named), PROSE_BOOST.name),
    ...firstOf(
      paths.map((path) => ({ match_phrase: { "path.text": { query: path } } })),
      PROSE_BOOST.path,
    ),
    ...firstOf(frames.map(named), PROSE_BOOST.frame),
    ...firstPlace(places),
  ];
}

/**
 * The declaration of a frame, in the file whose path ends most like the one that is written: what is called so there, for
 * lines move; without a name, or less where it has one, what has the line.
 */
function firstPlace(places: readonly Place[]): Clause[] {
  const queries = places.flatMap(({ paths, line, name }, at) => {
    const part = 1 / (1 + at * PROSE_BOOST.decay);
    const ofLine = name === undefined ? part : part * PROSE_BOOST.lineBesideName;
    const should = at < MOST_NEAR ? beginsNear(line, ofLine) : [];
    const byLine = { bool: { filter: hasLine(line), must: [fileOf(paths, ofLine)], should } };
    if (name === undefined) return [byLine];
    const atLine = constant({ bool: { filter: hasLine(line) } }, rounded(PROSE_BOOST.nearLine * part));
    return [{ bool: { filter: [named(name)], must: [fileOf(paths, part)], should: [atLine] } }, byLine];
  });
  return queries.length === 0 ? [] : [{ dis_max: { queries } }];
}

function fileOf(paths: readonly string[], part: number): Clause {
  const queries = paths.map((path) => constant(endsLike(path), rounded(PROSE_BOOST.place * part * likeness(path))));
  return { dis_max: { queries } };
}

/** Of several declarations around a line the innermost begins nearest to it. */
function beginsNear(line: number, part: number): Clause[] {
  return NEAR.map((lines) =>
    constant({ range: { start_line: { gte: Math.max(1, line - lines) } } }, rounded(PROSE_BOOST.nearLine * part)),
  );
}

/** Finer where declarations that lie in each other begin; of further frames it does not matter so much. */
const NEAR = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 233] as const;
const MOST_NEAR = 3;

/** How much of the boost a path's end is worth: the file's name alone is less than the folder with it. */
function likeness(path: string): number {
  return 1 - PROSE_BOOST.shortPath / path.split("/").length;
}

function hasLine(line: number): Clause[] {
  return [{ range: { start_line: { lte: line } } }, { range: { end_line: { gte: line } } }];
}

function endsLike(path: string): Clause {
  return { match_phrase: { "path.text": { query: path } } };
}

function named(name: string): Clause {
  return { term: { name } };
}

function firstOf(filters: readonly Clause[], boost: number): Clause[] {
  if (filters.length === 0) return [];
  const queries = filters.map((filter, at) => constant(filter, rounded(boost / (1 + at * PROSE_BOOST.decay))));
  return [{ dis_max: { queries } }];
}

function priors(prose: Prose): Clause[] {
  const { title, names, body } = prose;
  const words = title.length * PROSE_PARTS.title + names.length * PROSE_PARTS.names + body.length * PROSE_PARTS.body;
  const { sourcePerWord, callablePerWord, implementation } = PROSE_BOOST;
  const source = rounded(sourcePerWord * Math.max(1, words));
  const callable = constant({ terms: { kind: CALLABLE } }, callablePerWord * Math.max(1, title.length));
  return [...priorClauses({ kinds: PROSE_KINDS, source, implementation }), ...(isQuestion(prose) ? [callable] : [])];
}

const CALLABLE = ["function", "method", "constructor"] satisfies DeclarationKind[];

/** A question or a message: a few words, and nothing behind them. */
function isQuestion({ title, body }: Prose): boolean {
  return body.length === 0 && title.length <= LONGEST_QUESTION;
}

/** Boosts as a person would write them. */
function rounded(boost: number): number {
  return Math.round(boost * 1000) / 1000;
}
