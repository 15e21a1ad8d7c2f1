import { type BulkOutcome, bulkBody, parseBulkAnswer, splitOperations } from "./bulk.js";
import { Connection, type Reply } from "./connection.js";
import { wireError } from "./errors.js";

/** Where a client talks to, and as whom. */
export interface ClientOptions {
  /** Base address, `http://127.0.0.1:9200`; may carry `user:password@`. */
  url: string;
  /** Whole Authorization header, absent on a trusted loopback connection. */
  authorization?: string;
  /** Concurrent connections, 8 when absent. */
  connections?: number;
  /** Longest silence of a request, 120,000 when absent. */
  timeoutMs?: number;
  /** Certificate authority (PEM) for an https node with its own. */
  ca?: string;
  /** How to wait between attempts; a timer when absent. */
  pause?: (milliseconds: number) => Promise<void>;
}

const TOO_BUSY = 429;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** Keep-alive HTTP client of one node or cluster. */
export class Client {
  readonly #connection: Connection;
  #closed = false;

  /** Opens no connection yet. Throws TypeError for an address that is none. */
  constructor(readonly options: ClientOptions) {
    this.#connection = new Connection(options);
  }

  /** The node's address without user and password, for messages. */
  get url(): string {
    return this.#connection.shownUrl;
  }

  /**
   * Any request; `body` is sent as it is when it is a string or bytes, as JSON otherwise.
   * Never throws for a status; throws ConnectionError when no answer came.
   */
  request(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<Reply> {
    const absolute = path.startsWith("/") ? path : `/${path}`;
    return this.#connection.send({ method, path: absolute, body: toBytes(body), contentType });
  }

  /** A request whose JSON answer is wanted; a status of 400 or above throws WireError. An empty answer is `{}`. */
  async json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.request(method, path, body);
    if (reply.status >= 400) throw wireError(reply.status, reply.text);
    return JSON.parse(reply.text === "" ? "{}" : reply.text) as T;
  }

  /**
   * Sends NDJSON lines to `_bulk`; operations answered 429 are sent again, with growing pauses, until they pass.
   * `query` is the query string without `?`. Throws WireError when the request as a whole is refused for another reason.
   */
  async bulk(lines: string | Uint8Array, query = ""): Promise<BulkOutcome> {
    const whole = bulkBody(lines);
    const outcome: BulkOutcome = { failures: [] };
    if (whole.length === 0) return outcome;
    let pending: Pending = { body: whole, positions: undefined };
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const { passed, left } = await this.#bulkOnce(pending, query);
      outcome.failures.push(...(passed?.failures ?? []));
      if (left === undefined) break;
      // When something got through, the node drains, and the pauses start small again.
      if (passed?.count !== undefined && passed.count > passed.refused) pause = FIRST_PAUSE_MS;
      await this.#wait(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      pending = left;
    }
    outcome.failures.sort((a, b) => a.position - b.position);
    return outcome;
  }

  /** Closes the connections; requests under way fail, waiting retries stop. */
  close(): void {
    this.#closed = true;
    this.#connection.close();
  }

  async #bulkOnce(pending: Pending, query: string): Promise<{ passed?: Passed; left?: Pending }> {
    const path = query === "" ? "/_bulk" : `/_bulk?${query}`;
    const reply = await this.request("POST", path, pending.body, "application/x-ndjson");
    if (reply.status === TOO_BUSY) return { left: pending };
    if (reply.status >= 400) throw wireError(reply.status, reply.text);
    const { count, failures, refused } = parseBulkAnswer(reply.text);
    const given = (position: number) => pending.positions?.[position] ?? position;
    const passed = {
      count,
      refused: refused.length,
      failures: failures.map((failure) => ({ ...failure, position: given(failure.position) })),
    };
    if (refused.length === 0) return { passed };
    const operations = splitOperations(pending.body);
    const body = Buffer.concat(refused.map((position) => operations[position]));
    return { passed, left: { body, positions: refused.map(given) } };
  }

  async #wait(milliseconds: number): Promise<void> {
    if (!this.#closed) await (this.options.pause ?? timer)(milliseconds);
    if (this.#closed) throw new Error("the client was closed while a bulk request waited for the node to take it");
  }
}

/** Operations still to be sent; `positions` maps them to what the caller gave, absent when it is everything. */
interface Pending {
  body: Buffer;
  positions: number[] | undefined;
}

interface Passed extends BulkOutcome {
  count: number | undefined;
  refused: number;
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.length);
  return Buffer.from(JSON.stringify(body));
}

function timer(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
