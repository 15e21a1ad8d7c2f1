/** Readers that searches leave open: scrolls and points in time, each until its keep-alive ends or it is given up. */
import { randomBytes } from "node:crypto";
import type { PinnedReaders, SearchRequest, SortValue } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { type CountedReader, type OpenCounts, OpenReaderCounts } from "./open-counts.js";
import type { RenderOptions } from "./render.js";

/** Where a scroll stands. */
export interface ScrollState {
  readonly request: SearchRequest;
  readonly render: RenderOptions;
  /** Sort values of the last hit handed out. */
  after: SortValue[] | undefined;
  /** Nothing is left. */
  done: boolean;
}

export interface OpenReader {
  readonly id: string;
  readonly readers: PinnedReaders;
  /** Absent for a point in time. */
  readonly scroll: ScrollState | undefined;
  readonly createdAt: number;
  /** The longest time that was asked for. */
  keepAliveMs: number;
  expiresAt: number;
}

export interface OpenReaders {
  /** Throws ApiError 429 when too many are open. The readers are released when this ends. */
  open(readers: PinnedReaders, keepAliveMs: number, scroll?: ScrollState): OpenReader;
  /** Throws ApiError 404 when the id is unknown or expired. */
  get(id: string, keepAliveMs: number | undefined): OpenReader;
  /** False when there was none. */
  free(id: string): boolean;
  list(): readonly OpenReader[];
  /** How often an index's readers were left open, and how many are now. */
  counts(index: string): OpenCounts;
  close(): void;
}

const MAX_OPEN = 500;
const SWEEP_MS = 5_000;

/** An empty set of open readers; `now` in epoch milliseconds. */
export function openReaders(now: () => number): OpenReaders {
  const open = new Map<string, OpenReader>();
  const counts = new OpenReaderCounts();
  const free = (id: string): boolean => {
    const reader = open.get(id);
    if (reader === undefined) return false;
    open.delete(id);
    reader.readers.release();
    counts.ended(countedOf(reader), now() - reader.createdAt);
    return true;
  };
  const sweep = (): void => {
    for (const reader of [...open.values()]) if (reader.expiresAt <= now()) free(reader.id);
  };
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  return {
    open: (readers, keepAliveMs, scroll) => {
      sweep();
      if (open.size >= MAX_OPEN) {
        readers.release();
        throw tooMany();
      }
      const id = randomBytes(24).toString("base64url");
      checkPositive(keepAliveMs);
      const reader = { id, readers, scroll, createdAt: now(), keepAliveMs, expiresAt: now() + keepAliveMs };
      open.set(id, reader);
      counts.opened(countedOf(reader));
      return reader;
    },
    get: (id, keepAliveMs) => {
      sweep();
      const reader = open.get(id);
      if (reader === undefined) throw noContext(id);
      if (keepAliveMs !== undefined) {
        checkPositive(keepAliveMs);
        reader.keepAliveMs = Math.max(reader.keepAliveMs, keepAliveMs);
        reader.expiresAt = Math.max(reader.expiresAt, now() + keepAliveMs);
      }
      return reader;
    },
    free,
    list: () => {
      sweep();
      return [...open.values()];
    },
    counts: (index) => counts.counts(index),
    close: () => {
      clearInterval(timer);
      for (const id of [...open.keys()]) free(id);
    },
  };
}

function countedOf({ readers, scroll }: OpenReader): CountedReader {
  const indices = readers.targets.map(({ index }) => index);
  return { indices, kind: scroll === undefined ? "pointInTime" : "scroll" };
}

function checkPositive(millis: number): void {
  if (millis <= 0) throw illegalArgument("[keep_alive] must be greater than 0");
}

function tooMany(): ApiError {
  return new ApiError(
    429,
    "es_rejected_execution_exception",
    `Trying to create too many scroll contexts. Must be less than or equal to: [${MAX_OPEN}]: free those that are no longer read, or give them a shorter keep-alive`,
  );
}

function noContext(id: string): ApiError {
  const cause = { type: "search_context_missing_exception", reason: `No search context found for id [${id}]` };
  return new ApiError(404, "search_phase_execution_exception", "all shards failed", {
    rootCause: cause,
    fields: { phase: "query", grouped: true, failed_shards: [] },
    causedBy: cause,
  });
}
