/** Where a client talks to, and as whom. */
export interface ClientOptions {
  /** Base address, `http://127.0.0.1:9200`. */
  url: string;
  /** Whole Authorization header, absent on a trusted loopback connection. */
  authorization?: string;
  /** Concurrent connections. */
  connections?: number;
  timeoutMs?: number;
}

/** An answer as it came: status, headers and raw body. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One failed item of a bulk request. */
export interface BulkFailure {
  position: number;
  id: string;
  status: number;
  type: string;
  reason: string;
}

export interface BulkOutcome {
  items: number;
  failures: BulkFailure[];
}

/** The server answered with an error: status, Elasticsearch's error type, its reason. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    reason: string,
    readonly body: string,
  ) {
    super(reason);
    this.name = "WireError";
  }
}

/** Keep-alive HTTP client of one node or cluster. */
export class Client {
  constructor(readonly options: ClientOptions) {}

  /** Any request; never throws for a status, throws for a connection that fails. */
  request(_method: string, _path: string, _body?: unknown, _contentType?: string): Promise<Reply> {
    throw new Error("filled in by its owner");
  }

  /** A request whose JSON answer is wanted; a status of 400 or above throws WireError. */
  json<T = Record<string, unknown>>(_method: string, _path: string, _body?: unknown): Promise<T> {
    throw new Error("filled in by its owner");
  }

  /** Sends NDJSON lines to `_bulk`; answers 429 are tried again with growing pauses until they pass. */
  bulk(_lines: string | Uint8Array, _query?: string): Promise<BulkOutcome> {
    throw new Error("filled in by its owner");
  }

  close(): void {}
}
