/** Pipelines before a write: which ones apply, and what they make of the operation. */
import type { WriteOperation } from "../../engine/index.js";
import { dateFormat, resolveDateMath, timeZone } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { isUtf8Text } from "../json/body.js";
import { JsonSyntaxError } from "../json/parse.js";
import { IngestDocument } from "./document/ingest-document.js";
import {
  isValueObject,
  numberOf,
  parseValue,
  printValue,
  textOf,
  type Value,
  type ValueObject,
} from "./document/values.js";
import { asRefusal } from "./limits.js";
import type { PipelineRun } from "./processor.js";
import { newRun, type PipelineOutcome, ProcessorFailure, runPipeline } from "./run.js";
import { counted } from "./stats.js";
import type { Pipelines } from "./store.js";
import { settingsOf, type Writer } from "./target-settings.js";

/** The word that means no pipeline. */
const NONE = "_none";

/** Pipelines for a document, undefined: none. */
export interface PipelineNames {
  readonly main: string | undefined;
  readonly final: string | undefined;
}

/** What became of an operation. */
export type Ingested =
  | {
      readonly kind: "kept";
      readonly name: string;
      readonly operation: WriteOperation;
      readonly executed: readonly string[];
    }
  | { readonly kind: "dropped"; readonly executed: readonly string[] };

/** Which pipelines a write to a name goes through; undefined when there are none. `requested`: what the request says. */
export function pipelinesFor(writer: Writer, name: string, requested: string | undefined): PipelineNames | undefined {
  const settings = settingsOf(writer, name);
  const main = named(requested ?? settings.default_pipeline);
  const final = named(settings.final_pipeline);
  return main === undefined && final === undefined ? undefined : { main, final };
}

function named(pipeline: string | undefined): string | undefined {
  return pipeline === NONE || pipeline === "" ? undefined : pipeline;
}

/** A write to a name. */
export interface NamedOperation {
  readonly name: string;
  readonly operation: WriteOperation;
}

/** Sends an operation through pipelines; deletes go through none. Throws ApiError where a processor fails. */
export function ingest(writer: Writer, given: NamedOperation, names: PipelineNames): Ingested {
  const { operation, name } = given;
  if (operation.kind === "delete") return { kind: "kept", name, operation, executed: [] };
  if (operation.kind === "update") return ingestUpdate(writer, { name, operation }, names);
  return ingestSource(writer, { name, operation }, names);
}

/** Of an update, what is indexed when there is no document. */
function ingestUpdate(
  writer: Writer,
  { name, operation }: { name: string; operation: Extract<WriteOperation, { kind: "update" }> },
  names: PipelineNames,
): Ingested {
  const part = operation.docAsUpsert ? "doc" : "upsert";
  const source = operation[part];
  if (!(source instanceof Uint8Array)) return { kind: "kept", name, operation, executed: [] };
  const { id, routing } = operation;
  const made = ingestSource(
    writer,
    { name, operation: { kind: "index", source, id, ...(routing === undefined ? {} : { routing }) } },
    names,
  );
  if (made.kind === "dropped") return made;
  if (made.name !== name || made.operation.id !== id) {
    throw illegalArgument("a pipeline that changes [_index] or [_id] of an update is not supported by Pinakes");
  }
  const changed = (made.operation as { source: Uint8Array }).source;
  return { kind: "kept", name, operation: { ...operation, [part]: changed }, executed: made.executed };
}

type IndexOperation = Extract<WriteOperation, { kind: "index" | "create" }>;

function ingestSource(
  writer: Writer,
  { name, operation }: { name: string; operation: IndexOperation },
  names: PipelineNames,
): Ingested {
  const { pipelines } = writer.node;
  const document = new IngestDocument(
    readSource(operation.source),
    metadataOf(name, operation),
    timestampOf(pipelines.now()),
    writer.node.maxContentBytes,
  );
  const run = newRun((id) => pipelines.get(id));
  return counted(pipelines.totals, () => {
    if (runMain(writer, { name, main: names.main }, { document, run }) === "drop") {
      return { kind: "dropped", executed: run.executed };
    }
    const target = indexOf(document, pipelines.now());
    // The final pipeline is that of the index that the document goes to now.
    const final = target === name ? names.final : named(settingsOf(writer, target).final_pipeline);
    if (runNamed(pipelines, final, { document, run }) === "drop") return { kind: "dropped", executed: run.executed };
    const reached = indexOf(document, pipelines.now());
    if (final !== undefined && reached !== target) {
      const id = textOf(document.metadata._id ?? null);
      throw illegalArgument(
        `final pipeline [${final}] can't change the target index (from [${target}] to [${reached}]) for document [${id}]`,
      );
    }
    return { kind: "kept", name: target, operation: printed(operation, document), executed: run.executed };
  });
}

