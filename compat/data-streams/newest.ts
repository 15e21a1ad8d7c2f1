/** The newest timestamp of some indices. */
import type { EngineFace, Index, SearchRequest } from "../../engine/index.js";

const NEWEST = "newest";

/** Milliseconds since 1970; 0 where there are no documents. */
export async function newestTimestamp(
  engine: EngineFace,
  indices: readonly Index[],
  field: string,
  limits: Pick<SearchRequest, "signal" | "memory">,
): Promise<number> {
  const targets = indices.filter(({ damage }) => damage === undefined).map(({ name }) => ({ index: name }));
  if (targets.length === 0) return 0;
  const request: SearchRequest = {
    query: { kind: "match_all", boost: 1 },
    knn: [],
    from: 0,
    size: 0,
    sort: [],
    trackTotal: 0,
    trackScores: false,
    terminateAfter: 0,
    aggs: { [NEWEST]: { kind: "max", field, aggs: {} } },
    source: false,
    explain: false,
    highlight: [],
    docValueFields: [],
    profile: false,
    ...limits,
  };
  const newest = (await engine.search(targets, request)).aggregations[NEWEST];
  return newest.kind === "max" ? (newest.value ?? 0) : 0;
}
