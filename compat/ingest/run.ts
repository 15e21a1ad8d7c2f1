/** Running pipelines: processors in order, what to do when one fails, and who is told. */
import { type ApiError, illegalArgument, toApiError } from "../errors.js";
import type { IngestDocument } from "./document/ingest-document.js";
import { asRefusal, MAX_STEPS, StepsSpent } from "./limits.js";
import type { Outcome, Pipeline, PipelineRun, Step } from "./processor.js";
import { counted } from "./stats.js";

/** A processor failed and nobody took care of it. */
export class ProcessorFailure extends Error {
  constructor(
    readonly error: ApiError,
    readonly step: Step,
    readonly pipeline: string,
  ) {
    super(error.message);
    this.name = "ProcessorFailure";
  }
}

/** A run that has not begun. */
export function newRun(pipeline: PipelineRun["pipeline"], watch?: PipelineRun["watch"]): PipelineRun {
  return { pipeline, watch, active: [], executed: [], steps: { left: MAX_STEPS } };
}

/** What a pipeline says of its document. */
export type PipelineOutcome = "drop" | "reroute" | "go on";

/** Runs a pipeline. Throws ProcessorFailure. */
export function runPipeline(pipeline: Pipeline, document: IngestDocument, run: PipelineRun): PipelineOutcome {
  if (run.active.includes(pipeline.id)) throw illegalArgument(`Cycle detected for pipeline: ${pipeline.id}`);
  run.active.push(pipeline.id);
  run.executed.push(pipeline.id);
  const outer = document.notes.pipeline;
  document.notes.pipeline = pipeline.id;
  try {
    const outcome = counted(pipeline.counts, () => guarded(pipeline, document, run));
    return outcome === "drop" || outcome === "reroute" ? outcome : "go on";
  } finally {
    run.active.pop();
    if (outer === undefined) delete document.notes.pipeline;
    else document.notes.pipeline = outer;
  }
}

function guarded(pipeline: Pipeline, document: IngestDocument, run: PipelineRun): Outcome {
  try {
    return runSteps(pipeline.steps, document, run);
  } catch (error) {
    if (!(error instanceof ProcessorFailure) || pipeline.onFailure.length === 0) throw error;
    if (error.error instanceof StepsSpent) throw error;
    return handleFailure(error, pipeline.onFailure, document, run);
  }
}

/** Runs processors in order until one ends it. Throws ProcessorFailure. */
export function runSteps(steps: readonly Step[], document: IngestDocument, run: PipelineRun): Outcome {
  for (const step of steps) {
    const outcome = runStep(step, document, run);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** Runs one processor, and those for its failure. Throws ProcessorFailure. */
export function runStep(step: Step, document: IngestDocument, run: PipelineRun): Outcome {
  try {
    if (run.steps.left-- <= 0) throw new StepsSpent();
    if (step.condition !== undefined && !step.condition.holds(document)) {
      run.watch?.({ step, status: "skipped" }, document);
      return undefined;
    }
    // A pipeline is told of before its processors, which tell of themselves.
    if (step.type === "pipeline") run.watch?.({ step, status: "success" }, document);
    const outcome = counted(step.counts, () => step.run(document, run));
    if (step.type !== "pipeline") run.watch?.({ step, status: outcome === "drop" ? "dropped" : "success" }, document);
    return outcome;
  } catch (thrown) {
    const failure =
      thrown instanceof ProcessorFailure
        ? thrown
        : new ProcessorFailure(toApiError(asRefusal(thrown)), step, run.active.at(-1) ?? "");
    const nested = thrown instanceof ProcessorFailure;
    const final = failure.error instanceof StepsSpent;
    if (step.ignoreFailure && !final) {
      if (!nested) run.watch?.({ step, status: "error_ignored", error: failure.error }, document);
      return undefined;
    }
    if (!nested) run.watch?.({ step, status: "error", error: failure.error }, document);
    if (step.onFailure.length === 0 || final) throw failure;
    return handleFailure(failure, step.onFailure, document, run);
  }
}

/** Runs the processors for a failure, which see what failed and why. */
function handleFailure(
  failure: ProcessorFailure,
  steps: readonly Step[],
  document: IngestDocument,
  run: PipelineRun,
): Outcome {
  const { error, step, pipeline } = failure;
  const notes = {
    on_failure_message: error.message,
    on_failure_processor_type: step.type,
    on_failure_processor_tag: step.tag ?? null,
    on_failure_pipeline: pipeline,
  };
  Object.assign(document.notes, notes);
  try {
    return runSteps(steps, document, run);
  } finally {
    for (const name of Object.keys(notes)) delete document.notes[name];
  }
}
