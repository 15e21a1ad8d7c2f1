/** `_analyze`: what becomes of a text. */
import type {
  AnalysisExplanation,
  AnalyzedStage,
  AnalyzedToken,
  AnalyzeRequest,
  EngineFace,
  Index,
} from "../../engine/index.js";
import { type BodyOf, shape } from "../body/shape.js";
import { ApiError, illegalArgument, indexClosed, indexNotFound, parsingError, validationFailed } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { unblocked } from "../indices/blocks.js";
import { concreteName } from "../indices/date-math.js";
import { writeIndex } from "../indices/names.js";
import { isObject, type Json } from "../json/value.js";

export const ANALYZE_SHAPE = shape("analyze", "object", {
  text: "strings",
  analyzer: "string",
  field: "string",
  tokenizer: "any",
  filter: "list",
  char_filter: "list",
  normalizer: "string",
  explain: "boolean",
  attributes: "strings",
});

const USUAL_TOKENS = 10_000;

/** `GET /_analyze` */
export function analyze(request: ApiRequest, body: BodyOf<typeof ANALYZE_SHAPE>): Reply {
  if (body.text === undefined) throw validationFailed("text is missing");
  const asked = analyzeRequest(body, body.text);
  const name = request.captured.index;
  if (name === undefined && body.field !== undefined) {
    throw illegalArgument("analyzing a field needs an index: it is not given in the path");
  }
  const index = name === undefined ? undefined : analyzedIndex(request.node.engine, name);
  const limit = Number(index?.definition.settings["analyze.max_token_count"] ?? USUAL_TOKENS);
  const where = index ?? request.node.engine;
  if (body.explain !== true) return json({ tokens: limited(where.analyze(asked), limit).map(printToken) });
  return json({ detail: printExplanation(where.explainAnalysis(asked), { limit, attributes: body.attributes }) });
}

/** Throws ApiError 404, 400 for a closed index, 403 for one that may not be read. */
function analyzedIndex(engine: EngineFace, given: string): Index {
  const name = concreteName(engine, given);
  const index = writeIndex(engine, name);
  if (index === undefined) throw indexNotFound(name);
  if (index.definition.closed === true) throw indexClosed(index);
  return unblocked([index], "read")[0];
}

/** Throws ApiError 400 for more tokens than the index allows. */
function limited(tokens: AnalyzedToken[], limit: number): AnalyzedToken[] {
  if (tokens.length <= limit) return tokens;
  throw new ApiError(
    400,
    "illegal_state_exception",
    `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${limit}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
  );
}

interface Explaining {
  readonly limit: number;
  /** Only these of the further attributes; absent: all. */
  readonly attributes: string[] | undefined;
}

function printExplanation(explained: AnalysisExplanation, options: Explaining): Record<string, unknown> {
  const stage = ({ name, tokens }: AnalyzedStage) => ({
    name,
    tokens: limited(tokens, options.limit).map((token) => printDetail(token, options)),
  });
  if ("analyzer" in explained) return { custom_analyzer: false, analyzer: stage(explained.analyzer) };
  const { charFilters, tokenizer, filters } = explained;
  return {
    custom_analyzer: true,
    ...(charFilters.length === 0
      ? {}
      : { charfilters: charFilters.map(({ name, texts }) => ({ name, filtered_text: texts })) }),
    tokenizer: stage(tokenizer),
    ...(filters.length === 0 ? {} : { tokenfilters: filters.map(stage) }),
  };
}

function printDetail(token: AnalyzedToken, { attributes }: Explaining): Record<string, unknown> {
  const bytes = [...Buffer.from(token.token)].map((byte) => byte.toString(16));
  const further = { bytes: `[${bytes.join(" ")}]`, positionLength: token.positionLength, termFrequency: 1 };
  const wanted = attributes?.map((name) => name.toLowerCase());
  const shown = Object.entries(further).filter(([name]) => wanted?.includes(name.toLowerCase()) ?? true);
  const { positionLength: _shownBelow, ...usual } = printToken(token);
  return { ...usual, ...Object.fromEntries(shown) };
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
