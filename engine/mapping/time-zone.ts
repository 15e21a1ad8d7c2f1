import { EngineError } from "../errors.js";

/** A time zone: fixed offset or IANA rules. All times are epoch milliseconds, all offsets milliseconds east of UTC. */
export interface TimeZone {
  readonly id: string;
  /** Offset in force at an instant. */
  offsetAt(utcMillis: number): number;
  /**
   * Instant of a local wall-clock time (milliseconds as if local time were UTC). In an overlap the earlier offset wins,
   * in a gap the time moves forward by the gap's length, as java.time.ZonedDateTime resolves them.
   */
  toUtc(localMillis: number): number;
  /** The offset when it never changes, else undefined. */
  readonly fixedOffset: number | undefined;
}

/** Offsets are probed at both ends of pieces this long (12.4 days): no zone changes twice within one. */
const PIECE = 2 ** 30;
const HOUR = 3_600_000;
const OFFSET = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/;
const DAY = 24 * HOUR;

const zones = new Map<string, TimeZone>();

function fixed(id: string, offset: number): TimeZone {
  return { id, fixedOffset: offset, offsetAt: () => offset, toUtc: (local) => local - offset };
}

/** Coordinated universal time. */
export const UTC: TimeZone = fixed("Z", 0);

/** The zone of an IANA name (`Europe/Paris`), an offset (`+01:00`, `-0530`) or `Z`. Throws invalid_value. */
export function timeZone(id: string): TimeZone {
  const known = zones.get(id);
  if (known !== undefined) return known;
  const made = makeZone(id);
  zones.set(id, made);
  return made;
}

function makeZone(id: string): TimeZone {
  if (id === "Z" || id === "UTC" || id === "GMT" || id === "UT") return id === "Z" ? UTC : fixed(id, 0);
  const match = OFFSET.exec(id);
  if (match !== null) {
    const [hours, minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)];
    if (hours > 18 || minutes > 59 || seconds > 59) throw unknownZone(id);
    return fixed(id, (match[1] === "-" ? -1 : 1) * (hours * HOUR + minutes * 60_000 + seconds * 1000));
  }
  return ruleZone(id);
}

function unknownZone(id: string): EngineError {
  return new EngineError("invalid_value", `Unknown time-zone ID: ${id}`, { timeZone: id });
}

function ruleZone(id: string): TimeZone {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: id,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    throw unknownZone(id);
  }
  const offsetAt = cachedOffsets((utc) => probe(format, utc));
  return { id, fixedOffset: undefined, offsetAt, toUtc: (local) => localToUtc(local, offsetAt) };
}

/** Asks the platform for the wall clock of one instant: slow (microseconds), hence the cache around it. */
function probe(format: Intl.DateTimeFormat, utcMillis: number): number {
  const clamped = Math.min(Math.max(utcMillis, -8.64e15 + DAY), 8.64e15 - DAY);
  const parts: Record<string, string> = {};
  for (const part of format.formatToParts(clamped)) parts[part.type] = part.value;
  const year = parts.era === "B" || parts.era === "BC" ? 1 - Number(parts.year) : Number(parts.year);
  const wall = new Date(0);
  wall.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  wall.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return wall.getTime() - Math.floor(clamped / 1000) * 1000;
}

/** First instant, and offsets before and from it on, within one piece of time. */
interface PieceOffsets {
  change: number;
  before: number;
  after: number;
}

function cachedOffsets(ask: (utc: number) => number): (utc: number) => number {
  const pieces = new Map<number, PieceOffsets>();
  let lastKey = Number.NaN;
  let last: PieceOffsets = { change: 0, before: 0, after: 0 };
  return (utc) => {
    const key = Math.floor(utc / PIECE);
    if (key !== lastKey) {
      last = pieces.get(key) ?? findChange(key * PIECE, (key + 1) * PIECE, ask);
      pieces.set(key, last);
      lastKey = key;
    }
    return utc < last.change ? last.before : last.after;
  };
}

function findChange(start: number, end: number, ask: (utc: number) => number): PieceOffsets {
  const before = ask(start);
  const after = ask(end);
  if (before === after) return { change: start, before, after };
  let [low, high] = [Math.floor(start / 1000), Math.floor(end / 1000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (ask(middle * 1000) === before) low = middle;
    else high = middle;
  }
  return { change: high * 1000, before, after };
}

function localToUtc(local: number, offsetAt: (utc: number) => number): number {
  const early = offsetAt(local - DAY);
  const late = offsetAt(local + DAY);
  if (early === late) return local - offsetAt(local - early);
  if (offsetAt(local - early) === early) return local - early;
  if (offsetAt(local - late) === late) return local - late;
  // In a gap: the wall clock jumped over this time; the offset from before it moves the time forward.
  return local - early;
}
