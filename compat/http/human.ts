/** `human=true`: each `..._in_millis` and `..._in_bytes` gets its readable twin before it. */
import { isObject, type JsonObject, setMember } from "../json/value.js";
import { printDuration, printSize } from "../units.js";

const TWINS: readonly (readonly [suffix: string, print: (value: number) => string])[] = [
  ["_in_millis", printDuration],
  ["_in_bytes", printSize],
];

/** A copy of the value with the twins added. */
export function humanTwins(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(humanTwins);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const twinned: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const twin = TWINS.find(([suffix]) => key.endsWith(suffix));
    if (twin !== undefined && typeof member === "number") twinned[key.slice(0, -twin[0].length)] = twin[1](member);
    setMember(twinned, key, humanTwins(member));
  }
  return twinned;
}
