/** `if` of a processor. */
import { ApiError, notSupported, toApiError } from "../../errors.js";
import { isObject, type Json } from "../../json/value.js";
import type { IngestDocument } from "../document/ingest-document.js";
import { documentValue, type ValueObject } from "../document/values.js";
import { ConditionError } from "./condition-error.js";
import { truth } from "./operators.js";
import { parseCondition } from "./parse.js";

/** A compiled condition. */
export interface Condition {
  readonly source: string;
  /** Throws ApiError 400 `script_exception`, as a script that fails. */
  holds(document: IngestDocument): boolean;
}

/** Compiles a condition: a text, or `{source, lang, params}`. Throws ApiError 400. */
export function compileCondition(given: Json): Condition {
  const { source, params } = readScript(given);
  const expression = compiled(source);
  return {
    source,
    holds: (document) => {
      try {
        return truth(expression({ document, params }));
      } catch (error) {
        if (!(error instanceof ConditionError)) throw error;
        throw scriptError("runtime error", source, { type: error.type, reason: error.message });
      }
    },
  };
}

function readScript(given: Json): { source: string; params: ValueObject } {
  if (typeof given === "string") return { source: given, params: {} };
  if (!isObject(given)) throw notSupported("[if] that is neither a text nor an object");
  const { source, inline, lang, params, ...more } = given;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw notSupported(`[${unknown}] in [if]`);
  if (lang !== undefined && lang !== "painless") throw notSupported(`[lang] with value [${String(lang)}] in [if]`);
  const text = source ?? inline;
  if (typeof text !== "string") throw notSupported("[if] without [source]");
  if (params !== undefined && !isObject(params)) throw notSupported("[params] of [if] that is no object");
  return { source: text, params: documentValue(params ?? {}) as ValueObject };
}

function compiled(source: string): ReturnType<typeof parseCondition> {
  try {
    return parseCondition(source);
  } catch (error) {
    const { type, message } = toApiError(error);
    throw scriptError(message, source, { type, reason: message });
  }
}

function scriptError(reason: string, source: string, causedBy: { type: string; reason: string }): ApiError {
  return new ApiError(400, "script_exception", reason, { fields: { script: source, lang: "painless" }, causedBy });
}
