/** `foreach`: one processor for each item of a list or member of an object, which it finds in `_ingest._value`. */
import { illegalArgument } from "../../errors.js";
import { setMember } from "../../json/value.js";
import type { IngestDocument } from "../document/ingest-document.js";
import { isValueObject, javaType, type Value, type ValueObject } from "../document/values.js";
import type { Options } from "../options.js";
import type { CompileTools, Outcome, PipelineRun, Run, Step } from "../processor.js";
import { runStep } from "../run.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function foreach(options: Options, tools: CompileTools): Run {
  const field = options.path("field");
  const ignoreMissing = options.boolean("ignore_missing", false);
  const step = tools.compileStep(options.object("processor"));
  return (document, run) => {
    const path = field(document);
    const value = ignoreMissing ? (document.lookUp(path) ?? null) : document.get(path);
    if (value === null) {
      if (ignoreMissing) return undefined;
      throw illegalArgument(`field [${path.text}] is null, cannot loop over its elements.`);
    }
    const each = eachOf(value, document, (one) => runOne(step, { ...one, document, run }));
    if (each === undefined) {
      throw illegalArgument(`field [${path.text}] of type [${javaType(value)}] cannot be cast to a list or map`);
    }
    if (each.outcome === undefined) document.set(path, each.value);
    return each.outcome;
  };
}

interface One {
  readonly value: Value;
  readonly key: string | undefined;
}

type Each = { readonly value: Value; readonly outcome: Outcome };

/** The changed list or object; undefined for anything else. */
function eachOf(
  value: Value,
  document: IngestDocument,
  work: (one: One) => { one: One; outcome: Outcome },
): Each | undefined {
  const before = { _value: document.notes._value, _key: document.notes._key };
  try {
    if (Array.isArray(value)) return eachItem(value, work);
    return isValueObject(value) ? eachMember(value, work) : undefined;
  } finally {
    for (const [name, old] of Object.entries(before)) {
      if (old === undefined) delete document.notes[name];
      else document.notes[name] = old;
    }
  }
}

function eachItem(items: readonly Value[], work: (one: One) => { one: One; outcome: Outcome }): Each {
  const changed: Value[] = [];
  for (const item of items) {
    const { one, outcome } = work({ value: item, key: undefined });
    if (outcome !== undefined) return { value: changed, outcome };
    changed.push(one.value);
  }
  return { value: changed, outcome: undefined };
}

function eachMember(object: ValueObject, work: (one: One) => { one: One; outcome: Outcome }): Each {
  const changed: ValueObject = {};
  for (const [key, member] of Object.entries(object)) {
    const { one, outcome } = work({ value: member, key });
    if (outcome !== undefined) return { value: changed, outcome };
    if (one.key !== undefined && one.key !== "") setMember(changed, one.key, one.value);
  }
  return { value: changed, outcome: undefined };
}

function runOne(
  step: Step,
  { value, key, document, run }: One & { document: IngestDocument; run: PipelineRun },
): { one: One; outcome: Outcome } {
  document.notes._value = value;
  if (key === undefined) delete document.notes._key;
  else document.notes._key = key;
  const { pipeline, active, executed, steps } = run;
  const outcome = runStep(step, document, { pipeline, active, executed, steps });
  const after = document.notes._key;
  return { one: { value: document.notes._value ?? null, key: typeof after === "string" ? after : undefined }, outcome };
}
