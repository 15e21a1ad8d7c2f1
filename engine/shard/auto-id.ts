/**
 * Ids for documents that come without one: 16 characters, URL-safe, ascending in byte order, never twice.
 *
 *   characters  bits  meaning
 *   8           48    epoch milliseconds when the run began
 *   4           24    chance, drawn once per generator: two generators in the same millisecond (a restart, a clock
 *                     that was set back) still differ
 *   4           24    counter within the run
 *
 * A run lasts a second. Ids of one run count up in their last characters, so that neighbours in a segment, which stores
 * how many ids are the successor of the one before, cost less than a byte each (source/id-format.ts).
 */
import type { Clock } from "../clock.js";
import { ID_DIGITS } from "../source/id-format.js";

const RUN_MS = 1000;
const COUNTER_LIMIT = 64 ** 4;

/** All two-character groups, so that an id is put together from few pieces. */
const PAIRS = Array.from({ length: 4096 }, (_, i) => ID_DIGITS[i >> 6] + ID_DIGITS[i & 63]);

/** Makes ids; each call gives one that sorts after all before. */
export function createIdGenerator(clock: Clock): () => string {
  const salt = encode(Math.floor(clock.random() * COUNTER_LIMIT), 2);
  let began = 0;
  let prefix = "";
  let counter = COUNTER_LIMIT;
  return () => {
    // Reading the clock for every id would cost more than making it: once per 256 is enough for a run's length.
    if (counter === COUNTER_LIMIT || ((counter & 255) === 0 && clock.now() >= began + RUN_MS)) {
      began = Math.max(began + 1, clock.now());
      prefix = encode(began, 4) + salt;
      counter = 0;
    }
    const n = counter++;
    return prefix + PAIRS[n >>> 12] + PAIRS[n & 4095];
  };
}

/** `pairs` two-character groups, most significant first. */
function encode(value: number, pairs: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < pairs; i++) {
    text = PAIRS[rest % 4096] + text;
    rest = Math.floor(rest / 4096);
  }
  return text;
}
