/** `/_code/search`: a code query over HTTP, thin over `_search`. */

import {
  type CodeQuery,
  CommitQueryError,
  GlobError,
  patternError,
  QueryError,
  readQuery,
  ScopeError,
  type SearchRequest,
  termError,
  toSearchRequest,
  unknownValues,
  type ValuesAnswer,
} from "../../code/index.js";
import {
  ApiError,
  type ApiRequest,
  askMadeSearch,
  type BodyOf,
  endpoint,
  illegalArgument,
  madeSearch,
  type Reply,
  type Row,
  shape,
  tokenName,
} from "../../compat/index.js";

const SHAPE = shape("code_search", "object", {
  query: "any",
  from: "integer",
  size: "integer",
  explain: "boolean",
});

const DEFAULT_SIZE = 10;

/**
 * Rows of the endpoint. `{"query", "size", "from", "explain"}` gives the answer of the `_search` that the query means, with
 * that request as `request` before it, and `notes` on what the query names and the index has nothing of. `explain` asks `_search` for the parts of every score.
 */
export const CODE_SEARCH_ROWS: readonly Row[] = endpoint("code_search", "GET,POST /_code/search", {
  status: "full",
  missing: "",
  parameters: [],
  body: SHAPE,
  privilege: "read",
  handler: codeSearch,
});

async function codeSearch(request: ApiRequest, body: BodyOf<typeof SHAPE>): Promise<Reply> {
  const { query, from = 0, size = DEFAULT_SIZE, explain = false } = body;
  if (query === undefined) throw illegalArgument("[query] is missing");
  if (typeof query !== "string") {
    const reason = `[code_search] query is a text, such as "timeout lang:go", not of type: ${tokenName(query)}`;
    throw new ApiError(400, "x_content_parse_exception", reason);
  }
  const made = madeOf(query, { from, size });
  const sent = explain ? { ...made.body, explain } : made.body;
  const { index } = made;
  const shown = { method: "POST", path: `/${index}/_search`, body: sent };
  try {
    const notes = await unknownValues(made.query, async (index, body) => {
      return (await askMadeSearch(request, { index, body: asJson(body) })) as unknown as ValuesAnswer;
    });
    const first = { request: asJson(shown), ...(notes.length === 0 ? {} : { notes }) };
    // The body is JSON by its making, but its parts are typed for reading only.
    return await madeSearch(request, { index, body: asJson(sent) }, first);
  } catch (error) {
    const said = error instanceof ApiError ? (error.extra.rootCause?.reason ?? error.message) : "";
    const fault = patternError(query, said);
    throw fault === undefined ? error : faultOf(fault);
  }
}

function faultOf({ message, column }: QueryError, type = "parsing_exception"): ApiError {
  return new ApiError(400, type, message, { fields: { line: 1, col: column } });
}

function madeOf(text: string, page: { from: number; size: number }): SearchRequest & { query: CodeQuery } {
  try {
    const query = readQuery(text);
    return { query, ...toSearchRequest(query, { ...page, words: "all" }) };
  } catch (error) {
    if (error instanceof QueryError) throw faultOf(error);
    const refused = termError(text, error);
    if (refused !== undefined) throw faultOf(refused, "illegal_argument_exception");
    const isRefusal = error instanceof CommitQueryError || error instanceof GlobError || error instanceof ScopeError;
    throw isRefusal ? illegalArgument(error.message) : error;
  }
}

function asJson(value: object): Parameters<typeof madeSearch>[1]["body"] {
  return JSON.parse(JSON.stringify(value));
}
