/**
 * Searches and counts: where each runs, and how it gets there. Cheap ones run where they arrive, because the way to another
 * thread costs more than they do; expensive ones go to the workers. The answer is the same wherever it is found.
 */
import type { CancelSignal } from "./canceller.js";
import type { Clock } from "./clock.js";
import { EngineError } from "./errors.js";
import type { Executor, JobLeaf, JobReader, JobSource, SearchJobResult, SearchPhases, SharedValue } from "./jobs.js";
import { tableOf } from "./mapping/field-table.js";
import type { Breakers, Ledger } from "./memory/index.js";
import { unpackHits } from "./packed-hits.js";
import { countCost, searchCost } from "./query/cost/cost.js";
import type { SearchEnvironment } from "./query/exec/context.js";
import type { Query } from "./query/query.js";
import { executeCount, executeSearch } from "./query/search-exec.js";
import type { Pin, PinnedReader } from "./reader-pin.js";
import type { DocRange, SearchRequest, SearchResult } from "./search.js";
import type { OpenSegment } from "./segment/reader.js";
import type { IndexReader, Leaf } from "./segment/types.js";
import { sharedAnalysis, sharedFields, sharedPrefixes, sharedValue } from "./shared-values.js";
import { joined, partOf, splitRanges } from "./split-search.js";

/** Where a search goes that is estimated at more microseconds than this, unless the engine's options say otherwise. */
export const ON_WORKERS_ABOVE_US = 3000;

/** A search of lines that costs so many times as much is split over several workers. */
const SPLIT_FROM = 4;

/** The cost of what does not go to the workers. */
const HERE = Number.NEGATIVE_INFINITY;

/** Readers of one index that workers keep beside the newest: a scroll goes on asking an old one. */
const KEPT_READERS = 4;

/** What searching works with. */
export interface SearchParts {
  readonly executor: Executor;
  readonly environment: Omit<SearchEnvironment, "memory">;
  /** Charged by what searches hold, on whichever thread. */
  readonly breakers: Breakers;
  /** Microseconds; Infinity: nothing goes to the workers. */
  readonly onWorkersAboveUs: number;
}

/** What was found, and how long that took. */
export interface FoundHits {
  readonly result: SearchResult;
  readonly phases: SearchPhases;
}

/** Runs searches and counts over pinned readers, here or on the workers. */
export class Searches {
  /** Keys of the readers that workers may know, by index, the newest last. */
  readonly #readers = new Map<string, Set<string>>();

  constructor(private readonly parts: SearchParts) {}

  /** Throws what executeSearch throws. What it holds on this thread is charged to `memory`. */
  async search(pin: Pin, request: SearchRequest, memory: Ledger): Promise<FoundHits> {
    const now = this.parts.environment.clock.now();
    const here = () => this.#searchHere(pin, request, { now, memory });
    const split = SPLIT_FROM * this.parts.onWorkersAboveUs;
    const cost = request.knn.length > 0 ? HERE : this.#cost(() => searchCost(pin.readers, request, split));
    if (cost <= this.parts.onWorkersAboveUs) return here();
    const ranges = cost > split ? splitRanges(pin.readers, request, this.parts.executor.workers) : null;
    const asked =
      ranges === null ? this.#searchThere(pin, request, now) : this.#searchParts(pin, request, { now, ranges });
    return unlessCancelled(elsewhere(asked, here), request.signal);
  }

