/**
 * How long clients may take, and how many there may be: who sends a request byte by byte, or none at all, keeps a
 * connection for a while only. Times are milliseconds.
 */
export interface ConnectionLimits {
  /** From the first byte of a request to the end of its headers; then it is a 408. */
  readonly headersMs: number;
  /** To the end of its body. */
  readonly requestMs: number;
  /** A connection on which nothing is asked. Longer than clients keep theirs, so that they end it. */
  readonly keepAliveMs: number;
  /** Requests on one connection; 0: any number. */
  readonly requests: number;
  /** Connections at a time; further ones are refused. */
  readonly open: number;
  /** How often the times are looked at. */
  readonly checkMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 30_000,
  // 100 MB in five minutes is 2.7 Mbit/s.
  requestMs: 300_000,
  keepAliveMs: 75_000,
  requests: 0,
  open: 16_384,
  checkMs: 10_000,
};
