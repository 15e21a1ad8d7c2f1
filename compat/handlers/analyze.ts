/** `_analyze`: what becomes of a text. */
import type { AnalyzedToken, AnalyzeRequest } from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { illegalArgument, indexNotFound, parsingError, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { writeTarget } from "../indices/names.js";
import { isObject, type Json } from "../json/value.js";

export const ANALYZE_SHAPE = shape(
  "analyze",
  "object",
  {
    text: "strings",
    analyzer: "string",
    field: "string",
    tokenizer: "any",
    filter: "list",
    char_filter: "list",
    normalizer: "string",
    explain: "boolean",
  },
  ["attributes"],
);

export function analyze(request: ApiRequest, body: BodyOf<typeof ANALYZE_SHAPE>): Reply {
  if (body.text === undefined) throw validationFailed("text is missing");
  if (body.explain === true) throw illegalArgument("[explain] in [analyze] is not supported by Pinakes");
  const asked = analyzeRequest(body, body.text);
  const name = request.captured.index;
  if (name === undefined) {
    if (body.field !== undefined)
      throw illegalArgument("analyzing a field needs an index: it is not given in the path");
    return json({ tokens: request.node.engine.analyze(asked).map(printToken) });
  }
  const index = writeTarget(request.node.engine, name);
  if (index === undefined) throw indexNotFound(name);
  return json({ tokens: index.analyze(asked).map(printToken) });
}

function analyzeRequest(body: BodyOf<typeof ANALYZE_SHAPE>, text: string[]): AnalyzeRequest {
  const asked: AnalyzeRequest = { text };
  if (body.analyzer !== undefined) asked.analyzer = body.analyzer;
  if (body.field !== undefined) asked.field = body.field;
  if (body.normalizer !== undefined) asked.normalizer = body.normalizer;
  if (body.tokenizer !== undefined) asked.tokenizer = component(body.tokenizer, "tokenizer");
  if (body.filter !== undefined) asked.filter = body.filter.map((one) => component(one, "filter"));
  if (body.char_filter !== undefined) asked.charFilter = body.char_filter.map((one) => component(one, "char_filter"));
  return asked;
}

/** A name, or a definition made on the spot. */
function component(given: Json, what: string): string | Record<string, unknown> {
  if (typeof given === "string" || isObject(given)) return given;
  throw parsingError(`[${what}] must be a name or an object`, what);
}

function printToken(token: AnalyzedToken): Record<string, unknown> {
  const { startOffset, endOffset, positionLength } = token;
  return {
    token: token.token,
    start_offset: startOffset,
    end_offset: endOffset,
    type: token.type,
    position: token.position,
    ...(positionLength > 1 ? { positionLength } : {}),
  };
}
