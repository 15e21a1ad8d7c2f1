/** Durations and sizes as Elasticsearch writes them. */
import { ApiError, illegalArgument } from "./errors.js";

const MILLIS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `30s`, `1.5h`, `-1` (and `-1ms`), `0` in milliseconds; a number without unit is refused, as Elasticsearch does. */
export function parseDuration(text: string, setting: string): number {
  if (text === "-1" || text === "-1ms") return -1;
  if (text === "0") return 0;
  const match = /^([0-9]+(?:\.[0-9]+)?)(nanos|micros|ms|s|m|h|d)$/i.exec(text.trim());
  // Units may be written in capitals, but for `M`, which is a month.
  if (match === null || match[2] === "M") {
    throw illegalArgument(
      `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return Number(match[1]) * MILLIS[match[2].toLowerCase()];
}

const DURATION_STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
];

/** Milliseconds as people read them: `1.2d`, `5m`, `37ms`. */
export function printDuration(millis: number): string {
  for (const [size, unit] of DURATION_STEPS) {
    if (millis >= size) return `${Math.floor((millis / size) * 10) / 10}${unit}`;
  }
  return `${Math.round(millis)}ms`;
}

/** The same for short times too: `356.9micros`, `82nanos`. */
export function printRunningTime(millis: number): string {
  if (millis >= 1) return printDuration(millis);
  if (millis >= 1e-3) return `${Math.floor(millis * 1e4) / 10}micros`;
  return `${Math.round(millis * 1e6)}nanos`;
}

/** Milliseconds in one unit (`nanos`, `s`, ...), whole; undefined for a unit that is none. */
export function durationIn(millis: number, unit: string): number | undefined {
  return Object.hasOwn(MILLIS, unit) ? Math.floor(millis / MILLIS[unit]) : undefined;
}

const SIZES: readonly (readonly [string, number])[] = [
  ["pb", 1024 ** 5],
  ["tb", 1024 ** 4],
  ["gb", 1024 ** 3],
  ["mb", 1024 ** 2],
  ["kb", 1024],
  ["b", 1],
];

/** Bytes as people read them: `1.2gb`, `208b`. */
export function printSize(bytes: number): string {
  const [unit, size] = SIZES.find(([, size]) => bytes >= size) ?? ["b", 1];
  const value = bytes / size;
  return unit === "b" ? `${bytes}b` : `${Math.floor(value * 10) / 10}${unit}`;
}

/** Bytes in one unit (`b`, `kb`, ...), whole; undefined for a unit that is none. */
export function sizeIn(bytes: number, unit: string): number | undefined {
  const size = SIZES.find(([name]) => name === unit)?.[1];
  return size === undefined ? undefined : Math.floor(bytes / size);
}

/** `10mb`, `1.5gb`, `-1` and `0` in bytes; a number without unit is refused, as Elasticsearch does. */
export function parseSize(text: string, setting: string): number {
  if (text === "-1" || text === "0") return Number(text);
  const match = /^([0-9]{1,15}(?:\.[0-9]{1,15})?)(b|kb?|mb?|gb?|tb?|pb?)$/.exec(text.trim().toLowerCase());
  if (match === null) {
    const reason = `failed to parse setting [${setting}] with value [${text}] as a size in bytes: unit is missing or unrecognized`;
    throw new ApiError(400, "parse_exception", reason);
  }
  const unit = match[2] === "b" ? "b" : `${match[2][0]}b`;
  return Math.floor(Number(match[1]) * (SIZES.find(([name]) => name === unit)?.[1] ?? 1));
}
