/**
 * Where the next page of a search begins. It is all in the text: nothing is kept between calls, so a continuation works
 * after a restart, and twice.
 *
 * Long form `s1.<base64url of JSON>` is a whole call. Short form `@12` needs the same query beside it, for budgets in
 * which the long one would crowd out hits.
 */
export interface Continuation {
  queries: string[];
  offset: number;
  limit: number;
  /** Whether it came without the queries beside it: then the next one must hold them too. */
  isAlone?: boolean;
}

/** How far a search may be continued. Elasticsearch itself refuses more than 10,000. */
export const DEEPEST = 2_000;
/** Most hits in one answer, most queries in one search. */
export const MOST_HITS = 50;
export const MOST_QUERIES = 10;

const PREFIX = "s1.";
const SHORT = /^@(\d{1,7})$/;

/** A continuation that is none, or the short form without its query. */
export class ContinuationError extends Error {
  constructor(reason: string) {
    super(`${reason}: give the continuation exactly as the last answer printed it`);
    this.name = "ContinuationError";
  }
}

/** The long form if it is at most `maxBytes` long or the call came with one alone, else the short one. */
export function formatContinuation(next: Continuation, maxBytes: number): string {
  const json = JSON.stringify({ q: next.queries, o: next.offset, l: next.limit });
  const long = PREFIX + Buffer.from(json).toString("base64url");
  return next.isAlone || long.length <= maxBytes ? long : `@${next.offset}`;
}

/** Reads either form; `call` is what came beside it. Throws ContinuationError. */
export function parseContinuation(text: string, call: { queries: string[]; limit: number }): Continuation {
  const short = SHORT.exec(text.trim());
  if (short !== null) {
    if (call.queries.length === 0)
      throw new ContinuationError(`"${text}" continues a query that must be given beside it`);
    return { queries: call.queries, offset: checked(Number(short[1])), limit: call.limit };
  }
  const parsed = text.trim().startsWith(PREFIX) ? decode(text.trim().slice(PREFIX.length)) : undefined;
  if (!isCall(parsed)) throw new ContinuationError(`"${text.slice(0, 60)}" is no continuation`);
  const { q, o, l } = parsed;
  return { queries: q, offset: checked(o), limit: l, isAlone: call.queries.length === 0 };
}

/** Whether a value is what the long form holds. Checked by hand: a schema's library takes longer to load than a search takes. */
function isCall(value: unknown): value is { q: string[]; o: number; l: number } {
  const { q, o, l } = (value ?? {}) as Record<string, unknown>;
  const isCount = (number: unknown, least: number, most: number) =>
    Number.isSafeInteger(number) && Number(number) >= least && Number(number) <= most;
  const isList = Array.isArray(q) && isCount(q.length, 1, MOST_QUERIES) && q.every((one) => typeof one === "string");
  return isList && isCount(o, 0, Number.MAX_SAFE_INTEGER) && isCount(l, 1, MOST_HITS);
}

function checked(offset: number): number {
  if (offset < DEEPEST) return offset;
  throw new ContinuationError(`the continuation begins at hit ${offset + 1}, and searches go to hit ${DEEPEST}`);
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
