import { BOUNDS } from "../bounds.js";

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93];

/** The objects and arrays that stand one after the other, with or without commas, and what is left. */
export interface ScannedValues {
  values: string[];
  rest: string;
}

/** Cuts values apart by their brackets, in one pass; what stands in quotes does not count. */
export function scanValues(text: string, from: number): ScannedValues {
  const values: string[] = [];
  let [depth, start, rest] = [0, from, from];
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at);
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      if (depth++ === 0) start = at;
      if (depth > BOUNDS.jsonDepth) break;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      if (depth === 0) break;
      if (--depth > 0) continue;
      values.push(text.slice(start, at + 1));
      rest = at + 1;
    } else if (depth === 0 && char > 32 && char !== 44) break;
  }
  return { values, rest: text.slice(rest) };
}

/** Place of the closing quote, or the end. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at++;
    else if (char === QUOTE) return at;
  }
  return text.length;
}
