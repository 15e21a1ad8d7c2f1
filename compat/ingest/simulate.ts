/** `_simulate`: documents through a pipeline, without writing them. */
import { ApiError, errorObject, illegalArgument, toApiError } from "../errors.js";
import type { Identity } from "../identities.js";
import { Exact } from "../json/print.js";
import { isObject, type Json, type JsonObject } from "../json/value.js";
import { timestampOf } from "./apply.js";
import { IngestDocument } from "./document/ingest-document.js";
import { documentValue, printValue, textOf, type ValueObject } from "./document/values.js";
import { asRefusal } from "./limits.js";
import { configError, Options } from "./options.js";
import type { Pipeline, StepResult } from "./processor.js";
import { newRun, ProcessorFailure, runPipeline } from "./run.js";
import type { Pipelines } from "./store.js";

/** What is simulated. */
export interface Simulation {
  readonly pipelines: Pipelines;
  readonly pipeline: Pipeline;
  readonly verbose: boolean;
  readonly identity: Identity;
  /** Characters that the documents of the answer may still have. */
  readonly room: { left: number };
}

/** Where documents are simulated. */
interface Place {
  readonly now: () => number;
  readonly maxContentBytes: number;
}

/** Reads `docs`. Throws ApiError 400. */
export function readDocuments(docs: Json | undefined, place: Place): IngestDocument[] {
  const options = new Options(docs === undefined ? {} : { docs }, {});
  const list = options.list("docs");
  if (list.length === 0)
    throw new ApiError(400, "illegal_argument_exception", "must specify at least one document in [docs]");
  return list.map((given) => {
    if (!isObject(given)) throw configError("malformed [docs] section, should include an inner object", {});
    return readDocument(given, place);
  });
}

function readDocument(given: JsonObject, { now, maxContentBytes }: Place): IngestDocument {
  const options = new Options(given, {});
  const source = options.object("_source");
  const metadata: ValueObject = {
    _index: scalar(options, "_index") ?? "_index",
    _id: scalar(options, "_id") ?? "_id",
  };
  const routing = scalar(options, "_routing") ?? scalar(options, "routing");
  if (routing !== undefined) metadata._routing = routing;
  for (const name of ["_version", "_version_type", "_if_seq_no", "_if_primary_term"]) {
    const value = options.optional(name);
    if (value !== undefined) metadata[name] = documentValue(value);
  }
  return new IngestDocument(documentValue(source) as ValueObject, metadata, timestampOf(now()), maxContentBytes);
}

function scalar(options: Options, name: string): string | undefined {
  const value = options.optional(name);
  return value === undefined ? undefined : textOf(documentValue(value));
}

/** Each document with what became of it, as the answer lists them. */
export function simulate(simulation: Simulation, document: IngestDocument): unknown {
  const results: unknown[] = [];
  const watch = (result: StepResult, at: IngestDocument) => {
    // What does not fit is told of at the end: a processor's failure would be handled by others.
    if (simulation.room.left >= 0) results.push(printResult(simulation, result, at));
  };
  const run = newRun((id) => simulation.pipelines.get(id), simulation.verbose ? watch : undefined);
  try {
    const outcome = runPipeline(simulation.pipeline, document, run);
    if (outcome === "drop" && !simulation.verbose) return null;
    const shown = simulation.verbose ? { processor_results: results } : { doc: printDocument(document, simulation) };
    if (simulation.room.left < 0) throw illegalArgument("the documents of this simulation are too large to be shown");
    return shown;
  } catch (thrown) {
    const told = simulation.verbose && simulation.room.left >= 0;
    if (told && thrown instanceof ProcessorFailure) return { processor_results: results };
    const error = thrown instanceof ProcessorFailure ? thrown.error : toApiError(asRefusal(thrown));
    return { error: errorObject(error, simulation.identity) };
  }
}

function printResult(simulation: Simulation, { step, status, error }: StepResult, at: IngestDocument): unknown {
  const shown = step.type !== "pipeline" && (status === "success" || status === "error_ignored");
  const { condition } = step;
  const { identity } = simulation;
  return {
    processor_type: step.type,
    status,
    ...(step.description === undefined ? {} : { description: step.description }),
    ...(step.tag === undefined ? {} : { tag: step.tag }),
    ...(condition === undefined ? {} : { if: { condition: condition.source, result: status !== "skipped" } }),
    ...(error === undefined || status === "error" ? {} : { ignored_error: { error: errorObject(error, identity) } }),
    ...(error === undefined || status !== "error" ? {} : { error: errorObject(error, identity) }),
    ...(shown ? { doc: printDocument(at, simulation) } : {}),
  };
}

/** A document as it is now. */
function printDocument(
  { metadata, source, notes }: IngestDocument,
  { identity: { distribution }, room }: Simulation,
): Record<string, unknown> {
  const version = distribution === undefined && metadata._version === undefined ? { _version: "-3" } : {};
  const shown = Object.entries(metadata).map(([name, value]) => [name, value === null ? null : textOf(value)]);
  const printed = printValue(source);
  const noted = printValue(notes);
  room.left -= printed.length + noted.length;
  return {
    ...Object.fromEntries(shown),
    ...version,
    _source: new Exact(printed),
    _ingest: new Exact(noted),
  };
}
