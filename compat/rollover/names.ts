/** The name that follows another: `logs-000009` becomes `logs-000010`. */
import { illegalArgument } from "../errors.js";

const NUMBERED = /^(.*-)(\d+)(>?)$/s;
const DIGITS = 6;

/** Throws ApiError 400 for a name that does not end in a number. A date in `<...>` stays, to be resolved anew. */
export function nextName(name: string): string {
  const match = NUMBERED.exec(name);
  if (match === null) throw illegalArgument(`index name [${name}] does not match pattern '^.*-\\d+$'`);
  const [, head, number, close] = match;
  return `${head}${String(Number(number) + 1).padStart(DIGITS, "0")}${close}`;
}
