/** `_msearch`: several searches in one request, run beside one another. */
import { type BodyOf, readShape, shape } from "../body/shape.js";
import { splitLines } from "../bulk/lines.js";
import { illegalArgument, itemError, toApiError, validationFailed } from "../errors.js";
import { Parameters } from "../http/parameters.js";
import { type Reply, rendered } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { STRICT } from "../indices/names.js";
import { parseBody } from "../json/body.js";
import { byteWriter } from "../json/byte-writer.js";
import { isObject } from "../json/value.js";
import type { ReadSearch } from "../search/request.js";
import { SEARCH_SHAPE } from "../search/shape.js";
import { type Asked, readAsked, searchInto } from "./search.js";

const HEADER_SHAPE = shape("msearch", "object", {
  index: "strings",
  indices: "strings",
  search_type: "string",
  preference: "string",
  routing: "string",
  ignore_unavailable: "boolean",
  allow_no_indices: "boolean",
  expand_wildcards: "strings",
  request_cache: "boolean",
  ccs_minimize_roundtrips: "boolean",
  allow_partial_search_results: "boolean",
});

/** Searches of a request that run at a time unless it says how many: workers are kept busy, other requests get their turn. */
const CONCURRENT = 8;

interface Item {
  readonly asked: Asked;
  readonly read: ReadSearch;
}

/**
 * Pairs of lines, each answered with its own status, in their order. What cannot be read fails the whole request, as in
 * Elasticsearch; what cannot be searched fails alone.
 */
export async function multiSearch(request: ApiRequest, body: Buffer): Promise<Reply> {
  const lines = splitLines(body, "msearch");
  if (lines.length === 0) throw validationFailed("no requests added");
  if (lines.length % 2 === 1) throw illegalArgument("Validation Failed: the last header line has no body line");
  const concurrent = request.parameters.integer("max_concurrent_searches") ?? CONCURRENT;
  if (concurrent < 1) throw illegalArgument("maxConcurrentSearchRequests must be positive");
  const started = performance.now();
  const items: Item[] = [];
  for (let at = 0; at < lines.length; at += 2) items.push(readItem(request, [lines[at], lines[at + 1]]));
  const answers = await runAll(items, concurrent);
  const out = byteWriter();
  out.text(`{"took":${Math.round(performance.now() - started)},"responses":[`);
  for (const [at, answer] of answers.entries()) {
    if (at > 0) out.text(",");
    out.bytes(answer);
  }
  out.text("]}");
  return rendered(out.finish());
}

function readItem(request: ApiRequest, [head, body]: [Buffer, Buffer]): Item {
  const header = readShape(isBlank(head) ? {} : parseBody(head), HEADER_SHAPE);
  const parsed = parseBody(body);
  const index = header.index ?? header.indices;
  const asked: Asked = {
    request,
    body: readShape(isObject(parsed) ? parsed : {}, SEARCH_SHAPE),
    index: index?.join(",") ?? request.captured.index,
    parameters: itemParameters(request.parameters, header),
    status: 200,
  };
  return { asked, read: readAsked(asked) };
}

function isBlank(line: Buffer): boolean {
  return line.toString("latin1").trim() === "";
}

/** The answers in the order of the items; at most so many are under way. */
async function runAll(items: readonly Item[], concurrent: number): Promise<Buffer[]> {
  const answers = new Array<Buffer>(items.length);
  let next = 0;
  const runSome = async () => {
    while (next < items.length) {
      const at = next++;
      answers[at] = await runItem(items[at]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrent, items.length) }, runSome));
  return answers;
}

async function runItem({ asked, read }: Item): Promise<Buffer> {
  const out = byteWriter();
  try {
    await searchInto(out, asked, read);
    return out.finish();
  } catch (error) {
    const found = toApiError(error);
    const cause = itemError(found, asked.request.identity);
    return Buffer.from(JSON.stringify({ error: { root_cause: [cause], ...cause }, status: found.status }));
  }
}

/** A header's name options on top of the request's own parameters. */
function itemParameters(shared: Parameters, header: BodyOf<typeof HEADER_SHAPE>): Parameters {
  const values = new Map<string, string>();
  for (const name of ["typed_keys", "rest_total_hits_as_int"] as const) {
    const value = shared.text(name);
    if (value !== undefined) values.set(name, value);
  }
  const routing = header.routing ?? shared.text("routing");
  if (routing !== undefined) values.set("routing", routing);
  if (header.preference !== undefined) values.set("preference", header.preference);
  if (header.allow_partial_search_results !== undefined)
    values.set("allow_partial_search_results", String(header.allow_partial_search_results));
  const { ignoreUnavailable, allowNoIndices } = STRICT;
  values.set(
    "ignore_unavailable",
    String(header.ignore_unavailable ?? shared.boolean("ignore_unavailable", ignoreUnavailable)),
  );
  values.set("allow_no_indices", String(header.allow_no_indices ?? shared.boolean("allow_no_indices", allowNoIndices)));
  const expand = header.expand_wildcards ?? shared.list("expand_wildcards");
  if (expand !== undefined) values.set("expand_wildcards", expand.join(","));
  return new Parameters(values);
}
