import type { ReferenceKind } from "./documents.js";

/** A name that a declaration refers to in one way, with all places where it is written. */
export interface ReferenceEdge {
  kind: ReferenceKind;
  name: string;
  /** `exact`: the tree says so; `heuristic`: read from text. */
  certainty: "exact" | "heuristic";
  /** Of each place, ascending; 1-based lines and UTF-8 bytes. */
  lines: number[];
  startBytes: number[];
}

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const COLON = 58;

/**
 * Reads one of a document's `edges`: `call 12:345,14:402 parseQuery`. That is the kind, with a `?` behind it when it is
 * heuristic; the places as `line:byte`; and the name, which is all that follows the second space.
 */
export function parseEdge(text: string): ReferenceEdge {
  const [placesAt, nameAt] = partsOf(text);
  const isHeuristic = text.charAt(placesAt - 2) === "?";
  const lines: number[] = [];
  const startBytes: number[] = [];
  // Digit by digit: a question reads tens of thousands of places.
  let number = 0;
  for (let at = placesAt; at < nameAt; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= DIGIT_0 && unit <= DIGIT_9) {
      number = number * 10 + unit - DIGIT_0;
      continue;
    }
    (unit === COLON ? lines : startBytes).push(number);
    number = 0;
  }
  return {
    kind: text.slice(0, placesAt - (isHeuristic ? 2 : 1)) as ReferenceKind,
    name: text.slice(nameAt),
    certainty: isHeuristic ? "heuristic" : "exact",
    lines,
    startBytes,
  };
}

/** The name alone: most edges of a document are of others than the one asked for. */
export function nameOfEdge(text: string): string {
  return text.slice(partsOf(text)[1]);
}

/** Where the places and the name of an edge begin. */
function partsOf(text: string): [places: number, name: number] {
  const places = text.indexOf(" ") + 1;
  return [places, text.indexOf(" ", places) + 1];
}
