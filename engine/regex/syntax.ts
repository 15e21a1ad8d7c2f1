/** A regular expression as a tree. Case and the meaning of classes are resolved: what is left are sets of code points. */
import { EngineError } from "../errors.js";
import type { Ranges } from "./ranges.js";

/** Places between two characters. */
export type Look =
  | "line_begin"
  | "line_end"
  | "text_begin"
  | "text_end"
  /** By Unicode's \w, and by ASCII's. */
  | "word_boundary"
  | "no_word_boundary"
  | "ascii_word_boundary"
  | "no_ascii_word_boundary"
  /** The character before is none of a word (by Unicode's \w); the one behind is none. */
  | "no_word_before"
  | "no_word_behind";

export type Node =
  | { readonly kind: "empty" }
  /** One character of a set; of an empty one, nothing. */
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "look"; readonly look: Look }
  /** Only in patterns that are parsed for their groups; matches no character. */
  | { readonly kind: "mark"; readonly mark: Mark }
  /** In order; at least two. */
  | { readonly kind: "concat"; readonly parts: readonly Node[] }
  /** The first that leads to a match is preferred; at least two. */
  | { readonly kind: "or"; readonly parts: readonly Node[] }
  /** `max` may be Infinity. */
  | {
      readonly kind: "repeat";
      readonly of: Node;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    };

/** What a search for groups does at a place beside looking. */
export type Mark =
  /** Notes the place: slot 2n is where group n begins, 2n + 1 where it ends. */
  | { readonly kind: "save"; readonly slot: number }
  /** Looks whether a pattern of bounded width matches ahead of the place, or ends at it. */
  | { readonly kind: "around"; readonly where: "ahead" | "behind"; readonly wanted: boolean; readonly of: Node };

export const EMPTY: Node = { kind: "empty" };

/** One after the other. */
export function concat(parts: readonly Node[]): Node {
  const flat = parts.flatMap((part) => (part.kind === "concat" ? part.parts : part.kind === "empty" ? [] : [part]));
  if (flat.length === 0) return EMPTY;
  return flat.length === 1 ? flat[0] : { kind: "concat", parts: flat };
}

/** Any of them, the first preferred. */
export function or(parts: readonly Node[]): Node {
  return parts.length === 1 ? parts[0] : { kind: "or", parts };
}

/** The characters of a text. */
export function literal(text: string, fold: (ranges: Ranges) => Ranges): Node {
  return concat(
    Array.from(text, (character) => {
      const code = character.codePointAt(0) as number;
      return { kind: "set", ranges: fold([[code, code]]) } as const;
    }),
  );
}

/** A pattern that is none: `column` counts characters from 1. */
export function patternError(pattern: string, column: number, reason: string): EngineError {
  return new EngineError("invalid_value", `regular expression [${pattern}]: ${reason} at column ${column}`, {
    pattern,
    column,
    reason,
  });
}
