/** An index in memory for tests: fields, analysis, segments, deletions. */
import { type AnalyzerRegistry, createAnalyzerRegistry } from "../../analysis/index.js";
import { systemClock } from "../../clock.js";
import { loadKernels, twinKernels } from "../../kernels/load.js";
import { createFieldTable, type Field } from "../../mapping/field-table.js";
import type { Mapping } from "../../mapping/mapping.js";
import { UNLIMITED } from "../../memory/index.js";
import type { SearchRequest } from "../../search.js";
import type { IndexReader, Leaf, SegmentReader } from "../../segment/types.js";
import { Arena } from "../../store/arena.js";
import { allBits, countBits } from "../exec/bits.js";
import type { SearchEnvironment, SearchReader } from "../exec/context.js";
import { FilterCache } from "../exec/filter-cache.js";
import { memorySegment, type TestDocument } from "./memory-segment.js";

/** An environment with an arena of its own; the twin kernels need no build. */
export function testEnvironment(kernels: "twin" | "compiled" = "twin", arenaBytes = 64 << 20): SearchEnvironment {
  const arena = Arena.create(arenaBytes);
  const load = kernels === "twin" ? twinKernels : loadKernels;
  return { ...testResources(), kernels: load(arena.memory), arena };
}

/** What a search needs beside memory and kernels, with no bounds. */
export function testResources(): Pick<SearchEnvironment, "clock" | "filters" | "memory"> {
  return { clock: systemClock, filters: new FilterCache(64 << 20), memory: UNLIMITED };
}

export interface TestIndex {
  readonly fields: ReadonlyMap<string, Field>;
  readonly analyzers: AnalyzerRegistry;
}

/** Fields and analyzers of a mapping. */
export function testIndex(properties: Mapping["properties"]): TestIndex {
  return { fields: createFieldTable({ properties }).fields, analyzers: createAnalyzerRegistry() };
}

/** A reader over documents cut into segments of the given sizes; documents of `deleted` ids are deleted. */
export function memoryReader(
  environment: SearchEnvironment,
  index: TestIndex,
  documents: readonly TestDocument[],
  options: {
    segments?: readonly number[];
    deleted?: ReadonlySet<string>;
    name?: string;
    /** Sequence number of the first document. */
    firstSeqNo?: number;
  } = {},
): SearchReader {
  const sizes = options.segments ?? [documents.length];
  const segments: SegmentReader[] = [];
  let from = 0;
  for (const size of sizes) {
    segments.push(
      memorySegment(environment.arena, index, documents.slice(from, from + size), (options.firstSeqNo ?? 0) + from),
    );
    from += size;
  }
  const reader = readerOf(options.name ?? "test", index.fields, segments, options.deleted ?? new Set());
  return { reader, analyzers: index.analyzers };
}

/** A reader over given segments. */
export function readerOf(
  name: string,
  fields: ReadonlyMap<string, Field>,
  segments: readonly SegmentReader[],
  deleted: ReadonlySet<string>,
): IndexReader {
  let base = 0;
  const leaves = segments.map((segment): Leaf => {
    const live = allBits(segment.docCount);
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (deleted.has(segment.id(doc))) live[doc >>> 5] &= ~(1 << (doc & 31));
    }
    const liveCount = countBits(live);
    const leaf = { segment, live: liveCount === segment.docCount ? null : live, liveCount, base };
    base += segment.docCount;
    return leaf;
  });
  const liveCount = leaves.reduce((sum, leaf) => sum + leaf.liveCount, 0);
  return { index: name, leaves, liveCount, fields, cache: new Map() };
}

/** A request with everything at its default. */
export function searchRequest(change: Partial<SearchRequest>): SearchRequest {
  return {
    query: { kind: "match_all", boost: 1 },
    knn: [],
    from: 0,
    size: 10,
    sort: [],
    trackTotal: 10_000,
    trackScores: false,
    terminateAfter: 0,
    aggs: {},
    source: false,
    explain: false,
    highlight: [],
    docValueFields: [],
    profile: false,
    ...change,
  };
}
