/** Settings of the circuit breakers: dynamic, in percent of the node's memory budget or in bytes. */
import { BREAKER_PERCENT, type BreakerName, type EngineFace, parseBytes } from "../../engine/index.js";
import { illegalArgument } from "../errors.js";

type AnyBreaker = keyof typeof BREAKER_PERCENT;

/** Elasticsearch's names of the limits. */
const LIMITS: Readonly<Record<string, AnyBreaker>> = {
  "indices.breaker.fielddata.limit": "fielddata",
  "indices.breaker.request.limit": "request",
  "indices.breaker.total.limit": "parent",
  "network.breaker.inflight_requests.limit": "in_flight_requests",
};

/** And of the factors by which what is charged counts. */
const OVERHEADS: Readonly<Record<string, { breaker: BreakerName; usual: number }>> = {
  "indices.breaker.fielddata.overhead": { breaker: "fielddata", usual: 1.03 },
  "indices.breaker.request.overhead": { breaker: "request", usual: 1 },
  "network.breaker.inflight_requests.overhead": { breaker: "in_flight_requests", usual: 1 },
};

/** All of them. */
export const BREAKER_SETTINGS: readonly string[] = [...Object.keys(LIMITS), ...Object.keys(OVERHEADS)];

/** Their defaults as text. */
export function breakerDefaults(): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries(LIMITS).map(([name, breaker]) => [name, `${BREAKER_PERCENT[breaker]}%`]),
    ...Object.entries(OVERHEADS).map(([name, { usual }]) => [name, String(usual)]),
  ]);
}

/** Throws ApiError 400 for a value that such a setting can't have; other settings are let through. */
export function checkBreakerSetting(name: string, value: string): void {
  if (Object.hasOwn(LIMITS, name)) readLimit(name, value, 0);
  if (Object.hasOwn(OVERHEADS, name)) readOverhead(name, value);
}

/** Makes the breakers follow the settings in force; `inForce` gives none for a setting that is at its default. */
export function applyBreakerSettings(engine: EngineFace, inForce: (name: string) => string | undefined): void {
  const { breakers, budget } = engine.resources;
  for (const [name, breaker] of Object.entries(LIMITS)) {
    const value = inForce(name);
    breakers.setLimit(breaker, value === undefined ? budget.breakers[breaker] : readLimit(name, value, budget.total));
  }
  for (const [name, { breaker, usual }] of Object.entries(OVERHEADS)) {
    const value = inForce(name);
    breakers.setOverhead(breaker, value === undefined ? usual : readOverhead(name, value));
  }
}

/** Bytes; -1: none. */
function readLimit(name: string, value: string, total: number): number {
  const text = value.trim();
  if (text === "-1") return -1;
  if (text.endsWith("%")) {
    const percent = Number(text.slice(0, -1));
    if (text === "%" || Number.isNaN(percent)) {
      throw refused(`failed to parse [${text.slice(0, -1)}] as a double`);
    }
    if (percent < 0 || percent > 100) throw refused(`percentage should be in [0-100], got [${text.slice(0, -1)}]`);
    return Math.floor((total * percent) / 100);
  }
  const bytes = parseBytes(text);
  if (bytes !== undefined) return bytes;
  throw refused(
    `failed to parse setting [${name}] with value [${value}] as a size in bytes: unit is missing or unrecognized`,
  );
}

function readOverhead(name: string, value: string): number {
  const factor = Number(value);
  if (value.trim() === "" || Number.isNaN(factor)) {
    throw illegalArgument(`Failed to parse value [${value}] for setting [${name}]`);
  }
  if (factor < 0) throw illegalArgument(`Failed to parse value [${value}] for setting [${name}] must be >= 0.0`);
  return factor;
}

function refused(reason: string): Error {
  return illegalArgument(reason, { type: "parse_exception", reason });
}
