import { type CodeHit, printable } from "../code/index.js";
import { allHitLines, type HitLine, matchingHitLines, nameLine } from "./hit-lines.js";
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
export type Rendered = Readonly<Record<Exclude<Level, "body">, string>> & {
  readonly body?: string;
  /** Keys of the code lines that a level shows. */
  readonly keys: Readonly<Partial<Record<Level, readonly string[]>>>;
};

/**
 * Writes a hit at every level, without the lines that are shown already (their keys). A piece that is gone has its old
 * locator and no text.
 */
export function renderHit(shown: ShownHit, seen: ReadonlySet<string> = new Set()): Rendered {
  const { hit, located } = shown;
  const notes = [stateNote(located), shown.note].filter((note) => note !== "").join("; ");
  const noted = notes === "" ? "\n" : ` (${printable(notes)})\n`;
  if (located.state === "gone") {
    const location = hit.locator + noted;
    return { location, signature: location, lines: location, keys: {} };
  }
  const { place } = located;
  const location = locatorOf(place) + noted;
  const head = `${locatorOf(place)} ${describe(hit)}${noted}`;
  const matching = matchingHitLines(requestOf(shown, place));
  const fresh = matching.filter(({ key }) => !seen.has(key));
  const signature = signatureOf(shown, place);
  // The signature is the first line in other words: where that line matches, it is enough.
  const lead = matching.some(({ line }) => line === place.startLine) ? "" : signature;
  const one = signature === "" ? fresh.slice(0, 1) : [];
  const body = place.lines.length > BODY_LINES ? undefined : bodyOf(shown, place, matching);
  return {
    location,
    signature: head + (signature === "" ? print(one) : signature),
    lines: head + lead + print(fresh),
    ...(body === undefined ? {} : { body: head + print(body) }),
    keys: { signature: keysOf(one), lines: keysOf(fresh), body: keysOf(body ?? []) },
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

/** A line of code with its number. */
export function numbered(line: number, text: string): string {
  return `${line}: ${text.replace(/\r$/, "")}\n`;
}

function describe(hit: CodeHit): string {
  return hit.class === "source" ? hit.kind : `${hit.kind}, ${hit.class}`;
}

function requestOf({ hit, wanted }: ShownHit, place: Place) {
  return { place, wanted, name: hit.name, count: MATCHING_LINES, maxBytes: LINE_BYTES };
}

/** All lines; those of the comment above only where something looked for stands in them. */
function bodyOf(shown: ShownHit, place: Place, matching: readonly HitLine[]): HitLine[] {
  const isInComment = matching.some(({ line }) => line < place.startLine);
  return allHitLines(requestOf(shown, place), isInComment ? "comment" : "code");
}

function print(lines: readonly HitLine[]): string {
  return lines.map(({ line, text }) => numbered(line, text)).join("");
}

function keysOf(lines: readonly HitLine[]): string[] {
  return lines.map(({ key }) => key);
}

/** A declaration's signature line, the line with its name when it has changed since; windows and sections have none. */
function signatureOf(shown: ShownHit, place: Place): string {
  const { hit, located } = shown;
  if (hit.signature === "") return "";
  const changed = located.state === "changed" ? nameLine(requestOf(shown, place)).text.trim() : undefined;
  return `  ${cutText(changed ?? hit.signature, LINE_BYTES)}\n`;
}
