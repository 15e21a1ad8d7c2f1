/** `_explain`: why one document has its score for a query, or has none. */
import type { Explanation, Query, StoredDocument } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { validationFailed } from "../errors.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { placeText } from "../identities.js";
import { STRICT, searchTargets } from "../indices/names.js";
import { type ByteWriter, byteWriter } from "../json/byte-writer.js";
import { queryParameter } from "../query/asked-query.js";
import { readQuery } from "../query/index.js";
import { withLookups } from "../query/terms-lookup.js";
import { quote, renderExplanation } from "../search/render.js";
import { type SourceOption, sourceParameters } from "../search/source-option.js";
import { searchFailure, searchPlace } from "../search-failure.js";
import { hidesSource, readTarget, storedText } from "./document.js";

export const EXPLAIN_SHAPE = shape("explain", "object", { query: "object" });

/** `GET /i/_explain/1`; 404 when there is no such document to be searched. */
export async function explain(request: ApiRequest, body: BodyOf<typeof EXPLAIN_SHAPE>): Promise<Reply> {
  const { captured, parameters } = request;
  const query =
    queryParameter(parameters) ??
    (body.query === undefined ? undefined : readQuery(withLookups(body.query, (name) => readTarget(request, name))));
  if (query === undefined) throw validationFailed("query is missing");
  const index = readTarget(request, captured.index);
  const place = `{${placeText(index.name, request.identity)},"_id":${quote(captured.id)}`;
  const document = index.get(captured.id, { realtime: false });
  if (document === undefined) return rendered(`${place},"matched":false}`, 404);
  const found = await explanationOf(request, query);
  const out = byteWriter();
  out.text(`${place},"matched":${found !== undefined},"explanation":${renderExplanation(found ?? NO_MATCH)}`);
  const stored = storedText(index, document, parameters.list("stored_fields"));
  writeGet(out, document, { option: hidesSource(index) ? "none" : (sourceParameters(parameters) ?? "none"), stored });
  out.text("}");
  return rendered(out.finish());
}

/** The document itself, when its source or stored fields were asked for. */
function writeGet(
  out: ByteWriter,
  { seqNo, primaryTerm, source }: StoredDocument,
  { option, stored }: { option: SourceOption; stored: string },
): void {
  if (option === "none" && stored === "") return;
  out.text(`,"get":{"_seq_no":${seqNo},"_primary_term":${primaryTerm},"found":true`);
  if (option !== "none") {
    out.text(`,"_source":`);
    out.bytes(option === "all" ? source : option(source));
  }
  out.text(`${stored}}`);
}

const NO_MATCH: Explanation = { value: 0, description: "no matching clause", details: [] };

/** Explains the one document; undefined: the query, or the alias it came by, does not let it through. */
async function explanationOf(request: ApiRequest, asked: Query): Promise<Explanation | undefined> {
  const { engine, id } = request.node;
  const { captured, task } = request;
  const { signal, memory } = task;
  const targets = searchTargets(engine, captured.index, STRICT);
  const only: Query = { kind: "ids", values: [captured.id], boost: 1 };
  // Within a filter by id nothing else is looked at; the query is the first part of what is explained.
  const query: Query = { kind: "bool", must: [asked], should: [], filter: [only], mustNot: [], boost: 1 };
  try {
    const { hits } = await engine.search(targets, { ...ONE_HIT, query, signal, memory });
    return hits[0]?.explanation?.details[0];
  } catch (error) {
    throw searchFailure(error, searchPlace(engine, targets, id));
  }
}

const ONE_HIT = {
  knn: [],
  from: 0,
  size: 1,
  sort: [],
  trackTotal: 0,
  trackScores: false,
  terminateAfter: 0,
  aggs: {},
  source: false,
  explain: true,
  highlight: [],
  docValueFields: [],
  profile: false,
};
