/**
 * Results as you type: what stands in a search box so far, as the `_search` body for one page of declarations. Cheap for
 * the shortest beginnings: no text but names is looked at, nothing is counted, and every clause adds a constant.
 */
import { LEADING_KINDS, TEXT_KINDS } from "./kinds.js";
import type { Clause } from "./query-clauses.js";

/** A page of hits for what was typed, and in which repository. */
export interface TypingOptions {
  size: number;
  repo?: string;
}

/** Constants added to the score: a name that begins so before one with a word that does, functions and types before the rest. */
const BOOST = { whole: 8, beginning: 4, leadingKind: 1, source: 2 } as const;

/** Fields of a hit: what a line of a list shows, and the locator to open it by. */
export const TYPING_FIELDS = [
  "repo",
  "path",
  "kind",
  "name",
  "qualified_name",
  "signature",
  "start_line",
  "locator",
] as const;

/**
 * The body that finds declarations whose names have the typed words, the last as a beginning; undefined where nothing is
 * typed. `readTim` and `read tim` both find `readTimeout`.
 */
export function toTypingSearch(typed: string, { size, repo }: TypingOptions): Clause | undefined {
  const text = typed.trim();
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter((word) => word !== "");
  const last = words.pop();
  if (last === undefined) return undefined;
  const whole = words.map((word) => ({ match: { "name.text": { query: word, operator: "and" } } }));
  const filter = [
    ...whole,
    // A word that goes on over several of a name's is a beginning of the whole name, which is indexed as one word too.
    { prefix: { "name.text": last } },
    ...(repo === undefined ? [] : [{ term: { repo } }]),
  ];
  const should = [
    constant({ term: { name: text } }, BOOST.whole),
    constant({ prefix: { name: text } }, BOOST.beginning),
    constant({ terms: { kind: [...LEADING_KINDS] } }, BOOST.leadingKind),
    constant({ term: { class: "source" } }, BOOST.source),
  ];
  const must_not = [{ terms: { kind: [...TEXT_KINDS] } }, { term: { in_tree: false } }];
  return {
    query: { bool: { filter, should, must_not } },
    size,
    sort: [
      { _score: { order: "desc" } },
      { name: { order: "asc" } },
      { path: { order: "asc" } },
      { start_byte: { order: "asc" } },
    ],
    track_total_hits: false,
    _source: TYPING_FIELDS,
  };
}

function constant(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}
