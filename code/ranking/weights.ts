/**
 * How much everything counts in the order of hits. Numbers alone: what they are put on is in the files beside, what they
 * were measured to do is in docs/ranking.md. BM25 sums of a query of a few words are mostly between 5 and 40, and the
 * constants are to be read against those.
 */
import type { DeclarationKind } from "../documents.js";

/** Constants added to the score of hits for words. */
export const BOOST = {
  exactQualifiedName: 30,
  exactName: 24,
  joinedName: 18,
  /** The same name in another case: whoever types `parser` may mean `Parser`, and finds `parser` first. */
  otherCaseName: 12,
  /** The same for a name that was typed without capitals, as one types who does not care. */
  anyCaseName: 20,
  anyCaseQualifiedName: 25,
  allWordsInName: 10,
  /** A name that begins with the word, where nothing holds all words. */
  nameBegins: 15,
  /** An identifier that stands whole somewhere, before its parts in a row (`ok_after` before `ok + after`). */
  wholeIdentifier: 15,
  source: 12,
  /** Not a header or stub: what is declared there is defined elsewhere. */
  implementation: 4,
} as const;

/** Constants by kind of declaration, for hits for words. Text that is in no declaration has none. */
export const KINDS: readonly KindWeight[] = [
  { kinds: ["class", "struct", "interface", "trait", "enum"], boost: 6 },
  { kinds: ["function", "method", "constructor", "type"], boost: 5 },
  { kinds: ["macro", "route"], boost: 4 },
  { kinds: ["module", "namespace", "constant", "variable", "field", "property", "test"], boost: 2 },
];

/** The same for hits for prose: it asks for what does something, and a class gathers the words of all its methods. */
export const PROSE_KINDS: readonly KindWeight[] = [
  { kinds: ["function", "method", "constructor"], boost: 8 },
  { kinds: ["class", "struct", "interface", "trait", "enum"], boost: 6 },
  { kinds: ["type", "route"], boost: 5 },
  { kinds: ["module", "namespace", "macro", "constant", "variable", "field", "property", "test"], boost: 2 },
];

/** What some kinds of declaration count. */
export interface KindWeight {
  kinds: readonly DeclarationKind[];
  boost: number;
}

/** Fields in which a word may stand, with how much it counts there. */
export const WORD_FIELDS = {
  "name.text": 5,
  "qualified_name.text": 2,
  signature: 2,
  docstring: 1.5,
  code: 1,
  "path.text": 1,
} as const;

/** Fields in which a phrase may stand. */
export const PHRASE_FIELDS = { "name.text": 5, signature: 2, docstring: 1.5, code: 1, "path.text": 1 } as const;

/** How much the fields count that are not the best one. */
export const TIE_BREAKER = 0.3;

/**
 * What parts in a row count of their BM25: a phrase sums the rarity of the whole and of each part, which else would weigh more
 * than where a name is defined.
 */
export const PARTS_IN_ROW = 0.5;

/** Share of the words that must be there when not all have to. */
export const MOST = 0.6;

/** What a word of prose counts by where it stands in the text: names are what is written as code. */
export const PROSE_PARTS = { title: 1, names: 1, body: 0.2, forms: 0.6 } as const;

/** What it counts by the field that it is found in; the fields add up. */
export const PROSE_FIELDS = {
  "name.text": 1,
  "qualified_name.text": 0.5,
  signature: 0.25,
  docstring: 0.5,
  code: 1.5,
  "path.text": 0.75,
} as const;

/** Fields in which other forms of a question's words are looked for. */
export const FORM_FIELDS = { "name.text": 1, signature: 0.25, docstring: 0.5, code: 1.5 } as const;

/** Constants added to the score of hits for prose. */
export const PROSE_BOOST = {
  /** The path that is named first, or that the innermost frame of a stack trace has. */
  path: 40,
  /** The declaration of the innermost frame. */
  frame: 60,
  /** The declaration that the innermost frame names in its file, or that has its line there when it names none. */
  place: 40,
  /** How much of that the line alone counts when the frame has a name: lines move. */
  lineBesideName: 0.5,
  /** What is taken off for a path of one name; off one of n names, the n-th part of it. */
  shortPath: 0.4,
  /** For each of a dozen distances, when it begins so near above the line. */
  nearLine: 0.7,
  /** The declaration that is called as the first name says. */
  name: 15,
  /** How much less each further one counts: the n-th (from 0) has 1 / (1 + n * decay) of the boost. */
  decay: 0.25,
  /** Two words of a line that stand side by side in code as well: messages are found by this. */
  pair: 0.5,
  /** For a source file, for each word of the prose: the more words, the more a long test can gather. */
  sourcePerWord: 8,
  /** For what does something, for each word of a question: its class holds the same words and more. */
  callablePerWord: 2,
  implementation: 4,
} as const;
