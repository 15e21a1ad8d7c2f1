import { type CodeHit, type MatchingLine, matchingLines } from "../code/index.js";
import type { Costs, Level } from "./levels.js";
import { type Located, locatorOf, type Place, stateNote } from "./located.js";
import { byteLength, cutText } from "./page.js";

/** Longest line shown of a hit, in bytes. */
const LINE_BYTES = 240;
/** A longer declaration is shown by its matching lines only. */
const BODY_LINES = 60;
const MATCHING_LINES = 4;

/** A hit as it is now. */
export interface ShownHit {
  hit: CodeHit;
  located: Located;
  /** What to look for in its lines. */
  wanted: readonly string[];
  /** Said beside the locator, such as which of several queries found it; may be empty. */
  note: string;
}

/** The text of a hit at every level, each with its line ends; `body` is absent when it would be too long. */
export type Rendered = Readonly<Record<Exclude<Level, "body">, string>> & { readonly body?: string };

/** Writes a hit at every level. A piece that is gone has its old locator and no text. */
export function renderHit(shown: ShownHit): Rendered {
  const { hit, located } = shown;
  const notes = [stateNote(located), shown.note].filter((note) => note !== "").join("; ");
  const noted = notes === "" ? "\n" : ` (${notes})\n`;
  if (located.state === "gone") {
    const location = hit.locator + noted;
    return { location, signature: location, lines: location };
  }
  const { place } = located;
  const locator = locatorOf(place);
  const head = `${locator} ${describe(hit)}${noted}`;
  const matching = linesOf(shown, place, MATCHING_LINES);
  const signature = signatureOf(shown, place);
  // The signature is the first line in other words: where that line matches, it is enough.
  const lead = matching[0]?.line === place.startLine ? "" : signature;
  const body =
    place.lines.length > BODY_LINES
      ? undefined
      : head + place.lines.map((line, at) => numbered(place.startLine + at, line)).join("");
  return {
    location: locator + noted,
    signature: head + (signature === "" ? print(linesOf(shown, place, 1)) : signature),
    lines: head + lead + print(matching),
    body,
  };
}

/** Bytes of a hit at every level. */
export function costsOf(rendered: Rendered): Costs {
  return {
    location: byteLength(rendered.location),
    signature: byteLength(rendered.signature),
    lines: byteLength(rendered.lines),
    body: rendered.body === undefined ? Number.POSITIVE_INFINITY : byteLength(rendered.body),
  };
}

/** A line of code with its number, cut when it is long. */
export function numbered(line: number, text: string, maxBytes = LINE_BYTES): string {
  return `${line}: ${cutText(text.replace(/\r$/, ""), maxBytes)}\n`;
}

function describe(hit: CodeHit): string {
  return hit.class === "source" ? hit.kind : `${hit.kind}, ${hit.class}`;
}

function linesOf(shown: ShownHit, place: Place, count: number): MatchingLine[] {
  return matchingLines({ code: place.lines.join("\n"), startLine: place.startLine, wanted: shown.wanted, count });
}

function print(lines: MatchingLine[]): string {
  return lines.map(({ line, text }) => numbered(line, text)).join("");
}

/** A declaration's signature line, its first line with text when it has changed since; windows and sections have none. */
function signatureOf({ hit, located }: ShownHit, place: Place): string {
  if (hit.signature === "") return "";
  const first = place.lines.find((line) => line.trim() !== "") ?? "";
  return `  ${cutText(located.state === "changed" ? first.trim() : hit.signature, LINE_BYTES)}\n`;
}
