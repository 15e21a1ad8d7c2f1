/** What processors and pipelines are. */
import type { ApiError } from "../errors.js";
import type { JsonObject } from "../json/value.js";
import type { Condition } from "./condition/compile.js";
import type { IngestDocument } from "./document/ingest-document.js";
import type { Options } from "./options.js";
import type { IngestCounts } from "./stats.js";

/**
 * What becomes of the document: `drop` ends it, `end` ends the pipeline, `reroute` ends all pipelines under way because the
 * document goes to another index, nothing goes on with the next processor.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most processors return nothing
export type Outcome = "drop" | "end" | "reroute" | void;

/** Changes a document. Throws ApiError where it cannot. */
export type Run = (document: IngestDocument, run: PipelineRun) => Outcome;

/** What processors that hold processors need. */
export interface CompileTools {
  /** Compiles one processor, `{type: options}`. */
  compileStep(given: JsonObject): Step;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Reads a processor's own options, those that all have left out; reads all there are. */
export type ProcessorType = (options: Options, tools: CompileTools) => Run;

/** A processor in its place. */
export interface Step {
  readonly type: string;
  readonly tag: string | undefined;
  readonly description: string | undefined;
  readonly condition: Condition | undefined;
  readonly ignoreFailure: boolean;
  readonly onFailure: readonly Step[];
  readonly run: Run;
  readonly counts: IngestCounts;
}

/** A pipeline that is ready to run. */
export interface Pipeline {
  readonly id: string;
  readonly steps: readonly Step[];
  readonly onFailure: readonly Step[];
  readonly counts: IngestCounts;
}

/** What became of one processor, for whoever watches (`_simulate?verbose`). */
export interface StepResult {
  readonly step: Step;
  readonly status: "success" | "error" | "error_ignored" | "skipped" | "dropped";
  readonly error?: ApiError;
}

/** One document's way through its pipelines. */
export interface PipelineRun {
  /** The pipeline of that name; undefined: there is none. */
  readonly pipeline: (id: string) => Pipeline | undefined;
  /** Told after each processor. */
  readonly watch?: (result: StepResult, document: IngestDocument) => void;
  /** Pipelines under way, the innermost last. */
  readonly active: string[];
  /** Pipelines that ran, in order. */
  readonly executed: string[];
  /** Processors that may still run. */
  readonly steps: { left: number };
}
