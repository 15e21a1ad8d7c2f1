/**
 * Several passages in one answer: each gets its share of the page, short ones what they need and long ones what is left.
 * Which of them find no room at all is said, with the call that goes on with them.
 */
import { callText } from "./call-text.js";
import { cutText, LINE_END_BYTES, type Page, sameBudget, wireBytes } from "./page.js";
import { addPassage, type Passage, passageBytes } from "./passage.js";

/** A place that was asked for, as it was asked, and what is to be shown of it; a text says why there is nothing. */
export interface AskedPassage {
  locator: string;
  found: Passage | string;
}

/** What a batch goes on with: the arguments beside the locators, and how many locators came before the first. */
export interface Batch {
  asked: readonly AskedPassage[];
  from: number;
  rest: Readonly<Record<string, unknown>>;
}

/** Fewer bytes show nothing worth a call: a title, a line and the way on. */
const LEAST_BYTES = 240;

/** Adds as many passages as have room, in order, and the call for the others. */
export function addBatch(page: Page, batch: Batch): void {
  const { asked } = batch;
  const rest = { ...batch.rest, ...sameBudget(page) };
  const foot = (shown: number) => footer({ ...batch, rest }, shown, Math.floor(page.maxTokens / 2));
  const sizes = asked.map(({ found }) => (typeof found === "string" ? wireBytes(found) + 1 : passageBytes(found)));
  let shown = asked.length;
  let reserved = 0;
  // What stands at the end takes room of its own, which may cost one more passage its place.
  while (shown > 1 && least(sizes.slice(0, shown)) > page.room - reserved) {
    shown--;
    reserved = wireBytes(foot(shown));
  }
  page.reserve(reserved);
  const shares = fairShares(sizes.slice(0, shown), page.room);
  asked.slice(0, shown).forEach(({ found }, at) => {
    // What an earlier passage did not need goes to the later ones.
    const later = shares.slice(at + 1).reduce((sum, share) => sum + share, 0);
    const kept = Math.max(0, Math.min(later, page.room));
    page.reserve(kept);
    if (typeof found === "string") page.addCut(found);
    else addPassage(page, { ...found, goesOnBy: undefined });
    page.reserve(-kept);
  });
  page.reserve(-reserved);
  page.add(foot(shown));
}

function least(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + Math.min(size, LEAST_BYTES), 0);
}

/** What each gets of a room: all of it where that is less than an equal share of what the longer ones leave. */
export function fairShares(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  const order = sizes.map((_, at) => at).sort((a, b) => sizes[a] - sizes[b] || a - b);
  let left = room;
  order.forEach((at, rank) => {
    shares[at] = Math.min(sizes[at], Math.floor(left / (order.length - rank)));
    left -= shares[at];
  });
  return shares;
}

/** The call with the locators not shown; where they would fill the page, how the same call goes on. */
function footer({ asked, from, rest }: Batch, shown: number, most: number): string {
  const left = asked.slice(shown).map(({ locator }) => locator);
  if (left.length === 0) return "";
  const call = `${left.length} more; next: ${callText("read", { locator: left, ...rest })}\n`;
  if (wireBytes(call) <= most) return call;
  return cutText(`${left.length} more; next: the same read with "from":${from + shown}`, most - LINE_END_BYTES).concat(
    "\n",
  );
}
