import { formatLocator, printable } from "../code/index.js";

/** A run of whole lines in a file, named. */
export interface Place {
  repo: string;
  path: string;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  qualifiedName: string;
  /** Git blob id of the file, whole or its first 12 digits. */
  blob: string;
  /** Hash of the declaration's text, whole or its first 12 digits. */
  span: string;
  /** Whole lines; of a very long first or last line only what belongs to the code. */
  lines: string[];
  /** UTF-8 bytes of the first line before `lines`, and of the last line behind them; 0 when absent. */
  before?: number;
  after?: number;
  /** Comment lines directly above, as they stand in the file; the last of them is line `startLine - 1`. */
  comment?: readonly string[];
}

/** Where a piece of code is now, as the ladder found it. */
export type Located =
  /** `branches`: only they have it, no folder does. */
  | { state: "exact"; place: Place; branches?: readonly string[]; verified: boolean }
  /** Same text; `by` lines farther down (negative: up). */
  | { state: "moved"; place: Place; by: number; verified: boolean }
  | { state: "moved file"; place: Place; from: string; verified: boolean }
  /** The name is there, the text is another. */
  | { state: "changed"; place: Place; found: "by the index" | "by its name"; verified: boolean }
  | { state: "gone"; reason: string; verified: boolean };

/** The locator of a place as it is now. A window is called by its path, which the locator has already. */
export function locatorOf(place: Place): string {
  return formatLocator({ ...place, qualifiedName: place.qualifiedName === place.path ? "" : place.qualifiedName });
}

/** What to say beside a locator; empty for what is exactly as it was. */
export function stateNote(located: Located): string {
  const notes: string[] = [];
  if (located.state === "exact" && located.branches) notes.push(`on ${printable(located.branches.join(", "))}`);
  if (located.state === "moved") notes.push(`moved ${located.by >= 0 ? "+" : ""}${located.by} lines`);
  if (located.state === "moved file") notes.push(`moved here from ${printable(located.from)}`);
  if (located.state === "changed") notes.push(`changed, found ${located.found}`);
  if (located.state === "gone") notes.push(`gone: ${printable(located.reason)}`);
  if (!located.verified) notes.push("unverified");
  return notes.join(", ");
}
