/** Searches and counts over readers of the thread that asked, made anew here from what travels (jobs.ts). */
import { createAnalyzerRegistry } from "../../analysis/registry.js";
import type { CountJob, JobReader, JobSource, SearchJob, SearchJobResult, SearchPhases } from "../../jobs.js";
import { loadFieldTable } from "../../mapping/field-table.js";
import { Breakers, RequestMemory } from "../../memory/index.js";
import { packHits } from "../../packed-hits.js";
import { type LinePack, packsOf } from "../../packed-lines.js";
import type { SearchEnvironment, SearchReader } from "../../query/exec/context.js";
import { FilterCache } from "../../query/exec/filter-cache.js";
import { countSteps, searchSteps } from "../../query/search-exec.js";
import type { SearchResult } from "../../search.js";
import type { Storage } from "../../store/storage.js";
import type { JobContext } from "../handler.js";

/** A search; throws what it throws elsewhere. */
export function* search(context: JobContext, job: SearchJob): Generator<void, SearchJobResult> {
  const readers = job.sources.map((source) => openSource(context, source));
  const { found, close } = environment(context, job);
  let phases: SearchPhases = { queryMs: 0, fetchMs: 0 };
  const told = (queryMs: number, fetchMs: number) => {
    phases = { queryMs, fetchMs };
  };
  let packed: SearchJobResult;
  let packs: Iterable<LinePack>;
  try {
    const result = yield* searchSteps(readers, job.request, { phases: told, ...found }, job.docs);
    packed = { ...packSources(result), hits: packHits(result.hits), phases };
    packs = packsOf(result.hits);
    if (packed.hits !== null) packed.result.hits = [];
  } finally {
    close();
  }
  if (packed.sources !== null) context.transfer(packed.sources.buffer as ArrayBuffer);
  if (packed.hits !== null) context.transfer(packed.hits.numbers.buffer as ArrayBuffer);
  for (const { numbers, text } of packs) {
    context.transfer(numbers.buffer as ArrayBuffer);
    context.transfer(text.buffer as ArrayBuffer);
  }
  return packed;
}

/** The number of live documents that match. */
export function* count(context: JobContext, job: CountJob): Generator<void, number> {
  const readers = job.sources.map((source) => openSource(context, source));
  const { found, close } = environment(context, job);
  try {
    return yield* countSteps(readers, job.query, found);
  } finally {
    close();
  }
}

/** What is kept of a reader from search to search. */
interface KeptReader {
  readonly reader: JobReader;
  /** Statistics, frequencies: see IndexReader.cache. */
  readonly cache: Map<string, unknown>;
}

function keptReader(reader: JobReader): KeptReader {
  return { reader, cache: new Map() };
}

function openSource(context: JobContext, source: JobSource): SearchReader {
  const { reader, cache } = context.shared(source.reader, keptReader);
  const { fields } = context.shared(source.fields, loadFieldTable);
  const leaves = reader.leaves.map(({ ref, ...leaf }) => ({ segment: context.segment(ref), ...leaf }));
  return {
    reader: { index: reader.index, liveCount: reader.liveCount, leaves, fields, cache },
    filter: source.filter,
    analyzers: context.shared(source.analysis, createAnalyzerRegistry),
  };
}

/** A thread's own: what it keeps of filters. */
const filterCaches = new WeakMap<Storage, FilterCache>();
const FILTER_BYTES = 16 * 2 ** 20;

function filtersOf(storage: Storage): FilterCache {
  const known = filterCaches.get(storage);
  if (known !== undefined) return known;
  const made = new FilterCache(FILTER_BYTES);
  filterCaches.set(storage, made);
  return made;
}

/** What a search finds here; `close` gives back what it held. */
function environment(
  context: JobContext,
  { now, breakers }: Pick<SearchJob, "now" | "breakers">,
): { found: SearchEnvironment; close: () => void } {
  const { storage } = context;
  const memory = new RequestMemory(context.shared(breakers, Breakers.attach), "request");
  const clock = { now: () => now, random: () => 0 };
  const { kernels, arena } = storage;
  return { found: { kernels, arena, clock, filters: filtersOf(storage), memory }, close: () => memory.close() };
}

/** One buffer that is given away costs less than one for each hit, or a copy of them all. */
function packSources(result: SearchResult): Omit<SearchJobResult, "phases" | "hits"> {
  const lengths = Int32Array.from(result.hits, (hit) => hit.source?.length ?? -1);
  const total = lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
  if (lengths.every((length) => length < 0)) return { result, sources: null, sourceLengths: null };
  const sources = new Uint8Array(total);
  let at = 0;
  for (const hit of result.hits) {
    if (hit.source === undefined) continue;
    sources.set(hit.source, at);
    at += hit.source.length;
    // The key stays where it is among the others.
    hit.source = NOTHING;
  }
  return { result, sources, sourceLengths: lengths };
}

const NOTHING = new Uint8Array(0);
