/** One case: set-up, its steps, tear-down, each directive exactly. */
import { type Api, CallError } from "./api.js";
import { ASSERTIONS, AssertionError } from "./assertions.js";
import { runCall } from "./call.js";
import { requiresReason, type Server, skipReason } from "./skip.js";
import { PathError, Stash, valueAt } from "./stash.js";
import type { Step, SuiteFile } from "./suite.js";
import { isMap, printScalar, type Value } from "./values.js";
import { type Answer, NoAnswer, type Wire } from "./wire.js";

/** How a case ended. `crash`: the server did not answer any more. */
export interface Verdict {
  file: string;
  name: string;
  status: "pass" | "fail" | "skip" | "crash";
  /** Why, unless it passed. */
  reason: string;
  ms: number;
}

/** Where cases are run. */
export interface Bench {
  wire: Wire;
  api: Api;
  server: Server;
}

/** Runs a case of a file. The server is as it was after the case before: wipe first. */
export async function runCase(bench: Bench, suite: SuiteFile, number: number): Promise<Verdict> {
  const { name, steps } = suite.cases[number];
  const started = performance.now();
  const verdict = (status: Verdict["status"], reason = ""): Verdict => {
    return { file: suite.file, name, status, reason, ms: performance.now() - started };
  };
  const skipped = [...suite.setup, ...steps].map((step) => reasonToSkip(step, bench.server)).find(Boolean);
  if (skipped !== undefined) return verdict("skip", skipped);
  const state: State = { bench, stash: new Stash(), last: undefined };
  const failure = (await failureOf(state, [...suite.setup, ...steps])) ?? (await failureOf(state, suite.teardown));
  if (failure === undefined) return verdict("pass");
  return verdict(failure instanceof NoAnswer ? "crash" : "fail", failure.message);
}

function reasonToSkip({ kind, argument }: Step, server: Server): string | undefined {
  if (kind === "skip") return skipReason(argument, server);
  return kind === "requires" ? requiresReason(argument, server) : undefined;
}

interface State {
  bench: Bench;
  stash: Stash;
  last: Answer | undefined;
}

async function failureOf(state: State, steps: readonly Step[]): Promise<Error | undefined> {
  for (const [at, step] of steps.entries()) {
    try {
      await runStep(state, step);
    } catch (error) {
      if (error instanceof NoAnswer) return error;
      if (isExpected(error)) return new Error(`step ${at + 1}: ${error.message}`);
      throw error;
    }
  }
  return undefined;
}

function isExpected(error: unknown): error is Error {
  return [AssertionError, CallError, PathError, SyntaxError].some((kind) => error instanceof kind);
}

async function runStep(state: State, { kind, argument }: Step): Promise<void> {
  if (kind === "skip" || kind === "requires") return;
  if (kind === "do") {
    state.last = (await runCall(argument, { ...state.bench, stash: state.stash })) ?? state.last;
    return;
  }
  if (state.last === undefined) throw new AssertionError(`${kind} before any call`);
  if (kind === "set") setFrom(state, argument, state.last);
  else if (kind === "transform_and_set") transformAndSet(state, argument, state.last);
  else if (kind in ASSERTIONS) ASSERTIONS[kind](argument, state.last, state.stash);
  else throw new AssertionError(`there is no directive "${kind}"`);
}

function setFrom({ stash }: State, argument: Value, answer: Answer): void {
  if (!isMap(argument)) throw new AssertionError("a set that is no map");
  for (const [path, name] of argument) {
    const value = valueAt(answer.body, path, stash);
    if (value === undefined) throw new AssertionError(`set ${path}: the answer has nothing there`);
    stash.set(printScalar(name), value);
  }
}

const CREDENTIALS = /^#base64EncodeCredentials\(([^,]+),([^)]+)\)$/;

function transformAndSet({ stash }: State, argument: Value, answer: Answer): void {
  if (!isMap(argument)) throw new AssertionError("a transform_and_set that is no map");
  for (const [name, formula] of argument) {
    const parts = CREDENTIALS.exec(printScalar(formula));
    if (parts === null) throw new AssertionError(`transform_and_set: there is no ${printScalar(formula)}`);
    const texts = parts.slice(1).map((path) => printScalar(valueAt(answer.body, path.trim(), stash) ?? null));
    stash.set(name, Buffer.from(texts.join(":")).toString("base64"));
  }
}