  async #searchThere(pin: Pin, request: SearchRequest, now: number, docs: DocRange | null = null): Promise<FoundHits> {
    const { signal, memory: _, groups: __, ...rest } = request;
    const { sources, shared } = this.#sources(pin.readers);
    const breakers = this.#breakers;
    const job = { sources, request: rest, docs, now, breakers: breakers.key };
    const options = { signal, shared: [...shared, breakers], description: describe(pin, "search") };
    const answer = await this.parts.executor.run("search", job, options);
    return { result: unpack(answer), phases: answer.phases };
  }

  /** The same in parts, side by side. */
  async #searchParts(
    pin: Pin,
    request: SearchRequest,
    { now, ranges }: { now: number; ranges: readonly DocRange[] },
  ): Promise<FoundHits> {
    const part = partOf(request);
    const found = await Promise.all(ranges.map((docs) => this.#searchThere(pin, part, now, docs)));
    const longest = (of: keyof SearchPhases) => Math.max(...found.map(({ phases }) => phases[of]));
    return {
      result: joined(
        found.map(({ result }) => result),
        request,
      ),
      phases: { queryMs: longest("queryMs"), fetchMs: longest("fetchMs") },
    };
  }

  /** Throws what executeCount throws. */
  async count(
    pin: Pin,
    query: Query,
    { memory, signal }: { memory: Ledger; signal: CancelSignal | undefined },
  ): Promise<number> {
    const now = this.parts.environment.clock.now();
    const here = () => executeCount(pin.readers, query, this.#at(now, memory), signal);
    const cost = this.#cost(() => countCost(pin.readers, query, this.parts.onWorkersAboveUs));
    if (cost <= this.parts.onWorkersAboveUs) return here();
    const { sources, shared } = this.#sources(pin.readers);
    const breakers = this.#breakers;
    const job = { sources, query, now, breakers: breakers.key };
    const options = { signal, shared: [...shared, breakers], description: describe(pin, "count") };
    return unlessCancelled(elsewhere(this.parts.executor.run("count", job, options), here), signal);
  }

  /** The index is gone: workers forget what they know of it. */
  forgetIndex(uuid: string): void {
    this.#readers.delete(uuid);
    for (const prefix of sharedPrefixes(uuid)) this.parts.executor.forget(prefix);
  }

  /** What a search is estimated at; HERE: it runs on this thread. */
  #cost(estimate: () => number): number {
    const { executor, onWorkersAboveUs } = this.parts;
    if (executor.workers === 0 || onWorkersAboveUs === Number.POSITIVE_INFINITY) return HERE;
    try {
      return estimate();
    } catch {
      // What is wrong with the query is said by running it.
      return HERE;
    }
  }

  async #searchHere(
    pin: Pin,
    request: SearchRequest,
    { now, memory }: { now: number; memory: Ledger },
  ): Promise<FoundHits> {
    let phases: SearchPhases = { queryMs: 0, fetchMs: 0 };
    const told = (queryMs: number, fetchMs: number) => {
      phases = { queryMs, fetchMs };
    };
    const result = await executeSearch(pin.readers, request, { phases: told, ...this.#at(now, memory) });
    return { result, phases };
  }

  get #breakers(): SharedValue {
    const { breakers } = this.parts;
    return sharedValue(breakers, "breakers/", () => breakers.memory);
  }

  /** One moment for the whole search, on whichever thread. */
  #at(now: number, memory: Ledger): SearchEnvironment {
    const { environment } = this.parts;
    const clock: Clock = { now: () => now, random: () => environment.clock.random() };
    return { memory, ...environment, clock };
  }

  #sources(readers: readonly PinnedReader[]): { sources: JobSource[]; shared: SharedValue[] } {
    const shared: SharedValue[] = [];
    const sources = readers.map((pinned): JobSource => {
      const { uuid, filter, settings } = pinned;
      const reader = sharedValue(pinned.reader, `reader/${uuid}/`, () => travelling(pinned.reader));
      const fields = sharedFields(uuid, tableOf(pinned.reader.fields));
      const analysis = sharedAnalysis(uuid, settings);
      this.#used(uuid, reader.key);
      shared.push(reader, fields, analysis);
      return { reader: reader.key, fields: fields.key, analysis: analysis.key, filter };
    });
    return { sources, shared };
  }

  #used(uuid: string, key: string): void {
    const keys = this.#readers.get(uuid) ?? new Set();
    this.#readers.set(uuid, keys);
    keys.delete(key);
    keys.add(key);
    if (keys.size <= KEPT_READERS) return;
    const [oldest] = keys;
    keys.delete(oldest);
    this.parts.executor.forget(oldest);
  }
}

/**
 * What a worker finds; what is found here when an index was deleted since its reader was pinned: this thread has the files
 * open that are no longer there to be opened by another.
 */
async function elsewhere<T>(there: Promise<T>, here: () => Promise<T>): Promise<T> {
  try {
    return await there;
  } catch (error) {
    const gone = error instanceof EngineError && error.code === "io" && error.details.errno === "ENOENT";
    if (!gone) throw error;
  }
  return here();
}

/** An answer that was already on its way when it was cancelled is not given: here and elsewhere alike. */
async function unlessCancelled<T>(answer: Promise<T>, signal: CancelSignal | undefined): Promise<T> {
  const given = await answer;
  if (signal?.aborted) throw new EngineError("cancelled", "the search was cancelled by whoever asked for it");
  return given;
}

function travelling(reader: IndexReader): JobReader {
  return { index: reader.index, liveCount: reader.liveCount, leaves: reader.leaves.map(travellingLeaf) };
}

function travellingLeaf({ segment, live, liveCount, base }: Leaf): JobLeaf {
  return { ref: (segment as OpenSegment).ref(), live, liveCount, base };
}

function unpack({ result, hits, sources, sourceLengths }: SearchJobResult): SearchResult {
  if (hits !== null) result.hits = unpackHits(hits, sourceLengths);
  if (sources === null || sourceLengths === null) return result;
  let at = 0;
  result.hits.forEach((hit, i) => {
    const length = sourceLengths[i];
    if (length < 0) return;
    hit.source = sources.subarray(at, at + length);
    at += length;
  });
  return result;
}

function describe(pin: Pin, what: string): string {
  const names = pin.targets.map(({ index }) => index);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${what} of ${names.slice(0, 3).join(", ")}${more}`;
}
