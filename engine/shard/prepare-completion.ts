/** Values of completion fields: an input, or an object of inputs with a weight. */
import { completionKey, completionOptions, completionTerm } from "../analysis/index.js";
import { EngineError } from "../errors.js";
import { MAX_TERM_BYTES } from "../memtable/prepared.js";
import { type RecordOutput, writeTermBytes } from "./prepare-output.js";
import type { FieldNode } from "./prepare-plan.js";

/** Weight of an input that is given none, as in Elasticsearch. */
const USUAL_WEIGHT = 1;

/** Inputs and the weight they share. */
export interface CompletionEntry {
  readonly inputs: readonly string[];
  readonly weight: number;
}

/** Writes the term of one input. Throws invalid_value. */
export function writeCompletion(output: RecordOutput, node: FieldNode, input: string, weight = USUAL_WEIGHT): void {
  if (!node.field.inverted || node.analyzer === null) return;
  const key = completionKey(node.analyzer, input, completionOptions(node.mapping));
  const term = completionTerm(key, input, weight);
  if (term.length > MAX_TERM_BYTES) {
    throw new EngineError("invalid_value", `an input of ${input.length} characters is too long for a completion field`);
  }
  writeTermBytes(output, node.field.ordinal, term);
}

/** Reads `{"input": ..., "weight": ...}`. Throws invalid_value. */
export function readCompletionEntry(path: string, json: string): CompletionEntry {
  const given = JSON.parse(json) as Record<string, unknown>;
  const unknown = Object.keys(given).find((key) => key !== "input" && key !== "weight");
  if (unknown === "contexts") throw refused(`Contexts are not enabled for field: [${path}]`);
  if (unknown !== undefined) throw refused(`unknown field name [${unknown}], must be one of [input, weight, contexts]`);
  const inputs = [given.input ?? []].flat();
  for (const input of inputs) {
    if (typeof input !== "string") throw refused("input array must have string or null values, but was an object");
  }
  return { inputs: inputs as string[], weight: weightOf(given.weight ?? USUAL_WEIGHT) };
}

/** A whole number, or one written as a string. */
function weightOf(given: unknown): number {
  if (typeof given === "number" && Number.isInteger(given)) return given;
  if (typeof given === "string" && /^[+-]?\d+$/.test(given)) return Number(given);
  if (typeof given === "string") throw refused(`weight must be an integer, but was [${given}]`);
  throw refused("weight must be a number or string, but was something else");
}

function refused(message: string): EngineError {
  return new EngineError("invalid_value", message);
}
