/**
 * Nearest neighbours: the k best documents of all segments of all indices for each kNN section, as plans that the query's hits
 * are joined with. Exact where a filter leaves few documents or a segment has no graph; else candidates from the graph, whose
 * scores are then computed exactly.
 */
import { EngineError } from "../../errors.js";
import type { Field } from "../../mapping/field-table.js";
import type { SearchRequest } from "../../search.js";
import type { VectorColumn } from "../../segment/types.js";
import { compileQuery } from "../compile/compile.js";
import { countBits, hasBit, intersect } from "../exec/bits.js";
import type { LeafContext, ReaderContext, SearchReader } from "../exec/context.js";
import { planBits } from "../exec/filter-bits.js";
import type { DocumentsPlan, Plan } from "../exec/plan.js";
import { TopHits } from "../exec/top-hits.js";
import type { Profile } from "../profile.js";
import type { Knn, Query } from "../query.js";
import { isSimilar, prepareVector, similarityScore } from "./similarity.js";

/** With fewer documents than this the exact scan is as fast as the graph. */
const EXACT_BELOW = 2_000;

/** One plan per kNN section for each reader. Throws `query_unsupported` for other fields than vectors, `invalid_value` for other dimensions. */
export async function knnPlans(
  contexts: readonly ReaderContext[],
  sources: readonly SearchReader[],
  request: Pick<SearchRequest, "knn">,
  profile: Profile,
): Promise<Plan[][]> {
  const plans: Plan[][] = contexts.map(() => []);
  for (const knn of request.knn) {
    const top = new TopHits(knn.k, (bytes) => contexts[0]?.environment.memory.charge(bytes, "<nearest neighbours>"));
    for (const context of contexts) await searchReader(context, sources[context.number].filter, { knn, top, profile });
    const found = top.sorted();
    contexts.forEach((context, i) => {
      plans[i].push(
        documentsPlan(
          context,
          found.filter((hit) => hit.reader === context.number),
        ),
      );
    });
  }
  return plans;
}

interface Nearest {
  readonly knn: Knn;
  readonly top: TopHits;
  readonly profile: Profile;
}

async function searchReader(context: ReaderContext, alias: Query | undefined, nearest: Nearest): Promise<void> {
  const { knn } = nearest;
  const field = context.reader.fields.get(knn.field);
  if (field === undefined) return;
  if (field.type !== "dense_vector") {
    throw new EngineError("query_unsupported", `[knn] queries are only supported on [dense_vector] fields`, {
      field: field.path,
      type: field.type,
    });
  }
  const filters = [alias, knn.filter]
    .filter((query) => query !== undefined)
    .map((query) => compileQuery(context, query));
  for (const leaf of context.leaves) await searchLeaf(leaf, field, filters, nearest);
}

async function searchLeaf(leaf: LeafContext, field: Field, filters: readonly Plan[], nearest: Nearest): Promise<void> {
  const column = leaf.segment.vectors(field);
  if (column === null) return;
  const { knn, profile } = nearest;
  if (column.dims !== knn.vector.length) {
    throw new EngineError(
      "invalid_value",
      `the query vector has a different dimension [${knn.vector.length}] than the index vectors [${column.dims}]`,
      { field: field.path },
    );
  }
  const accept = acceptedDocs(leaf, filters);
  const query = prepareVector(field.mapping.similarity ?? "cosine", knn.vector);
  const candidates = await candidateRows(column, { accept, query, knn });
  profile.note("knn", {
    field: field.path,
    segment: leaf.segment.name,
    path: candidates.path,
    reason: candidates.reason,
  });
  offerRows(leaf, field, { column, query, rows: candidates.rows, accept }, nearest);
}

function acceptedDocs(leaf: LeafContext, filters: readonly Plan[]): Uint32Array | null {
  const { live } = leaf.leaf;
  if (filters.length === 0) return live;
  const bits = planBits(leaf, filters[0]).slice();
  for (const filter of filters.slice(1)) intersect(bits, planBits(leaf, filter));
  if (live !== null) intersect(bits, live);
  return bits;
}

interface Candidates {
  /** Ascending; null: all. */
  rows: Uint32Array | null;
  path: "exact" | "hnsw";
  reason: string;
}

async function candidateRows(
  column: VectorColumn,
  search: { accept: Uint32Array | null; query: Float32Array; knn: Knn },
): Promise<Candidates> {
  const { accept, query, knn } = search;
  const accepted = accept === null ? column.rows : countBits(accept);
  if (column.graph === null) return exact(column, accept, "the segment has no graph");
  if (accepted <= Math.max(EXACT_BELOW, knn.numCandidates))
    return exact(column, accept, `${accepted} documents to look at`);
  // Its worker may die; from the next question on the column says that it has no graph.
  const found = await column.graph.search(query, knn.numCandidates).catch(() => null);
  if (found === null) return exact(column, accept, "the graph did not answer");
  const rows = found.filter((row) => accept === null || hasBit(accept, docOf(column, row))).sort();
  if (rows.length < Math.min(knn.k, accepted)) return exact(column, accept, "too few candidates passed the filter");
  return { rows, path: "hnsw", reason: `${knn.numCandidates} candidates, scored exactly` };
}

function exact(column: VectorColumn, accept: Uint32Array | null, reason: string): Candidates {
  if (accept === null) return { rows: null, path: "exact", reason };
  const rows: number[] = [];
  for (let row = 0; row < column.rows; row++) if (hasBit(accept, docOf(column, row))) rows.push(row);
  return { rows: Uint32Array.from(rows), path: "exact", reason };
}

function docOf(column: VectorColumn, row: number): number {
  return column.docs === null ? row : column.docs[row];
}

function offerRows(
  leaf: LeafContext,
  field: Field,
  scan: { column: VectorColumn; query: Float32Array; rows: Uint32Array | null; accept: Uint32Array | null },
  nearest: Nearest,
): void {
  const { column, query, rows } = scan;
  const { knn, top } = nearest;
  const kind = field.mapping.similarity ?? "cosine";
  const count = rows === null ? column.rows : rows.length;
  const raw = new Float32Array(count);
  column.similarities(query, rows, raw);
  for (let i = 0; i < count; i++) {
    if (!isSimilar(kind, raw[i], knn.similarity)) continue;
    const doc = docOf(column, rows === null ? i : rows[i]);
    const score = Math.fround(similarityScore(kind, raw[i]) * Math.fround(knn.boost));
    top.offer(score, leaf.context.number, leaf.leaf.base + doc);
  }
}

function documentsPlan(context: ReaderContext, found: readonly { doc: number; score: number }[]): DocumentsPlan {
  const sorted = [...found].sort((a, b) => a.doc - b.doc);
  const leaves = context.leaves.map(({ leaf, docCount }) => {
    const own = sorted.filter(({ doc }) => doc >= leaf.base && doc < leaf.base + docCount);
    return {
      docs: Uint32Array.from(own, (hit) => hit.doc - leaf.base),
      scores: Float32Array.from(own, (hit) => hit.score),
    };
  });
  return { kind: "documents", leaves };
}
