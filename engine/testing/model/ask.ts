/** Asks an index by its public face what the model must know too. */
import type { EngineFace, PinnedReaders } from "../../engine-types.js";
import type { Query } from "../../query/query.js";
import type { Hit, SearchRequest } from "../../search.js";

export const ALL: Query = { kind: "match_all", boost: 1 };

const DEFAULTS: Omit<SearchRequest, "query"> = {
  knn: [],
  from: 0,
  size: 0,
  sort: [],
  trackTotal: Number.POSITIVE_INFINITY,
  trackScores: false,
  terminateAfter: 0,
  aggs: {},
  source: true,
  explain: false,
  highlight: [],
  docValueFields: [],
  profile: false,
};

/** A request with Elasticsearch's defaults, an exact total and no hits. */
export function request(query: Query, more: Partial<SearchRequest> = {}): SearchRequest {
  return { ...DEFAULTS, query, ...more };
}

export function term(field: string, value: string | number): Query {
  return { kind: "term", field, value, caseInsensitive: false, boost: 1 };
}

export function match(query: string, operator: "or" | "and" = "or"): Query {
  return { kind: "match", field: "text", query, operator, zeroTerms: "none", lenient: false, boost: 1 };
}

/** A document as a search shows it. */
export interface ShownDocument {
  readonly id: string;
  readonly seqNo: number;
  readonly version: number;
  readonly source: string;
}

const PAGE = 5000;
const IN_ORDER = { field: "_doc", order: "asc", missing: "_last" } as const;

/** Every document that searches of an index show, in its order. */
export async function shownNow(engine: EngineFace, index: string): Promise<ShownDocument[]> {
  const reader = engine.pin([{ index }]);
  try {
    return await shownBy(engine, reader);
  } finally {
    reader.release();
  }
}

/** Every document that a reader shows, page by page. */
export async function shownBy(engine: EngineFace, reader: PinnedReaders): Promise<ShownDocument[]> {
  const found: ShownDocument[] = [];
  let after: Pick<SearchRequest, "searchAfter"> = {};
  for (;;) {
    const { hits } = await engine.search(reader, request(ALL, { size: PAGE, sort: [IN_ORDER], ...after }));
    found.push(...hits.map(shown));
    if (hits.length < PAGE) return found;
    after = { searchAfter: hits[hits.length - 1].sort };
  }
}

function shown({ id, seqNo, version, source }: Hit): ShownDocument {
  return { id, seqNo, version, source: Buffer.from(source ?? []).toString() };
}
