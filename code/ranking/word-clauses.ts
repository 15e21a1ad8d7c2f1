/** What a word or a phrase is looked for in. Only query kinds that every Elasticsearch has are used. */
import { identifiersOf, isShaped } from "../identifier.js";
import type { Clause } from "../query-clauses.js";
import { constant } from "./constant.js";
import { BOOST, MOST, PHRASE_FIELDS, TIE_BREAKER, WORD_FIELDS } from "./weights.js";
import { wordIn } from "./word-in.js";

/** A word in one of the fields; the others count a little. */
export function wordClause(word: string): Clause {
  const fields = Object.entries(WORD_FIELDS).map(([field, boost]) => (boost === 1 ? field : `${field}^${boost}`));
  return wordIn(fields, word, { tie_breaker: TIE_BREAKER });
}

/**
 * Clauses that must hold for words: all of them, or one that asks for most. What is written as a name may be the beginning
 * of one; where nothing holds all words, so may any word.
 */
export function wordClauses(words: readonly string[], mode: "all" | "most"): Clause[] {
  const clauses = words.map((word) => (mode === "most" || isShaped(word) ? wordOrBeginning(word) : wordClause(word)));
  if (mode === "all" || clauses.length < 2) return clauses;
  return [{ bool: { should: clauses, minimum_should_match: Math.max(1, Math.floor(words.length * MOST)) } }];
}

/** `AbortWithStat` finds `AbortWithStatus`: whole identifiers are words of the index in lower case. */
function wordOrBeginning(word: string): Clause {
  const [identifier, ...others] = identifiersOf(word);
  if (identifier === undefined || others.length > 0 || identifier.length < SHORTEST_BEGINNING) return wordClause(word);
  const begins = constant({ prefix: { "name.text": identifier.toLowerCase() } }, BOOST.nameBegins);
  return { bool: { should: [wordClause(word), begins], minimum_should_match: 1 } };
}

const SHORTEST_BEGINNING = 3;

/** The words of a phrase one after another in one of the fields. */
export function textClause(phrase: string): Clause {
  const should = Object.entries(PHRASE_FIELDS).map(([field, boost]) => ({
    match_phrase: { [field]: { query: phrase, boost } },
  }));
  return { bool: { should, minimum_should_match: 1 } };
}
