/**
 * Intervals of time: which one an instant lies in, and where the next begins. Days and longer units follow the calendar of a
 * time zone, daylight saving included; hours and shorter ones are cut at its transitions. Source: OpenSearch `Rounding`.
 */
import { addUnits, type CalendarUnit, roundDown } from "../mapping/date-math.js";
import { type TimeZone, timeZone, UTC } from "../mapping/time-zone.js";
import type { DateHistogramAggregation } from "./aggregation.js";

/** How values are cut into intervals. */
export interface Rounding {
  /** Start of the interval that an instant lies in. */
  round(millis: number): number;
  /** Start of the interval after the one that begins at `start`. */
  next(start: number): number;
  /** Where an extended bound lies: rounded first, then moved by the offset (Elasticsearch rounds bounds so). */
  bound(millis: number): number;
  /** Length of every interval, when all are equal and counted from `origin`; null otherwise. */
  readonly regular: { length: number; origin: number } | null;
}

/** The rounding that a date histogram asks for. */
export function dateRounding(aggregation: DateHistogramAggregation): Rounding {
  const zone = aggregation.timeZone === undefined ? UTC : timeZone(aggregation.timeZone);
  const { interval, offsetMillis } = aggregation;
  const plain =
    interval.kind === "fixed" ? fixedRounding(interval.millis, zone) : calendarRounding(interval.unit, zone);
  return offsetMillis === 0 ? plain : shifted(plain, offsetMillis);
}

function shifted(rounding: Rounding, offset: number): Rounding {
  const { regular } = rounding;
  return {
    round: (millis) => rounding.round(millis - offset) + offset,
    next: (start) => rounding.next(start - offset) + offset,
    bound: (millis) => rounding.round(millis) + offset,
    regular: regular === null ? null : { length: regular.length, origin: regular.origin + offset },
  };
}

const SHORT_UNITS: Partial<Record<CalendarUnit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
const DAY = 86_400_000;

function calendarRounding(unit: CalendarUnit, zone: TimeZone): Rounding {
  const short = SHORT_UNITS[unit];
  if (short !== undefined) return evenRounding(short, zone, "before");
  const offset = zone.fixedOffset;
  if (unit === "day" && offset !== undefined) return evenRounding(DAY, zone, "before");
  const round = (millis: number) => midnightOrTransition(roundDown(millis, unit, zone), zone);
  return { round, next: (start) => round(addUnits(start, 1, unit, zone)), bound: round, regular: null };
}

/** A day whose midnight the clock was set forward over begins at the transition. */
function midnightOrTransition(start: number, zone: TimeZone): number {
  if (zone.fixedOffset !== undefined || (start + zone.offsetAt(start)) % DAY === 0) return start;
  return lastTransition(zone, start - DAY, start) ?? start;
}

function fixedRounding(length: number, zone: TimeZone): Rounding {
  return evenRounding(length, zone, "transition");
}

/** Where an interval begins whose local start was skipped: at the transition, or with the interval before it. */
type SkippedStart = "transition" | "before";

function evenRounding(length: number, zone: TimeZone, skipped: SkippedStart): Rounding {
  const offset = zone.fixedOffset;
  if (offset !== undefined) {
    const origin = -offset;
    const round = (millis: number) => Math.floor((millis - origin) / length) * length + origin;
    return { round, next: (start) => start + length, bound: round, regular: { length, origin } };
  }
  const round = (millis: number) => roundLocal(millis, length, zone, skipped);
  return { round, next: (start) => nextLocal(start, length, zone, round), bound: round, regular: null };
}

/** Transitions matter only this near to an instant or to an edge: what lies between is skipped, however long. */
const NEAR = 3 * DAY;
const LONG = 8 * DAY;

/**
 * Rounds the local time down. A start that lies before a transition is sought from before the transition, so that of local
 * times that exist twice the later one that is not after the instant counts.
 */
function roundLocal(millis: number, length: number, zone: TimeZone, skipped: SkippedStart): number {
  let at = millis;
  for (;;) {
    const offset = zone.offsetAt(at);
    const local = Math.floor((at + offset) / length) * length;
    const start = local - offset;
    const far = at - start > LONG;
    const transition = lastTransition(zone, far ? at - NEAR : start, at);
    if (transition === null) {
      if (!far) return start;
      at = start + NEAR;
      continue;
    }
    // Never so where the clock was set back: the local time is then less than that of the transition.
    const wasSkipped = local >= transition + zone.offsetAt(transition - 1);
    if (wasSkipped && skipped === "transition") return transition;
    at = transition - 1;
  }
}

/** The smallest start after `start`: steps in local time, from transition to transition. */
function nextLocal(start: number, length: number, zone: TimeZone, round: (millis: number) => number): number {
  let at = start;
  for (;;) {
    const offset = zone.offsetAt(at);
    const next = (Math.floor((at + offset) / length) + 1) * length - offset;
    const far = next - at > LONG;
    const transition = firstTransition(zone, at, far ? at + NEAR : next);
    if (transition === null) {
      if (!far) return next;
      at = next - NEAR;
      continue;
    }
    if (round(transition) === transition) return transition;
    at = transition;
  }
}

/** Offsets change at most once within an aligned piece this long (12.4 days), as time zones assume. */
const PIECE = 2 ** 30;

/** Transitions found, by zone and piece; null where there is none. */
const transitions = new WeakMap<TimeZone, Map<number, number | null>>();

/** The last instant in (`after`, `upTo`] at which another offset came into force. */
function lastTransition(zone: TimeZone, after: number, upTo: number): number | null {
  const first = Math.floor(after / PIECE);
  for (let piece = Math.floor(upTo / PIECE); piece >= first; piece--) {
    const found = transitionIn(zone, piece);
    if (found !== null && found <= upTo) return found > after ? found : null;
  }
  return null;
}

/** The first such instant in (`after`, `upTo`]. */
function firstTransition(zone: TimeZone, after: number, upTo: number): number | null {
  const last = Math.floor(upTo / PIECE);
  for (let piece = Math.floor(after / PIECE); piece <= last; piece++) {
    const found = transitionIn(zone, piece);
    if (found !== null && found > after) return found <= upTo ? found : null;
  }
  return null;
}

function transitionIn(zone: TimeZone, piece: number): number | null {
  let known = transitions.get(zone);
  if (known === undefined) {
    known = new Map();
    transitions.set(zone, known);
  }
  let found = known.get(piece);
  if (found === undefined) {
    found = findTransition(zone, piece * PIECE - 1, (piece + 1) * PIECE - 1);
    known.set(piece, found);
  }
  return found;
}

function findTransition(zone: TimeZone, before: number, last: number): number | null {
  const offset = zone.offsetAt(before);
  if (zone.offsetAt(last) === offset) return null;
  let [low, high] = [before, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
}
