/**
 * Bytes of certain classes at certain distances that every match of a pattern has in it: what is looked for where no literal is.
 * `[0-9]{9}` has nine digits in a row, of which the first, the last and the middle one are looked for, at sixteen places at a time.
 * Most lines are passed over so; those that are not are read.
 */
import { shareOf } from "./byte-frequency.js";
import { countCodePoints, mergeRanges, type Ranges, withoutSurrogates } from "./ranges.js";
import type { Node } from "./syntax.js";

/** A byte of a class, at a place of a row. It is of the class if `low` by its lower half and `high` by its upper half have a bit in common: so are some more. */
export interface ClassPlace {
  readonly offset: number;
  readonly low: Uint8Array;
  readonly high: Uint8Array;
}

/** A row of bytes. */
export interface RequiredClasses {
  /** Bytes of the row, up to the last place. */
  readonly length: number;
  /** One to MOST_PLACES of them, the rarest first. */
  readonly places: readonly ClassPlace[];
}

/** Further places would take longer to look at than they save. */
const MOST_PLACES = 3;
/** Bytes of a row that are looked at. */
const MOST_BYTES = 64;
/** Rows that are met more often (by the shares of their places) save too little. */
const MOST_SHARE = 1 / 200;

const LINE_FEED = 0x0a;
const FIRST_BEYOND_ASCII = 0x80;
/** First code point that takes 2, 3, 4 bytes. */
const WIDTHS = [0x80, 0x800, 0x10000];

/** For each byte 1 if it is of the class. */
type ByteClass = Uint8Array;

/** Classes of bytes that follow each other. */
type Row = ByteClass[];

/** The row that is met least often; null when all are met too often. Of matches within lines: line feeds are in none. */
export function requiredClasses(node: Node): RequiredClasses | null {
  const rows: Row[] = [[]];
  collect(node, rows);
  let best: RequiredClasses | null = null;
  let least = MOST_SHARE;
  for (const row of rows) {
    const offsets = rarestPlaces(row);
    const share = offsets.reduce((product, offset) => product * shareOfClass(row[offset]), 1);
    if (offsets.length === 0 || share >= least) continue;
    least = share;
    best = { length: Math.max(...offsets) + 1, places: offsets.map((offset) => placeOf(row[offset], offset)) };
  }
  return best;
}

/** Adds the rows that a node must have; the last may go on. */
function collect(node: Node, rows: Row[]): void {
  switch (node.kind) {
    case "empty":
    case "look":
    case "mark":
      return;
    case "set":
      addCharacters(node.ranges, 1, rows);
      return;
    case "concat":
      for (const part of node.parts) collect(part, rows);
      return;
    case "or":
      collectChoice(node.parts, rows);
      return;
    case "repeat":
      collectRepeat(node, rows);
  }
}

/** Alternatives that are one character each are a set; others end the row. */
function collectChoice(parts: readonly Node[], rows: Row[]): void {
  const sets = parts.flatMap((part) => (part.kind === "set" ? [part] : []));
  if (sets.length < parts.length) rows.push([]);
  else addCharacters(mergeRanges(sets.flatMap(({ ranges }) => ranges)), 1, rows);
}

function collectRepeat({ of, min, max }: Node & { kind: "repeat" }, rows: Row[]): void {
  const times = Math.min(min, MOST_BYTES);
  if (of.kind === "set") addCharacters(of.ranges, times, rows);
  else for (let i = 0; i < times; i++) collect(of, rows);
  if (max === times) return;
  rows.push([]);
  // It ends with as many as it begins with; repeats of repeats are not followed twice, that would be once more for each level.
  if (of.kind === "set") addCharacters(of.ranges, times, rows);
}

/** Adds so many characters of a set. */
function addCharacters(ranges: Ranges, times: number, rows: Row[]): void {
  const characters = withoutSurrogates(ranges);
  const row = rows[rows.length - 1];
  if (characters.length === 0 || times === 0) return;
  const [least, most] = [widthOf(characters[0][0]), widthOf(characters[characters.length - 1][1])];
  const classes = least === most ? classesOf(characters, least) : [anyByteOf(characters)];
  const bytes = Math.min(least * times, MOST_BYTES - row.length);
  for (let i = 0; i < bytes; i++) row.push(classes[i % classes.length]);
  // Where characters are of several widths, nobody knows what is behind so many bytes.
  if (least !== most || bytes < least * times) rows.push([]);
}

/** Bytes that a code point takes. */
function widthOf(code: number): number {
  return 1 + WIDTHS.filter((first) => code >= first).length;
}

/** What each byte of characters of one width can be. */
function classesOf(characters: Ranges, width: number): ByteClass[] {
  if (width === 1) return [anyByteOf(characters)];
  const single = countCodePoints(characters) === 1;
  const [first, last] = [characters[0][0], characters[characters.length - 1][1]].map((code) =>
    Buffer.from(String.fromCodePoint(code)),
  );
  return Array.from({ length: width }, (_, i) => {
    const bytes = new Uint8Array(256);
    if (i === 0 || single) return bytes.fill(1, first[i], last[i] + 1);
    return bytes.fill(1, 0x80, 0xc0);
  });
}

/** All bytes that characters have; beyond ASCII any byte of those. */
function anyByteOf(characters: Ranges): ByteClass {
  const bytes = new Uint8Array(256);
  for (const [from, to] of characters) {
    bytes.fill(1, Math.min(from, FIRST_BEYOND_ASCII), Math.min(to + 1, FIRST_BEYOND_ASCII));
    if (to >= FIRST_BEYOND_ASCII) bytes.fill(1, FIRST_BEYOND_ASCII);
  }
  bytes[LINE_FEED] = 0;
  return bytes;
}

function shareOfClass(bytes: ByteClass): number {
  let share = 0;
  for (let byte = 0; byte < bytes.length; byte++) if (bytes[byte] === 1) share += shareOf(byte);
  return Math.min(1, share);
}

/** The places whose bytes are rarest, far from each other: what is alike is often side by side. */
function rarestPlaces(row: Row): number[] {
  const shares = row.map(shareOfClass);
  const chosen: number[] = [];
  const apart = (place: number) => Math.min(row.length, ...chosen.map((other) => Math.abs(place - other)));
  while (chosen.length < Math.min(MOST_PLACES, row.length)) {
    const left = row.map((_, place) => place).filter((place) => !chosen.includes(place));
    left.sort((a, b) => shares[a] - shares[b] || apart(b) - apart(a) || a - b);
    chosen.push(left[0]);
  }
  return chosen;
}

/** Rows of sixteen bytes of the code table have a bit each, but the two of control characters and all beyond ASCII, which share one. */
function placeOf(bytes: ByteClass, offset: number): ClassPlace {
  const low = new Uint8Array(16);
  const high = new Uint8Array(16);
  for (let byte = 0; byte < bytes.length; byte++) {
    if (bytes[byte] === 0) continue;
    const half = byte >>> 4;
    const bit = 1 << (half < 8 ? Math.max(half, 1) - 1 : 7);
    low[byte & 15] |= bit;
    high[half] |= bit;
  }
  return { offset, low, high };
}
