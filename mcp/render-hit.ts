import { type CodeHit, printable } from "../code/index.js";
import { allHitLines, type HitLine, matchingHitLines, nameLine } from "./hit-lines.js";
import type { Costs, Level } from "./levels.js";
import { type Located, locatorOf, type Place, stateNote } from "./located.js";
import { cutText, wireBytes } from "./page.js";

/** Longest line shown of a hit, in bytes, and longest signature. */
const LINE_BYTES = 240;
const SIGNATURE_BYTES = 480;
/** A longer declaration is shown by its matching lines only. */
const BODY_LINES = 60;
const MATCHING_LINES = 4;

/** A hit as it is now. */
export interface ShownHit {
  hit: CodeHit;
  located: Located;
  /** What to look for in its lines. */
  wanted: readonly string[];
  /** Lines that are asked for by their numbers. */
  asked?: readonly number[];
  /** Said beside the locator, such as which of several queries found it; may be empty. */
  note: string;
}

/** The text of a hit at every level, each with its line ends; `body` is absent when it would be too long. */
export type Rendered = Readonly<Record<Exclude<Level, "body">, string>> & {
  readonly body?: string;
  /** Keys of the code lines that a level shows. */
  readonly keys: Readonly<Partial<Record<Level, readonly string[]>>>;
};

/** Writes a hit at every level, without the lines that are shown already (their keys). */
export function renderHit(shown: ShownHit, seen: ReadonlySet<string> = new Set()): Rendered {
  return hitRenderer(shown)(seen);
}

/**
 * What writes a hit at every level, without the lines of given keys: a page writes its hits several times until their
 * levels fit together, and finding the matching lines is dear. A piece that is gone has its old locator and no text.
 */
export function hitRenderer(shown: ShownHit): (seen: ReadonlySet<string>) => Rendered {
  const { hit, located } = shown;
  const notes = [stateNote(located), shown.note].filter((note) => note !== "").join("; ");
  const noted = notes === "" ? "\n" : ` (${printable(notes)})\n`;
  if (located.state === "gone") {
    const location = hit.locator + noted;
    return () => ({ location, signature: location, lines: location, keys: {} });
  }
  const { place } = located;
  const location = locatorOf(place) + noted;
  const head = `${locatorOf(place)} ${describe(hit)}${noted}`;
  const signature = signatureOf(shown, place);
  // A signature says its first line in other words: where that line matches it is enough, unless others go on with it.
  const matching = matchingHitLines(requestOf(shown, place));
  const lead = matching.find(({ line }) => line === place.startLine);
  const isSaid = lead !== undefined && !goesOn(hit.signature, lead.text);
  const listed = isSaid ? matching : matching.filter((line) => signature === "" || line !== lead);
  const body = place.lines.length > BODY_LINES ? undefined : bodyOf(shown, place, matching);
  const whole = body === undefined ? undefined : head + print(body);
  return (seen) => {
    const fresh = listed.filter(({ key }) => !seen.has(key));
    const one = signature === "" ? fresh.slice(0, 1) : [];
    return {
      location,
      signature: head + (signature === "" ? print(one) : signature),
      lines: head + (isSaid ? "" : signature) + print(fresh),
      ...(whole === undefined ? {} : { body: whole }),
      keys: { signature: keysOf(one), lines: keysOf(fresh), body: keysOf(body ?? []) },
    };
  };
}

/** Whether a signature begins with a line and says more, white space apart. */
function goesOn(signature: string, line: string): boolean {
  const [whole, beginning] = [signature, line].map((text) => text.replace(/\s+/g, ""));
  return whole.length > beginning.length && whole.startsWith(beginning);
}

/** Bytes of a hit at every level. */
export function costsOf(rendered: Rendered): Costs {
  return {
    location: wireBytes(rendered.location),
    signature: wireBytes(rendered.signature),
    lines: wireBytes(rendered.lines),
    body: rendered.body === undefined ? Number.POSITIVE_INFINITY : wireBytes(rendered.body),
  };
}

/** A line of code with its number, on one line whatever it holds. */
export function numbered(line: number, text: string): string {
  return `${line}: ${printable(text.replace(/\r$/, ""), "\t")}\n`;
}

function describe(hit: CodeHit): string {
  return hit.class === "source" ? hit.kind : `${hit.kind}, ${hit.class}`;
}

function requestOf({ hit, wanted, asked }: ShownHit, place: Place) {
  return { place, wanted, asked, name: hit.name, count: MATCHING_LINES, maxBytes: LINE_BYTES };
}

/** All lines; those of the comment above only where something looked for stands there and not in the code. */
function bodyOf(shown: ShownHit, place: Place, matching: readonly HitLine[]): HitLine[] {
  const isInComment = matching.length > 0 && matching.every(({ line }) => line < place.startLine);
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
  return `  ${cutText(printable(changed ?? hit.signature), SIGNATURE_BYTES)}\n`;
}
