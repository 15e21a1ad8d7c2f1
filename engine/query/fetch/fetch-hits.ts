/** From document numbers to what a hit shows. */
import type { Hit, SearchRequest } from "../../search.js";
import { sortValue } from "../../sort/index.js";
import { type ShownPaths, sameShown } from "../../source/shown-paths.js";
import { type Collected, effectiveSort, type FoundHit, type PlannedReader } from "../exec/collect-hits.js";
import type { LeafContext, ReaderContext } from "../exec/context.js";
import { matchedNames, namedParts } from "../exec/named.js";
import type { Steps } from "../exec/pace.js";
import type { Plan } from "../exec/plan.js";
import { scoreReader } from "../exec/scored-bits.js";
import { explain } from "../explain/explain.js";
import { createHighlighter, type Highlighter } from "../highlight/highlighter.js";
import { docValues, ignoredFields, type WantedField, wantedFields } from "./doc-values.js";
import { LinesFetcher } from "./matching-lines.js";

/** What is the same for all hits of one index. */
interface ReaderParts {
  readonly named: readonly { name: string; plan: Plan }[];
  readonly fields: readonly WantedField[];
  readonly highlighter: Highlighter | null;
  readonly lines: LinesFetcher | null;
}

/** A hit beside its source. */
const HIT_BYTES = 500;
/** The source itself, and what is made of it for the answer. */
const SOURCE_COPIES = 2;
/** Parsing and analysing a source takes so many times its size. */
const HIGHLIGHT_COPIES = 8;

/** Fetches the hits that were found, in their order. */
export function* fetchHits(
  planned: readonly PlannedReader[],
  request: SearchRequest,
  collected: Collected,
): Steps<Hit[]> {
  const parts = planned.map((reader) => readerParts(reader, request));
  try {
    return yield* fetchAll(planned, request, { collected, parts });
  } finally {
    for (const { lines } of parts) lines?.close();
  }
}

function* fetchAll(
  planned: readonly PlannedReader[],
  request: SearchRequest,
  { collected, parts }: { collected: Collected; parts: readonly ReaderParts[] },
): Steps<Hit[]> {
  const scores = wantsScores(request) ? scoresOf(planned, collected.hits) : null;
  const hits: Hit[] = [];
  const shown = request.sourceShown === undefined ? undefined : sameShown(request.sourceShown);
  for (const found of collected.hits) {
    const reader = planned[found.reader];
    const { leaf, doc } = locate(reader.context, found.doc);
    const hit = baseHit(leaf, doc, request, shown);
    hit.score = found.score ?? scores?.get(found) ?? null;
    if (found.keys !== null) {
      hit.sort = found.keys.map((value, i) => sortValue(collected.keys[found.reader][i], value));
    }
    addParts(hit, { leaf, doc, reader, parts: parts[found.reader] }, request);
    hits.push(hit);
    yield;
  }
  return hits;
}

function readerParts(reader: PlannedReader, request: SearchRequest): ReaderParts {
  const filters = reader.postFilter === null ? [] : namedParts(reader.postFilter);
  return {
    named: [...namedParts(reader.plan), ...filters],
    fields: wantedFields(reader.context, request.docValueFields),
    highlighter:
      request.highlight.length === 0 ? null : createHighlighter(reader.context, reader.plan, request.highlight),
    lines: request.matchingLines === undefined ? null : new LinesFetcher(reader.plan, request.matchingLines),
  };
}

function wantsScores(request: SearchRequest): boolean {
  return request.trackScores || effectiveSort(request).some((key) => key.field === "_score");
}

/** Scores of hits that were found by sorting. */
function scoresOf(planned: readonly PlannedReader[], hits: readonly FoundHit[]): Map<FoundHit, number> {
  const scores = new Map<FoundHit, number>();
  const readers = new Map<LeafContext, (doc: number) => number>();
  for (const hit of [...hits].sort((a, b) => a.doc - b.doc)) {
    if (hit.score !== null) continue;
    const { context, plan } = planned[hit.reader];
    const { leaf, doc } = locate(context, hit.doc);
    const read = readers.get(leaf) ?? scoreReader(leaf, plan);
    readers.set(leaf, read);
    scores.set(hit, read(doc));
  }
  return scores;
}

function locate(context: ReaderContext, doc: number): { leaf: LeafContext; doc: number } {
  const leaf = context.leaves.findLast((one) => one.leaf.base <= doc) as LeafContext;
  return { leaf, doc: doc - leaf.leaf.base };
}

function baseHit(leaf: LeafContext, doc: number, request: SearchRequest, shown: ShownPaths | undefined): Hit {
  const { segment, context } = leaf;
  const hit: Hit = {
    index: context.reader.index,
    id: segment.id(doc),
    score: null,
    seqNo: segment.seqNo(doc),
    primaryTerm: segment.primaryTerm(doc),
    version: segment.version(doc),
  };
  const routing = segment.routing(doc);
  if (routing !== undefined) hit.routing = routing;
  const ignored = ignoredFields(leaf, doc);
  if (ignored !== undefined) hit.ignored = ignored;
  const { memory } = context.environment;
  memory.charge(HIT_BYTES, "<fetched hits>");
  if (request.source) {
    const cut = shown === undefined ? undefined : segment.shownSource?.(doc, shown);
    hit.source = cut ?? segment.source(doc, shown);
    if (cut != null) hit.sourceIsCut = true;
    memory.charge(SOURCE_COPIES * hit.source.length, "<fetched hits>");
  }
  return hit;
}

function addParts(
  hit: Hit,
  at: { leaf: LeafContext; doc: number; reader: PlannedReader; parts: ReaderParts },
  request: SearchRequest,
): void {
  const { leaf, doc, reader, parts } = at;
  if (request.explain) hit.explanation = explain(leaf, reader.plan, doc);
  if (parts.fields.length > 0) hit.fields = docValues(leaf, doc, parts.fields);
  if (parts.lines !== null) hit.matchingLines = parts.lines.fetch(leaf, doc);
  if (parts.named.length > 0) hit.matchedQueries = matchedNames(leaf, parts.named, doc);
  if (parts.highlighter !== null) {
    const highlight = highlighted(parts.highlighter, leaf, doc);
    if (Object.keys(highlight).length > 0) hit.highlight = highlight;
  }
}

function highlighted(highlighter: Highlighter, leaf: LeafContext, doc: number): Record<string, string[]> {
  const { memory } = leaf.context.environment;
  const source = leaf.segment.source(doc);
  memory.charge(HIGHLIGHT_COPIES * source.length, "<highlight>");
  try {
    return highlighter.highlight(source);
  } finally {
    memory.release(HIGHLIGHT_COPIES * source.length);
  }
}
