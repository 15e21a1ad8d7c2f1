/** `_terms_enum`: terms of a field that begin with something, as they are typed (Kibana's controls). */
import type { Index, SearchRequest, TermsAggregation } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { illegalArgument, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { DOCUMENTS, indicesOf, nameOptions } from "../indices/names.js";
import { readQuery } from "../query/index.js";
import { shardReport } from "../search/shard-report.js";

export const TERMS_ENUM_SHAPE = shape("terms_enum", "object", {
  field: "string",
  string: "string",
  size: "integer",
  timeout: "string",
  case_insensitive: "boolean",
  index_filter: "object",
  search_after: "string",
});

const USUAL_SIZE = 10;
/** Terms looked at for one page. */
const MOST_TERMS = 10_000;
const ENUM = "terms";

/** `POST /i/_terms_enum`; terms come sorted, each once. `complete` is false when there may be more than were looked at. */
export async function termsEnum(request: ApiRequest, body: BodyOf<typeof TERMS_ENUM_SHAPE>): Promise<Reply> {
  const { field, size = USUAL_SIZE, search_after: after } = body;
  if (field === undefined) throw validationFailed("field cannot be null");
  if (size < 1 || size > MOST_TERMS) throw illegalArgument(`[size] must be between 1 and ${MOST_TERMS}, not ${size}`);
  const options = nameOptions(request.parameters, DOCUMENTS);
  const named = unblocked(indicesOf(request.node.engine, request.captured.index, options), "read");
  const damaged = named.filter(({ damage }) => damage !== undefined);
  const having = named.filter((index) => index.damage === undefined && hasTerms(index, field));
  const found = having.length === 0 ? [] : await termsOf(request, having, body);
  const terms = found.filter(
    (term) => after === undefined || Buffer.compare(Buffer.from(term), Buffer.from(after)) > 0,
  );
  return json({
    _shards: shardReport(
      named.length,
      damaged.map((index) => ({ index, count: 1 })),
    ),
    terms: terms.slice(0, size),
    complete: damaged.length === 0 && (terms.length >= size || found.length < MOST_TERMS),
  });
}

/** Indices without the field have no terms of it. Throws ApiError 400 for fields of other types. */
function hasTerms(index: Index, field: string): boolean {
  const mapped = index.fields().get(field);
  if (mapped === undefined) return false;
  if (TYPES.has(mapped.type)) return true;
  throw illegalArgument(
    `field [${field}] of type [${mapped.type}] is not supported in [terms_enum]: use a keyword field`,
  );
}

const TYPES: ReadonlySet<string> = new Set(["constant_keyword", "keyword"]);

async function termsOf(
  request: ApiRequest,
  indices: readonly Index[],
  { field = "", string: prefix, case_insensitive: anyCase, index_filter: filter }: BodyOf<typeof TERMS_ENUM_SHAPE>,
): Promise<string[]> {
  const terms: TermsAggregation = {
    kind: "terms",
    field,
    size: MOST_TERMS,
    minDocCount: 1,
    order: [{ by: "_key", direction: "asc" }],
  };
  if (prefix !== undefined && prefix !== "") terms.include = { pattern: `${literal(prefix, anyCase === true)}.*` };
  const { signal, memory } = request.task;
  const search: SearchRequest = {
    query: filter === undefined ? { kind: "match_all", boost: 1 } : readQuery(filter),
    knn: [],
    from: 0,
    size: 0,
    sort: [],
    trackTotal: 0,
    trackScores: false,
    terminateAfter: 0,
    aggs: { [ENUM]: { ...terms, aggs: {} } },
    source: false,
    explain: false,
    highlight: [],
    docValueFields: [],
    profile: false,
    signal,
    memory,
  };
  const targets = indices.map(({ name }) => ({ index: name }));
  const result = (await request.node.engine.search(targets, search)).aggregations[ENUM];
  return result.kind === "terms" ? result.buckets.map(({ key }) => String(key)) : [];
}

/** A text as a regular expression of Lucene's syntax. */
function literal(text: string, anyCase: boolean): string {
  return [...text]
    .map((one) => {
      const [lower, upper] = [one.toLowerCase(), one.toUpperCase()];
      if (anyCase && lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
      return /[\p{L}\p{N}_ ]/u.test(one) ? one : `\\${one}`;
    })
    .join("");
}
