import { excerpt, lineOfName, matchingLines } from "../code/index.js";
import type { Place } from "./located.js";

/** A line of a hit, ready to be shown. */
export interface HitLine {
  /** 1-based number in the file. */
  line: number;
  /** Without its end; a piece of it, with the bytes left out, when it is long. */
  text: string;
  /** The same for whatever shows the same: of a long line, the same place in it. */
  key: string;
}

/** What of a place is shown. */
export interface HitLinesRequest {
  place: Place;
  /** Words and phrases looked for. */
  wanted: readonly string[];
  /** Numbers of lines that are to be seen whatever stands there. */
  asked?: readonly number[];
  /** The declared name: its line stays when there are too many. */
  name: string;
  count: number;
  /** Longest line, in UTF-8 bytes. */
  maxBytes: number;
}

/** The lines of a place, its comment included, on which the wanted texts stand. */
export function matchingHitLines(request: HitLinesRequest): HitLine[] {
  const { place, wanted, asked, count, maxBytes } = request;
  const found = matchingLines({
    code: [...(place.comment ?? []), ...place.lines].join("\n"),
    startLine: firstLine(place),
    wanted,
    asked,
    count,
    preferred: place.startLine + (lineOfName(place.lines, request.name) ?? 0),
  });
  return found.map(({ line, column }) => showLine(place, { line, column, maxBytes }));
}

/** The line of a place that carries the declared name; without one, the first that is not blank. */
export function nameLine({ place, name, maxBytes }: HitLinesRequest): HitLine {
  const first = place.lines.findIndex((line) => line.trim() !== "");
  const at = lineOfName(place.lines, name) ?? Math.max(0, first);
  const column = Math.max(0, (place.lines[at] ?? "").indexOf(name));
  return showLine(place, { line: place.startLine + at, column, maxBytes });
}

/** All lines of a place from its comment or its first line on; long ones around what is wanted. */
export function allHitLines(request: HitLinesRequest, from: "comment" | "code"): HitLine[] {
  const { place, maxBytes } = request;
  const matches = new Map(matchingHitColumns(request));
  const start = from === "comment" ? firstLine(place) : place.startLine;
  const count = place.startLine + place.lines.length - start;
  return Array.from({ length: count }, (_, at) =>
    showLine(place, { line: start + at, column: matches.get(start + at) ?? 0, maxBytes }),
  );
}

/** Number of the first line of a place or of its comment. */
export function firstLine(place: Place): number {
  return place.startLine - (place.comment?.length ?? 0);
}

/** The key of a whole line of a file. */
export function lineKey(place: { repo: string; path: string }, line: number): string {
  return `${place.repo}\0${place.path}\0${line}`;
}

function matchingHitColumns({ place, wanted, maxBytes }: HitLinesRequest): [number, number][] {
  const isLong = place.lines.some((line) => line.length > maxBytes / 3); // a UTF-16 unit has at most three bytes
  if (!isLong) return [];
  const request = { code: place.lines.join("\n"), startLine: place.startLine, wanted, count: place.lines.length };
  return matchingLines(request).map(({ line, column }) => [line, column]);
}

function showLine(place: Place, at: { line: number; column: number; maxBytes: number }): HitLine {
  const { line, column, maxBytes } = at;
  const text = lineAt(place, line).replace(/\r$/, "");
  const before = line === place.startLine ? (place.before ?? 0) : 0;
  const after = line === place.startLine + place.lines.length - 1 ? (place.after ?? 0) : 0;
  const shown = excerpt({ text, at: column, maxBytes, before, after });
  const key = lineKey(place, line);
  return {
    line,
    text: shown,
    key: shown === text ? key : `${key}@${before + Buffer.byteLength(text.slice(0, column))}`,
  };
}

function lineAt(place: Place, line: number): string {
  const text = line < place.startLine ? place.comment?.[line - firstLine(place)] : place.lines[line - place.startLine];
  return text ?? "";
}
