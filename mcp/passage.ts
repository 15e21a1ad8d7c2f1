/**
 * Lines of a file written into a page. A long line among others is cut; a long line alone is shown as far as the page
 * goes, and is continued by the byte: in a minified file, everything is on one line.
 */
import { printable, wholeCharacters } from "../code/index.js";
import { callText } from "./call-text.js";
import { byteLength, cutText, LINE_END_BYTES, type Page, sameBudget, wireBytes } from "./page.js";
import { numbered } from "./render-hit.js";

/** Longest line shown whole among others, in bytes. */
const LINE_BYTES = 2_000;
/** How much longer the way on may become with other numbers. */
const SPARE = 8;

/** Lines to show, what they are, and how the rest is asked for. */
export interface Passage {
  title: string;
  /** Said behind the title, in brackets, whatever room there is: such as whether the code has moved. */
  note?: string;
  lines: readonly string[];
  startLine: number;
  /** Arguments that lead to the same lines again, lines apart. */
  again: { path: string; repo?: string; blob?: string };
  /** What leads on when it is changed in the call that was made, as a small budget has no room for a whole one. */
  goesOnBy?: "lines" | "lines and bytes";
  /** Last line there is to go on to. */
  endLine: number;
  /** UTF-8 bytes of the first line before `lines`, and of the last line behind them. */
  before: number;
  after: number;
}

/** A passage with the room that there was for it: what is said at the end must not change with what is left by then. */
interface Roomy extends Passage {
  room: number;
  /** What the calls that go on say of their budget. */
  budget: { max_tokens?: number };
}

/** Adds a passage, as much of it as fits, and the call that goes on. */
export function addPassage(page: Page, passage: Passage): void {
  page.add(titleLine(passage, Math.floor(page.room / 3)));
  const { lines, before, after } = passage;
  const roomy = { ...passage, room: page.room, budget: sameBudget(page) };
  if (lines.length === 1 && (wireBytes(lines[0]) > LINE_BYTES || before + after > 0)) addOneLine(page, roomy);
  else addLines(page, roomy);
}

/** The title is cut where it would fill the page, its note is not. */
function titleLine({ title, note = "" }: Passage, most: number): string {
  const noted = note === "" ? "\n" : ` (${printable(note)})\n`;
  return cutText(printable(title), Math.max(0, most - wireBytes(noted))) + noted;
}

/** Bytes that a passage takes when there is room for all of it. */
export function passageBytes(passage: Passage): number {
  const { lines } = passage;
  const title = titleLine(passage, Number.MAX_SAFE_INTEGER);
  if (lines.length === 1) return wireBytes(title) + wireBytes(lines[0]) + LONGEST_NOTES;
  const texts = lines.reduce((sum, _, at) => sum + wireBytes(lineText(passage, at)), 0);
  return wireBytes(title) + texts + (lines.some((line) => wireBytes(line) > LINE_BYTES) ? LONGEST_NOTES : 0);
}

/** What a line's number and the notes at its ends take. */
const LONGEST_NOTES = 60;

/** Bytes of a line that were shown, and where it stands. */
interface CutLine {
  line: number;
  /** In the line, in UTF-8 bytes. */
  from: number;
  to: number;
}

function addLines(page: Page, passage: Roomy): void {
  const { lines, startLine, endLine } = passage;
  const texts = lines.map((_, at) => lineText(passage, at));
  const cuts = lines.flatMap((line, at) => (wireBytes(line) > LINE_BYTES ? [cutLine(passage, at)] : []));
  const cutNote = (shown: number) =>
    cutLinesNote(
      passage,
      cuts.filter(({ line }) => line < startLine + shown),
    );
  const foot = (shown: number) => (shown === lines.length ? "" : moreLines(passage, startLine + shown));
  const whole = texts.reduce((sum, text) => sum + wireBytes(text), 0) + wireBytes(cutNote(lines.length));
  let shown = lines.length;
  if (whole <= page.room) page.add(texts.join(""));
  else {
    const longest = (text: (shown: number) => string) =>
      Math.max(...[0, 1, lines.length - 1].map((n) => wireBytes(text(n))));
    const reserved = longest(foot) + (cuts.length === 0 ? 0 : longest(cutNote)) + SPARE;
    page.reserve(reserved);
    shown = 0;
    while (shown < lines.length && page.add(texts[shown])) shown++;
    page.reserve(-reserved);
    if (shown === 0) {
      // Not even the first line has room beside the others: it is shown alone, and the rest is gone on to from it.
      addOneLine(page, { ...passage, lines: lines.slice(0, 1), after: lines.length === 1 ? passage.after : 0 });
      return;
    }
  }
  page.add(cutNote(shown));
  if (endLine >= startLine + shown) page.add(foot(shown));
}

