/** What stands beside a place of a text, as far as looks ask for it: what automata know of the bytes they have read or will read. */
import { isWordByte } from "./looks.js";
import type { Program } from "./program.js";
import type { Look } from "./syntax.js";

/**
 * "edge": nothing, the text ends there; "feed": a line feed; "return": the carriage return of one; "word": ASCII's \w; "lead" and
 * "inside": the first byte of a character beyond ASCII, and the others; "other": the rest of ASCII.
 */
export type Side = "edge" | "feed" | "return" | "word" | "lead" | "inside" | "other";

const LINE_FEED = 0x0a;

/** What a byte is to the place beside it; a carriage return counts as "other": only its line feed makes it more. */
export function sideOf(byte: number): Side {
  if (byte === LINE_FEED) return "feed";
  if (byte < 0x80) return isWordByte[byte] === 1 ? "word" : "other";
  return byte < 0xc0 ? "inside" : "lead";
}

/** What some looks ask of a side. */
export interface SideNeeds {
  readonly lines: boolean;
  readonly words: boolean;
}

/** What the looks of a program ask. */
export function sideNeeds({ looks }: Program): SideNeeds {
  const lines = looks.has("line_begin") || looks.has("line_end");
  return { lines, words: [...looks].some((look) => !/^(line|text)_/.test(look)) };
}

/** A side without what nobody asks for, so that fewer states differ by it. */
export function needed(side: Side, { lines, words }: SideNeeds): Side {
  if (side === "feed" || side === "return") return lines ? side : "other";
  return side === "word" || side === "lead" ? (words ? side : "other") : side;
}

/** Whether no match begins or ends at a place: a character goes on over it. */
export function isInside(before: Side, after: Side): boolean {
  return after === "inside" && before !== "edge";
}

/** Whether a look holds between two sides; "unsure": that takes more than a byte of each. */
export function lookBetween(look: Look, before: Side, after: Side): boolean | "unsure" {
  switch (look) {
    case "text_begin":
      return before === "edge";
    case "text_end":
      return after === "edge";
    case "line_begin":
      return before === "edge" || before === "feed";
    case "line_end":
      return after === "edge" || after === "feed" || after === "return";
    default:
      return !isInside(before, after) && wordsBetween(look, before, after);
  }
}

function wordsBetween(look: Look, before: Side, after: Side): boolean | "unsure" {
  const boundary = (before === "word") !== (after === "word");
  if (look === "ascii_word_boundary") return boundary;
  if (look === "no_ascii_word_boundary") return !boundary;
  if (look === "no_word_before") return isBeyondAscii(before) ? "unsure" : before !== "word";
  if (look === "no_word_behind") return isBeyondAscii(after) ? "unsure" : after !== "word";
  if (isBeyondAscii(before) || isBeyondAscii(after)) return "unsure";
  return look === "word_boundary" ? boundary : !boundary;
}

function isBeyondAscii(side: Side): boolean {
  return side === "lead" || side === "inside";
}