interface Running {
  readonly document: IngestDocument;
  readonly run: PipelineRun;
}

/** The main pipeline, and after a `reroute` that of the index it leads to, and so on. */
function runMain(
  writer: Writer,
  { name, main }: { name: string; main: string | undefined },
  running: Running,
): PipelineOutcome {
  const { pipelines } = writer.node;
  const visited = [name];
  let outcome = runNamed(pipelines, main, running);
  while (outcome === "reroute") {
    const next = indexOf(running.document, pipelines.now());
    if (visited.includes(next)) {
      const id = textOf(running.document.metadata._id ?? null);
      const way = [...visited, next].map((one) => `[${one}]`).join(" -> ");
      throw illegalArgument(`index cycle detected while processing pipelines for document [${id}]: ${way}`);
    }
    visited.push(next);
    outcome = runNamed(pipelines, named(settingsOf(writer, next).default_pipeline), running);
  }
  return outcome;
}

function runNamed(pipelines: Pipelines, id: string | undefined, { document, run }: Running): PipelineOutcome {
  if (id === undefined) return "go on";
  const pipeline = pipelines.get(id);
  if (pipeline === undefined) throw illegalArgument(`pipeline with id [${id}] does not exist`);
  try {
    return runPipeline(pipeline, document, run);
  } catch (error) {
    throw error instanceof ProcessorFailure ? error.error : error;
  }
}

/** ISO 8601, as `_ingest.timestamp` reads. */
export function timestampOf(millis: number): string {
  return new Date(millis).toISOString();
}

function readSource(source: Uint8Array): ValueObject {
  const value = parseSource(source);
  if (isValueObject(value)) return value;
  throw new ApiError(400, "parse_exception", "Failed to parse content to map: the document is no object");
}

function parseSource(source: Uint8Array): Value {
  if (!isUtf8Text(source)) throw new ApiError(400, "json_parse_exception", "[1:1] Invalid UTF-8 in the document");
  try {
    return parseValue(Buffer.from(source.buffer, source.byteOffset, source.length).toString());
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const cause = { type: "json_parse_exception", reason: `[${error.line}:${error.column}] ${error.message}` };
    throw new ApiError(400, "parse_exception", "Failed to parse content to map", { causedBy: cause });
  }
}

function metadataOf(name: string, { id, routing, version, ifSeqNo, ifPrimaryTerm }: IndexOperation): ValueObject {
  return {
    _index: name,
    ...(id === undefined ? {} : { _id: id }),
    ...(routing === undefined ? {} : { _routing: routing }),
    ...(version === undefined ? {} : { _version: version.value, _version_type: version.type }),
    ...(ifSeqNo === undefined ? {} : { _if_seq_no: ifSeqNo, _if_primary_term: ifPrimaryTerm ?? 0 }),
  };
}

/** As `written`; what cannot be printed is refused. */
function printed(operation: IndexOperation, document: IngestDocument): IndexOperation {
  try {
    return written(operation, document);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The operation as its document and metadata are now. */
function written(operation: IndexOperation, document: IngestDocument): IndexOperation {
  const { _id, _routing, _version, _version_type, _if_seq_no, _if_primary_term } = document.metadata;
  const made: IndexOperation = { kind: operation.kind, source: Buffer.from(printValue(document.source)) };
  if (_id !== undefined && _id !== null) made.id = textOf(_id);
  if (_routing !== undefined && _routing !== null) made.routing = textOf(_routing);
  const version = numberOf(_version);
  if (version !== undefined) {
    const type = textOf(_version_type ?? "internal");
    if (type !== "external" && type !== "external_gte") {
      throw illegalArgument(
        `[_version] with [_version_type] [${type}] from a pipeline is not supported by Pinakes: use external`,
      );
    }
    made.version = { value: version, type };
  }
  const [seqNo, term] = [numberOf(_if_seq_no), numberOf(_if_primary_term)];
  if (seqNo !== undefined && term !== undefined) Object.assign(made, { ifSeqNo: seqNo, ifPrimaryTerm: term });
  return made;
}

const DATE_MATH = /^<(.*)\{([^|{}]+)\|\|(\/[yMwdhms])\{([^|{}]+)\|([^{}]+)\}\}>$/s;

/** The index that a document goes to: names that `date_index_name` makes are resolved. */
function indexOf(document: IngestDocument, now: number): string {
  const { _index } = document.metadata;
  if (typeof _index !== "string" || _index === "") throw illegalArgument("_index must be a text that is not empty");
  const match = DATE_MATH.exec(_index);
  if (match === null) return _index;
  const [, prefix, date, rounding, pattern, zoneName] = match;
  const format = dateFormat(pattern);
  const zone = timeZone(zoneName);
  const millis = resolveDateMath(`${date}||${rounding}`, { format, zone, now, rounding: "down" });
  return prefix + format.print(millis, zone);
}
