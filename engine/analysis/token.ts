/**
 * One token of a text. Offsets are UTF-16 units of the text that was analysed (before character filters); positions
 * count from 0 and never descend; `positionLength` is how many positions the token spans.
 */
export interface Token {
  term: string;
  start: number;
  end: number;
  position: number;
  positionLength: number;
  type: string;
}

/**
 * The tokens of a text. `trailing`: positions behind the last one that belonged to tokens a filter dropped; the next
 * value of an array begins after them (what Lucene's `TokenStream.end` reports). Absent: none.
 */
export type Tokens = Token[] & { trailing?: number };

/** Cuts a text into tokens. */
export type Tokenizer = (text: string) => Tokens;

/**
 * Changes, drops or adds tokens; may reuse and change the tokens it is given. A new list that it returns tells only the
 * trailing positions that the filter adds.
 */
export type TokenFilter = (tokens: Tokens) => Tokens;

/** A text changed before it is tokenized, and where its offsets come from. */
export interface FilteredText {
  text: string;
  /** Offset in the text before filtering. */
  correct(offset: number): number;
}

/** Changes a text before it is cut. */
export type CharFilter = (text: string) => FilteredText;

/** Longest token of the built-in tokenizers, in UTF-16 units (StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH). */
export const MAX_TOKEN_LENGTH = 255;

/** A token one position wide. */
export function makeToken(term: string, start: number, position: number, type = "word"): Token {
  return { term, start, end: start + term.length, position, positionLength: 1, type };
}
