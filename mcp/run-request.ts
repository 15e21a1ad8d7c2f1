import { type Client, WireError } from "../client/index.js";
import {
  type CodeQuery,
  type FileHit,
  forOtherCluster,
  isFileHit,
  linesIn,
  parseSearchHits,
  type SearchHits,
  type SearchRequest,
  wantedPatterns,
} from "../code/index.js";
import { lineMatcher } from "./line-matcher.js";
import { type SearchAnswer, searchIndex } from "./node.js";

const NOTHING: SearchHits = { total: 0, totalIs: "exact", hits: [] };
/** Most lines found here in one file of a cluster that does not find them itself. */
const MOST_LINES = 1000;

/**
 * Sends a request for declarations or files and reads the hits; nothing where the index is not there. A cluster that does
 * not know `matching_lines` is asked otherwise. Throws WireError, ConnectionError, OtherClusterError.
 */
export async function runRequest(client: Client, request: SearchRequest, query: CodeQuery): Promise<SearchHits> {
  try {
    return readAnswer(request, await searchIndex<unknown>(client, request.index, request.body));
  } catch (error) {
    if (!isUnknownThere(error)) throw error;
    const other = forOtherCluster(request);
    const answer = await searchIndex<{ body?: string }>(client, other.index, other.body);
    const found = readAnswer(other, answer);
    const bodies = new Map(answer?.hits.hits.map((hit) => [hit._id, hit._source.body ?? ""]));
    return withLines(found, bodies, query);
  }
}

function readAnswer(request: SearchRequest, answer: SearchAnswer<unknown> | undefined): SearchHits {
  return answer === undefined ? NOTHING : parseSearchHits(request, answer);
}

/** A cluster that is not Pinakes says of the query or of `ext` that it does not know the name; Pinakes says more of a bad pattern. */
function isUnknownThere(error: unknown): boolean {
  return (
    error instanceof WireError &&
    error.status === 400 &&
    /(unknown|unsupported).*\bmatching_lines\b/i.test(error.message)
  );
}

async function withLines(found: SearchHits, bodies: Map<string, string>, query: CodeQuery): Promise<SearchHits> {
  const matcher = await lineMatcher(wantedPatterns(query));
  if (matcher === undefined) return found;
  const lines = (hit: FileHit) => ({ ...hit, lines: linesIn(bodies.get(hit.id) ?? "", matcher, MOST_LINES) });
  return { ...found, hits: found.hits.map((hit) => (isFileHit(hit) ? lines(hit) : hit)) };
}
