/** Ids of JSON-RPC: a string or a whole number that survives being read, see JSON-RPC 2.0, section 4. */

/** Longest id that is shown whole, in UTF-16 units. */
const LONGEST_SHOWN = 80;

/** Why the id of a message, or of one of a batch, cannot be answered to, naming it; undefined where it can, or has none. */
export function idFault(value: unknown, text: string): string | undefined {
  for (const message of Array.isArray(value) ? value : [value]) {
    if (!hasId(message) || typeof message.id === "string" || Number.isSafeInteger(message.id)) continue;
    const written = writtenId(message, text) ?? JSON.stringify(message.id);
    const shown = written.length > LONGEST_SHOWN ? `${written.slice(0, LONGEST_SHOWN)}…` : written;
    const isLarge = Number.isInteger(message.id) || message.id === Number.POSITIVE_INFINITY;
    const reason = isLarge ? "; send larger ones as strings" : "";
    return `the id ${shown} is none: an id is a string or a whole number up to 2^53 - 1${reason}`;
  }
  return undefined;
}

/** The id of a message as JSON, digits as they were written; `null` for a message without one that could be an id. */
export function idAsWritten(value: unknown, text: string): string {
  if (!hasId(value)) return "null";
  if (typeof value.id === "string") return JSON.stringify(value.id);
  return writtenId(value, text) ?? "null";
}

function hasId(value: unknown): value is { id: unknown } {
  return typeof value === "object" && value !== null && "id" in value;
}

/** The digits that were read as this number: reading has rounded them. */
function writtenId({ id }: { id: unknown }, text: string): string | undefined {
  if (typeof id !== "number") return undefined;
  for (const [, digits] of text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)/g)) if (Number(digits) === id) return digits;
  return undefined;
}
