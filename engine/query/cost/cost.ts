/**
 * What a search will cost, estimated before it runs: whether it stays where it arrived or goes to a worker. A matter of some
 * microseconds: what can be known without looking is not looked up, and the sum is given up once it is large enough.
 */
import type { SearchRequest } from "../../search.js";
import type { SearchReader } from "../exec/context.js";
import type { Query } from "../query.js";
import { aggregating } from "./aggregations.js";
import { COST } from "./constants.js";
import { Probe } from "./probe.js";
import { clauses, type Finding, find } from "./queries.js";

/** Microseconds that a search takes on one core, about; it may stop counting above `enough`. */
export function searchCost(
  readers: readonly SearchReader[],
  request: SearchRequest,
  enough = Number.POSITIVE_INFINITY,
): number {
  let total = COST.search + readers.length * COST.reader;
  let docs = 0;
  for (const source of readers) {
    if (total > enough) return total;
    const probe = new Probe(source, request.trackTotal === Number.POSITIVE_INFINITY, firstDocuments(request));
    const found = narrowed(probe, request.query, source.filter);
    total += probe.leaves * COST.leaf + readerCost(probe, request, { found, filter: source.filter }) + probe.loading;
    docs += found.docs;
  }
  return total + pageCost(request, docs);
}

/** How many documents end the search where they come in the order in which they are found (collect-hits.ts); of others all count. */
function firstDocuments(request: SearchRequest): number {
  const { from, size, trackTotal, sort, aggs, searchAfter, postFilter, minScore, terminateAfter } = request;
  const inOrder = sort.length === 0 || (sort.length === 1 && sort[0].field === "_doc" && sort[0].order === "asc");
  const others =
    searchAfter ?? postFilter ?? minScore ?? (request.matchingLines?.totals === true ? "lines are counted" : undefined);
  const isCounted = terminateAfter > 0 || Object.keys(aggs).length > 0 || scoresDiffer(request.query);
  if (!inOrder || isCounted || others !== undefined) return Number.POSITIVE_INFINITY;
  return Math.max(size === 0 ? 0 : from + size, trackTotal === 0 ? 0 : trackTotal + 1);
}

/** Whether documents may have different scores. */
function scoresDiffer(query: Query): boolean {
  if (query.kind === "bool") return query.should.length > 0 || query.must.some(scoresDiffer);
  return query.kind !== "matching_lines" && query.kind !== "constant_score" && query.kind !== "match_all";
}

/** The same for a count. */
export function countCost(readers: readonly SearchReader[], query: Query, enough = Number.POSITIVE_INFINITY): number {
  let total = COST.search + readers.length * COST.reader;
  for (const source of readers) {
    if (total > enough) return total;
    const probe = new Probe(source, true);
    const known =
      source.filter === undefined && !probe.deleted && (query.kind === "match_all" || query.kind === "term");
    total += probe.leaves * COST.leaf + (known ? 0 : narrowed(probe, query, source.filter).marking) + probe.loading;
  }
  return total;
}

/** The hits of a page: as many as it shows of those that are found. */
function pageCost(request: SearchRequest, docs: number): number {
  const { from, size, source, highlight, explain, docValueFields, query } = request;
  const hit =
    COST.hit +
    (source ? COST.source : 0) +
    highlight.length * COST.highlight +
    docValueFields.length * COST.docValue +
    (explain ? clauses(query) * COST.explain : 0);
  return size === 0 ? 0 : Math.min(size, docs) * hit + Math.min(from + size, docs) * COST.place;
}

function narrowed(probe: Probe, query: Query, filter: Query | undefined): Finding {
  if (filter === undefined) return find(probe, query);
  return find(probe, { kind: "bool", must: [query], filter: [filter], should: [], mustNot: [], boost: 1 });
}

function readerCost(
  probe: Probe,
  request: SearchRequest,
  { found, filter }: { found: Finding; filter: Query | undefined },
): number {
  const { query, aggs, sort, postFilter, minScore, terminateAfter } = request;
  const aggregated = Object.keys(aggs).length > 0;
  const all = query.kind === "match_all" && filter === undefined;
  const whole = all && !probe.deleted && postFilter === undefined && minScore === undefined;
  const sorting = sort.length > 0 && request.size > 0 ? sortingCost(probe, request, found.docs) : 0;
  const after = postFilter === undefined ? 0 : find(probe, postFilter).marking;
  const byScore = sort.length === 0 && request.size > 0;
  const asSet = aggregated || sorting > 0 || !byScore || terminateAfter > 0;
  return (
    (asSet && !(whole && sorting === 0) ? found.marking : 0) +
    (byScore ? found.scoring : 0) +
    (minScore === undefined ? 0 : found.docs * COST.singly) +
    sorting +
    after +
    (aggregated ? aggregating(probe, aggs, found.docs, whole) : 0)
  );
}

function sortingCost(probe: Probe, request: SearchRequest, docs: number): number {
  const [first] = request.sort;
  if (first.field === "_doc" || first.field === "_shard_doc") return docs * COST.bit;
  if (first.field === "_score") return docs * COST.singly;
  const field = probe.field(first.field);
  if (field !== undefined) probe.needs(field, "column");
  return docs * (field?.column === "ordinals" ? COST.sortedByTerm : COST.sortedByNumber);
}
