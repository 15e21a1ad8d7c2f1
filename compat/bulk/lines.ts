/** NDJSON bodies: lines as slices of the body, nothing copied and nothing decoded. */
import { illegalArgument } from "../errors.js";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Lines without their ends (`\n` or `\r\n`). Throws ApiError 400 when the last one has none. */
export function splitLines(body: Buffer, what: "bulk" | "msearch"): Buffer[] {
  if (body.length === 0) return [];
  if (body[body.length - 1] !== NEWLINE)
    throw illegalArgument(`The ${what} request must be terminated by a newline [\\n]`);
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(NEWLINE, start);
    const cut = end > start && body[end - 1] === RETURN ? end - 1 : end;
    lines.push(body.subarray(start, cut));
    start = end + 1;
  }
  return lines;
}