function lineText({ lines, startLine, before, after }: Passage, at: number): string {
  const lead = at === 0 && before > 0 ? `(+${before} bytes) ... ` : "";
  const tail = at === lines.length - 1 && after > 0 ? ` ... (+${after} bytes)` : "";
  return numbered(startLine + at, lead + cutText(lines[at].replace(/\r$/, ""), LINE_BYTES) + tail);
}

function cutLine({ lines, startLine, before }: Passage, at: number): CutLine {
  const from = at === 0 ? before : 0;
  return { line: startLine + at, from, to: from + byteLength(lines[at]) };
}

/** How the first cut line is read whole. */
function cutLinesNote(passage: Roomy, cuts: readonly CutLine[]): string {
  const [first] = cuts;
  if (first === undefined) return "";
  const call = readCall(passage, first);
  const note = `${cuts.length} long lines are cut; line ${first.line} whole: ${call}\n`;
  return wireBytes(note) < passage.room / 3 ? note : `${cuts.length} long lines are cut, such as line ${first.line}\n`;
}

/** Where a whole call would fill a small budget, the way on is what to change in the one that was made. */
function moreLines(passage: Roomy, line: number): string {
  const { again, endLine, room, budget } = passage;
  const left = `${endLine - line + 1} more lines`;
  const call = `${left}; next: ${callText("read", { ...again, start_line: line, end_line: endLine, ...budget })}\n`;
  return wireBytes(call) + SPARE < room / 2 ? call : sameRead(passage, line);
}

/** The lines from one on as a change of the call that was made; by their number alone where that would not lead to them. */
function sameRead({ endLine, before, goesOnBy }: Roomy, line: number): string {
  const left = `${endLine - line + 1} more lines`;
  if (goesOnBy === undefined) return `${left}, from line ${line}\n`;
  return `${left}; next: the same read with "start_line":${line}${before > 0 ? ',"start_byte":0' : ""}\n`;
}

function readCall({ again, budget }: Roomy, { line, from, to }: CutLine): string {
  return callText("read", { ...again, start_line: line, end_line: line, start_byte: from, end_byte: to, ...budget });
}

/** One line from `before` on, as many whole characters as fit; then the byte to go on from, or the lines after it. */
function addOneLine(page: Page, passage: Roomy): void {
  const { lines, startLine, endLine, before, after } = passage;
  const bytes = Buffer.from(lines[0].replace(/\r$/, ""), "utf8");
  const end = before + bytes.length;
  const lead = `${startLine}: ${before > 0 ? `(+${before} bytes) ... ` : ""}`;
  const tail = after > 0 ? ` ... (+${after} bytes)\n` : "\n";
  const later = endLine > startLine ? moreLines(passage, startLine + 1) : "";
  const whole = lead + visible(bytes.toString("utf8")) + tail + later;
  if (page.add(whole)) return;
  const rest = (from: number) => {
    const left = `${end - from} more bytes of line ${startLine}`;
    const call = `${left}; next: ${readCall(passage, { line: startLine, from, to: end })}\n`;
    const { room } = passage;
    // A little of the line and how to go on with it is worth more than much of it and no call to make.
    const hasRoom = wireBytes(call) + SPARE < room / 2 || wireBytes(call + later) + SPARE < room * 0.9;
    if (hasRoom) return call + later;
    if (passage.goesOnBy !== "lines and bytes") return `${left}, from its byte ${from}\n${later}`;
    // The lines after this one come with what is left of it.
    return `${left}; next: the same read with "start_line":${startLine},"start_byte":${from}\n`;
  };
  const room = page.room - wireBytes(lead) - LINE_END_BYTES - wireBytes(rest(end)) - SPARE;
  const piece = firstPiece(bytes, room);
  page.add(`${lead}${visible(piece)}\n`);
  if (byteLength(piece) < bytes.length) page.add(rest(before + byteLength(piece)));
  // All of the line had room, and what was to follow it had not.
  else if (later !== "" && !page.add(later)) page.add(sameRead(passage, startLine + 1));
}

/** The longest beginning that fits once it is printed: what would move a cursor takes more bytes then. */
function firstPiece(bytes: Buffer, room: number): string {
  let most = Math.max(0, room);
  for (;;) {
    const piece = wholeCharacters(bytes, 0, most);
    const size = wireBytes(visible(piece));
    if (size <= room || piece === "") return piece;
    most = Math.min(most - 1, Math.floor((byteLength(piece) * room) / size));
  }
}

function visible(text: string): string {
  return printable(text, "\t");
}
