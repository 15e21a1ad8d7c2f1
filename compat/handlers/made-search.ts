import { readShape } from "../body/shape.js";
import { Parameters } from "../http/parameters.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { JsonObject } from "../json/value.js";
import { SEARCH_SHAPE } from "../search/shape.js";
import { search } from "./search.js";

/** A `_search` that a native endpoint has made out of its request. */
export interface MadeSearch {
  readonly index: string;
  readonly body: JsonObject;
}

const PARAMETERS = new Parameters(new Map([["ignore_unavailable", "true"]]));

/** The answer of a made `_search`, for the endpoint to read. An index that is not there has no hits. */
export async function askMadeSearch(request: ApiRequest, made: MadeSearch): Promise<JsonObject> {
  return JSON.parse(Buffer.from(await answer(request, made)).toString("utf8"));
}

/**
 * Answers a made `_search` as if it had been sent, with `first` before its members. An index that is not there has no hits.
 */
export async function madeSearch(request: ApiRequest, made: MadeSearch, first: JsonObject): Promise<Reply> {
  const json = await answer(request, made);
  const members = JSON.stringify(first).slice(0, -1);
  return rendered(Buffer.concat([Buffer.from(`${members},`), Buffer.from(json).subarray(1)]));
}

async function answer(request: ApiRequest, made: MadeSearch) {
  const sent = { ...request, captured: { index: made.index }, parameters: PARAMETERS };
  const { body } = await search(sent, readShape(made.body, SEARCH_SHAPE));
  if (body.kind !== "rendered") throw new TypeError(`a search answers with rendered JSON, not with ${body.kind}`);
  return body.json;
}
