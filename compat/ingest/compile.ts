/** A pipeline from its configuration. Throws ApiError 400 for what cannot be. */
import { ApiError, notSupported, toApiError } from "../errors.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { compileCondition } from "./condition/compile.js";
import { configError, Options } from "./options.js";
import type { CompileTools, Pipeline, Step } from "./processor.js";
import { NOT_BUILT_PROCESSORS, PROCESSORS } from "./processors/table.js";
import { newCounts } from "./stats.js";

/** Compiles a pipeline. */
export function compilePipeline(id: string, config: JsonObject, now: () => number): Pipeline {
  const options = new Options(config, {});
  options.optionalString("description");
  const version = options.optional("version");
  if (version !== undefined) new Options({ version }, {}).integer("version", 0);
  options.optionalObject("_meta");
  const deprecated = options.boolean("deprecated", false);
  if (deprecated) throw notSupported("[deprecated] of a pipeline");
  const tools: CompileTools = { now, compileStep: (given) => compileStep(given, tools) };
  const steps = compileSteps(options.list("processors"), "processors", tools);
  const failing = options.optionalList("on_failure");
  if (failing?.length === 0) throw configError("processors list cannot be empty", {}, "on_failure");
  const onFailure = compileSteps(failing ?? [], "on_failure", tools);
  if (options.left.length > 0) {
    const names = options.left.join(", ");
    throw configError(`pipeline [${id}] doesn't support one or more provided configuration parameters [${names}]`, {});
  }
  return { id, steps, onFailure, counts: newCounts() };
}

function compileSteps(list: readonly Json[], property: string, tools: CompileTools): Step[] {
  return list.map((given) => {
    if (!isObject(given)) throw configError("property isn't a list of processors", {}, property);
    return compileStep(given, tools);
  });
}

/** Compiles `{type: options}`, several of which in one object are one after the other in Elasticsearch too. */
function compileStep(given: JsonObject, tools: CompileTools): Step {
  const entries = Object.entries(given);
  if (entries.length !== 1) {
    throw configError(
      `a processor is an object with one type, found [${entries.map(([type]) => type).join(", ")}]`,
      {},
    );
  }
  const [type, config] = entries[0];
  const make = Object.hasOwn(PROCESSORS, type) ? PROCESSORS[type] : undefined;
  if (make === undefined) throw unknownType(type);
  if (!isObject(config)) throw configError("property isn't a map", {}, type);
  const tag = typeof config.tag === "string" ? config.tag : undefined;
  const owner = { processor: type, ...(tag === undefined ? {} : { tag }) };
  const options = new Options(config, owner);
  options.optionalString("tag");
  const failing = options.optionalList("on_failure");
  if (failing?.length === 0) throw options.error("on_failure", "processors list cannot be empty");
  const step = {
    type,
    tag,
    description: options.optionalString("description"),
    condition: readCondition(options),
    ignoreFailure: options.boolean("ignore_failure", false),
    onFailure: compileSteps(failing ?? [], "on_failure", tools),
    run: ofOwner(owner, () => make(options, tools)),
    counts: newCounts(),
  };
  if (options.left.length === 0) return step;
  const names = options.left.join(", ");
  throw configError(
    `processor [${type}] doesn't support one or more provided configuration parameters [${names}]`,
    owner,
  );
}

function readCondition(options: Options): Step["condition"] {
  const given = options.optional("if");
  return given === undefined ? undefined : ofOwner(options.owner, () => compileCondition(given));
}

/** Says of every refusal whose it is. */
function ofOwner<T>(owner: Options["owner"], make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw withOwner(toApiError(error), owner);
  }
}

function withOwner(error: ApiError, { processor, tag }: Options["owner"]): ApiError {
  if (error.status >= 500 || error.extra.fields?.processor_type !== undefined) return error;
  const fields = {
    ...error.extra.fields,
    processor_type: processor ?? "",
    ...(tag === undefined ? {} : { processor_tag: tag }),
  };
  return new ApiError(error.status, error.type, error.message, { ...error.extra, fields });
}

function unknownType(type: string): ApiError {
  if (NOT_BUILT_PROCESSORS.includes(type)) return notSupported(`processor [${type}]`);
  return configError(`No processor type exists with name [${type}]`, { processor: type });
}
