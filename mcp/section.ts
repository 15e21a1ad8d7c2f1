import { printable } from "../code/index.js";
import { cutText, LINE_END_BYTES, type Page, wireBytes } from "./page.js";

/** A titled list; every item is one line without its end. */
export interface ItemSection {
  title: string;
  items: readonly string[];
}

/** Longest item, in bytes. */
const LONGEST_ITEM = 240;

/**
 * Writes a section from one of its items on, as many as there is room for, then how many more there are and the call that
 * shows them. Where any item is asked for, at least one is shown, cut if need be, so that going on comes to an end.
 */
export function addItems(
  page: Page,
  { title, items }: ItemSection,
  from: number,
  call: (from: number) => string,
): void {
  const left = items.slice(from).map((item) => `  ${cutText(printable(item), LONGEST_ITEM)}\n`);
  page.addCut(cutText(title, Math.max(0, Math.floor(page.room / 2))));
  if (left.reduce((sum, item) => sum + wireBytes(item), 0) <= page.room) {
    page.add(left.join(""));
    return;
  }
  const next = (shown: number) => `  ${left.length - shown} more; next: ${call(from + shown)}\n`;
  const short = (shown: number) => `  ${left.length - shown} more\n`;
  // The call may say nothing of where the first item is, and does of all others.
  const longest = (text: (shown: number) => string) => Math.max(wireBytes(text(0)), wireBytes(text(left.length)));
  const foot = longest(next) < (page.room * 2) / 3 ? next : short;
  const reserved = longest(foot) + String(left.length).length;
  page.reserve(reserved);
  let shown = 0;
  while (shown < left.length && page.add(left[shown]!)) shown++;
  if (shown === 0 && foot === next && page.room > 8) {
    page.add(`${cutText(left[0]!.trimEnd(), page.room - LINE_END_BYTES)}\n`);
    shown = 1;
  }
  page.reserve(-reserved);
  page.add(shown === left.length ? "" : foot(shown));
}
