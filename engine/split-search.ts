/**
 * One search of lines as several jobs side by side, each about a range of an index's documents: reading text takes so long
 * that a core alone is not enough. All documents that match have the same score, so hits come in the order of documents, and
 * the parts' hits one after the other are the whole's.
 */

import { compiledPattern } from "./query/compile/lines-queries.js";
import { Probe } from "./query/cost/probe.js";
import { chunksByLeaf, textField } from "./query/cost/queries.js";
import type { SearchReader } from "./query/exec/context.js";
import type { MatchingLines, Query } from "./query/query.js";
import type { DocRange, SearchRequest, SearchResult, SortKey } from "./search.js";
import type { SegmentReader } from "./segment/types.js";
import type { ChunkPiece } from "./trigrams/index.js";

/** A search that ends with fewer documents than this mostly ends early: parts would read more than the whole. */
const WORTH_SPLITTING = 1000;
/** More parts are hardly ever free at once. */
const MOST_PARTS = 4;

/**
 * Ranges of documents, as the leaves of the reader count them one after the other, to be searched side by side, each with as much text that may
 * match; null: the search is not to be split, or cannot be.
 */
export function splitRanges(
  readers: readonly SearchReader[],
  request: SearchRequest,
  workers: number,
): DocRange[] | null {
  const parts = Math.min(workers, MOST_PARTS);
  if (parts < 2 || readers.length !== 1 || readers[0].filter !== undefined || !isPlain(request)) return null;
  const documents = request.from + request.size + request.trackTotal;
  if (documents < WORTH_SPLITTING && request.matchingLines?.totals !== true) return null;
  const bounds = equalParts(leavesOf(readers[0], linesIn(request.query)), parts);
  return Array.from({ length: parts }, (_, part) => ({ from: bounds[part], to: bounds[part + 1] }));
}

/** Documents of a leaf, and how much there is to search in them. */
interface Weighed {
  readonly docs: number;
  readonly weight: number;
  /** The document before which such a share of what is to be searched lies. */
  docAt(share: number): number;
}

function leavesOf(source: SearchReader, lines: MatchingLines | undefined): Weighed[] {
  const probe = new Probe(source, false);
  const chunks = lines === undefined ? undefined : chunksByLeaf(probe, lines);
  return source.reader.leaves.map(({ segment }, i) => {
    const docs = segment.docCount;
    const evenly = (share: number) => Math.floor(share * docs);
    if (chunks === undefined || lines === undefined) return { docs, weight: docs, docAt: evenly };
    const docAt = (share: number) => documentAt(probe, segment, { lines, share }) ?? evenly(share);
    return { docs, weight: chunks[i], docAt };
  });
}

/** The document in which a chunk begins that has such a share of those to be searched before it; undefined: these are too many to be listed here. */
function documentAt(
  probe: Probe,
  segment: SegmentReader,
  { lines, share }: { lines: MatchingLines; share: number },
): number | undefined {
  const field = textField(probe, lines);
  segment.beginUse();
  try {
    const text = field === undefined ? null : segment.trigrams?.(field);
    const chunks = text?.knownChunks(compiledPattern(lines).grams);
    if (!text || chunks === undefined || chunks.length === 0) return undefined;
    const pieces: ChunkPiece[] = [];
    const place = Math.min(chunks.length - 1, Math.floor(share * chunks.length));
    return text.pieces(chunks[place], pieces) > 0 ? pieces[0].doc : undefined;
  } finally {
    segment.endUse();
  }
}

/** Where parts of equal weight begin, and where the last ends. */
function equalParts(leaves: readonly Weighed[], parts: number): number[] {
  const total = leaves.reduce((sum, { weight }) => sum + weight, 0);
  const bounds = [0];
  let docs = 0;
  let weight = 0;
  for (const leaf of leaves) {
    while (bounds.length < parts && weight + leaf.weight >= (total * bounds.length) / parts && leaf.weight > 0) {
      const share = ((total * bounds.length) / parts - weight) / leaf.weight;
      bounds.push(docs + leaf.docAt(share));
    }
    docs += leaf.docs;
    weight += leaf.weight;
  }
  while (bounds.length <= parts) bounds.push(docs);
  return bounds;
}

/** Lines, in the order of documents, with nothing that looks at all hits together. */
function isPlain(request: SearchRequest): boolean {
  const { query, aggs, sort, searchAfter, postFilter, minScore, terminateAfter, profile, knn } = request;
  return (
    isLines(query) &&
    knn.length === 0 &&
    Object.keys(aggs).length === 0 &&
    isDocumentOrder(sort) &&
    searchAfter === undefined &&
    postFilter === undefined &&
    minScore === undefined &&
    terminateAfter === 0 &&
    !profile
  );
}

/** Lines alone, or among conditions: what must have them has them in its range of documents, and nothing has a score of its own. */
function isLines(query: Query): boolean {
  if (query.kind === "matching_lines") return true;
  if (query.kind !== "bool" || query.should.length > 0) return false;
  if (query.must.some(({ kind }) => kind !== "matching_lines")) return false;
  return linesIn(query) !== undefined;
}

/** A query about lines that all hits have. */
function linesIn(query: Query): MatchingLines | undefined {
  if (query.kind === "matching_lines") return query;
  const parts = query.kind === "bool" ? [...query.must, ...query.filter] : [];
  return parts.find((part) => part.kind === "matching_lines");
}

/** Without keys documents come by their score, which is the same for all. */
function isDocumentOrder(sort: readonly SortKey[]): boolean {
  return sort.length === 0 || (sort.length === 1 && sort[0].field === "_doc" && sort[0].order === "asc");
}

/** What each part is asked: its first hits up to the end of the page. */
export function partOf(request: SearchRequest): SearchRequest {
  return { ...request, from: 0, size: request.size === 0 ? 0 : request.from + request.size };
}

/** The whole's answer from those of its parts, in their order. */
export function joined(parts: readonly SearchResult[], request: SearchRequest): SearchResult {
  const { from, size, trackTotal, matchingLines } = request;
  const sum = (of: (part: SearchResult) => number) => parts.reduce((total, part) => total + of(part), 0);
  const total = sum((part) => part.total?.value ?? 0);
  const more = total > trackTotal || parts.some((part) => part.total?.relation === "gte");
  return {
    total:
      trackTotal === 0 ? undefined : more ? { value: trackTotal, relation: "gte" } : { value: total, relation: "eq" },
    maxScore: parts.find((part) => part.maxScore !== null)?.maxScore ?? null,
    hits: parts.flatMap((part) => part.hits).slice(from, from + size),
    terminatedEarly: false,
    aggregations: {},
    profile: parts[0].profile,
    matchingLines:
      matchingLines?.totals === true
        ? {
            lines: sum((part) => part.matchingLines?.lines ?? 0),
            documents: sum((part) => part.matchingLines?.documents ?? 0),
          }
        : undefined,
  };
}
