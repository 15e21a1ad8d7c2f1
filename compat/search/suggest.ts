/** `suggest` of a `_search` body: completions of prefixes. Suggesters of terms and phrases are refused by name. */
import type { CompletionOption, CompletionRequest, EngineFace, PinnedReaders } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import type { ApiRequest } from "../http/request.js";
import type { ShardTarget } from "../indices/shards.js";
import { double, printJson } from "../json/print.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";

/** One suggestion by its name. */
export interface ReadSuggestion {
  readonly name: string;
  readonly request: CompletionRequest;
}

const COMPLETION = shape(
  "completion",
  "object",
  { field: "string", size: "integer", skip_duplicates: "boolean", analyzer: "string" },
  ["fuzzy", "contexts", "context", "shard_size"],
);
const USUAL_SIZE = 5;
const REFUSED = ["term", "phrase"];

/** Reads the suggestions; a `text` beside them is for those without one. Throws ApiError 400. */
export function readSuggestions(given: JsonObject): ReadSuggestion[] {
  const { text, ...named } = given;
  return Object.entries(named).map(([name, body]) => readOne(name, body, text));
}

function readOne(name: string, body: Json, shared: Json | undefined): ReadSuggestion {
  if (!isObject(body)) throw parsingError(`suggestion [${name}] must be an object`, name);
  const { text = shared, prefix, ...kinds } = body;
  const [kind, ...others] = Object.keys(kinds);
  if (kind === "regex") throw notSupported("[regex] in [suggest]");
  if (kind === undefined) throw illegalArgument(`suggestion [${name}] misses its suggester, such as [completion]`);
  if (REFUSED.includes(kind)) throw notSupported(`[${kind}] suggester`);
  if (kind !== "completion") throw parsingError(`unknown suggester [${kind}] in [${name}]`, kind);
  if (others.length > 0) throw parsingError(`suggestion [${name}] has a further key [${others[0]}]`, others[0]);
  const { field, size, skip_duplicates, analyzer } = readShape(kinds[kind], COMPLETION);
  if (field === undefined) throw illegalArgument("the required field option is missing");
  if (size !== undefined && size <= 0) throw illegalArgument("size must be positive");
  const asked = prefix ?? text;
  if (asked === undefined || asked === null) throw illegalArgument("The required text option is missing");
  return {
    name,
    request: {
      field,
      prefix: String(asked),
      size: size ?? USUAL_SIZE,
      skipDuplicates: skip_duplicates ?? false,
      ...(analyzer === undefined ? {} : { analyzer }),
    },
  };
}

/** Finds and prints what is suggested. */
export async function suggest(
  { node, task, parameters }: Pick<ApiRequest, "node" | "task" | "parameters">,
  targets: readonly ShardTarget[] | PinnedReaders,
  suggestions: readonly ReadSuggestion[],
): Promise<string> {
  const engine: EngineFace = node.engine;
  const found = await engine.complete(
    targets,
    suggestions.map(({ request }) => request),
    task.memory,
  );
  const typed = parameters.boolean("typed_keys", false) ? "completion#" : "";
  const printed = suggestions.map(({ name, request }, at) => {
    const entry = `{"text":${JSON.stringify(request.prefix)},"offset":0,"length":${request.prefix.length},"options":[${found[at].map(printOption).join(",")}]}`;
    return `${JSON.stringify(typed + name)}:[${entry}]`;
  });
  return `{${printed.join(",")}}`;
}

function printOption({ text, index, id, weight, source }: CompletionOption): string {
  const head = printJson({ text, _index: index, _id: id, _score: double(weight) }).slice(0, -1);
  return `${head},"_source":${Buffer.from(source).toString("utf8")}}`;
}
