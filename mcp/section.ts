import { printable } from "../code/index.js";
import { cutText, LINE_END_BYTES, type Page, wireBytes } from "./page.js";

/** A titled list; every item is one line without its end. */
export interface ItemSection {
  title: string;
  items: readonly string[];
  /** What each item is about, where several are about one: what is left is counted by that. */
  subjects?: readonly string[];
}

/** How the items from one on are asked for: by a whole call, or by what to change in the one that was made. */
export interface WayOn {
  whole(from: number): string;
  brief(from: number): string;
}

/** Longest item, in bytes. */
const LONGEST_ITEM = 240;

/**
 * Writes a section from one of its items on, as many as there is room for, then how many more there are and the call that
 * shows them. Where any item is asked for, at least one is shown, cut if need be, so that going on comes to an end.
 */
export function addItems(page: Page, { title, items, subjects }: ItemSection, from: number, way: WayOn): void {
  const left = items.slice(from).map((item) => `  ${cutText(printable(item), LONGEST_ITEM)}\n`);
  page.addCut(cutText(title, Math.max(0, Math.floor(page.room / 2))));
  if (left.reduce((sum, item) => sum + wireBytes(item), 0) <= page.room) {
    page.add(left.join(""));
    return;
  }
  const foot = footFor(way, { room: (page.room * 2) / 3, count: left.length, from, subjects });
  const reserved = foot.bytes;
  page.reserve(reserved);
  let shown = 0;
  while (shown < left.length && page.add(left[shown]!)) shown++;
  if (shown === 0 && foot.leadsOn && page.room > 8) {
    page.add(`${cutText(left[0]!.trimEnd(), page.room - LINE_END_BYTES)}\n`);
    shown = 1;
  }
  page.reserve(-reserved);
  page.add(shown === left.length ? "" : foot.text(shown));
}

/** How many are left of `count` items from one on, with the way to them that has room, if any has. */
export function footFor(
  { whole, brief }: WayOn,
  { room, count, from, subjects }: { room: number; count: number; from: number; subjects?: readonly string[] },
): { text(shown: number): string; bytes: number; leadsOn: boolean } {
  const left = (shown: number) => leftOf({ shown: from + shown, lines: count - shown, subjects });
  const longestLeft = subjects === undefined ? `${count} more` : `${count} more on ${count} lines`;
  const feet = [
    { print: (number: string, shown: number) => `  ${number}; next: ${whole(from + shown)}\n`, leadsOn: true },
    { print: (number: string, shown: number) => `  ${number}; next: ${brief(from + shown)}\n`, leadsOn: true },
    { print: (number: string) => `  ${number}\n`, leadsOn: false },
  ];
  // A way may say nothing of where the first item is, and does of all others; some number between may be the longest.
  const measured = feet.map(({ print, leadsOn }) => {
    const longest = Math.max(wireBytes(print(longestLeft, 0)), wireBytes(print(longestLeft, count)));
    return { text: (shown: number) => print(left(shown), shown), leadsOn, bytes: longest + String(count).length };
  });
  return measured.find(({ bytes }) => bytes < room) ?? measured[2]!;
}

/** How many are left: of subjects those that no line before was about, with the lines where these are more. */
function leftOf(at: { shown: number; lines: number; subjects: readonly string[] | undefined }): string {
  const { shown, lines, subjects } = at;
  if (subjects === undefined) return `${lines} more`;
  const known = new Set(subjects.slice(0, shown));
  const left = new Set(subjects.slice(shown).filter((subject) => !known.has(subject))).size;
  return left === lines ? `${lines} more` : `${left} more on ${lines} ${lines === 1 ? "line" : "lines"}`;
}
