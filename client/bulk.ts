/**
 * The `_bulk` body and answer, apart from sending them: which bytes belong to which operation, what failed, what was
 * only refused for now.
 */
const NEWLINE = 0x0a;
const TOO_BUSY = 429;

/** One failed item of a bulk request. */
export interface BulkFailure {
  /** Place of the operation in what was given, from 0. */
  position: number;
  id: string;
  status: number;
  type: string;
  reason: string;
}

/** What became of a bulk request: the operations that failed for good. */
export interface BulkOutcome {
  failures: BulkFailure[];
}

/** One item of an answer that did not succeed; `position` counts in the request that was answered. */
export interface ParsedItems {
  /** Undefined when all went well: they are not counted then. */
  count: number | undefined;
  failures: BulkFailure[];
  /** Positions refused with 429: nothing happened to them, they may be sent again. */
  refused: number[];
}

interface AnswerItem {
  _id?: string;
  status?: number;
  error?: { type?: string; reason?: string } | string;
}

/** How the answer begins when all went well: nothing is to be known of its items then. */
const ALL_WELL = /^\{("took":\d+,)?"errors":false,("took":\d+,)?"items":\[/;

/** Reads the answer of `_bulk`. Throws when it is not one. */
export function parseBulkAnswer(text: string): ParsedItems {
  if (ALL_WELL.test(text)) return { count: undefined, failures: [], refused: [] };
  const answer = JSON.parse(text) as { errors?: boolean; items?: Record<string, AnswerItem>[] };
  if (!Array.isArray(answer.items)) throw new Error(`the answer of _bulk has no items: ${text.slice(0, 200)}`);
  const parsed: ParsedItems = { count: answer.items.length, failures: [], refused: [] };
  if (answer.errors === false) return parsed;
  answer.items.forEach((entry, position) => {
    const item = Object.values(entry)[0] ?? {};
    if (item.status === TOO_BUSY) parsed.refused.push(position);
    else if (item.error !== undefined || (item.status ?? 200) >= 400) parsed.failures.push(failureOf(item, position));
  });
  return parsed;
}

function failureOf(item: AnswerItem, position: number): BulkFailure {
  const error = typeof item.error === "string" ? { type: "exception", reason: item.error } : item.error;
  return {
    position,
    id: item._id ?? "",
    status: item.status ?? 0,
    // A delete of what is not there comes with status 404 and no error object.
    type: error?.type ?? (item.status === 404 ? "not_found" : "exception"),
    reason: error?.reason ?? "",
  };
}

/** Cuts an NDJSON bulk body into its operations, each with its final newline. Blank lines are passed over. */
export function splitOperations(body: Buffer): Buffer[] {
  const operations: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const actionEnd = lineEnd(body, at);
    const action = body.subarray(at, actionEnd).toString("utf8").trim();
    if (action === "") {
      at = actionEnd;
      continue;
    }
    const end = hasSource(action) ? lineEnd(body, actionEnd) : actionEnd;
    operations.push(body.subarray(at, end));
    at = end;
  }
  return operations;
}

/** The body as bytes, closed by the newline that `_bulk` insists on. */
export function bulkBody(lines: string | Uint8Array): Buffer {
  const body =
    typeof lines === "string" ? Buffer.from(lines) : Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  if (body.length === 0 || body[body.length - 1] === NEWLINE) return body;
  return Buffer.concat([body, Buffer.of(NEWLINE)]);
}

function hasSource(action: string): boolean {
  return !/^\{\s*"delete"/.test(action);
}

function lineEnd(body: Buffer, from: number): number {
  const at = body.indexOf(NEWLINE, from);
  return at < 0 ? body.length : at + 1;
}
