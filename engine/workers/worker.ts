/** The program of a worker thread: takes messages, runs jobs, answers. Imports no more than it needs: it starts often. */
import { parentPort, workerData } from "node:worker_threads";
import { nodeFiles } from "../store/files.js";
import { attachStorage } from "../store/storage.js";
import { sendableError } from "./errors.js";
import type { HandlerTable } from "./handler.js";
import type { FromWorker, ToWorker, WorkerData } from "./messages.js";
import { JobRunner, type Outcome } from "./runner.js";
import { nameThread, setNiceness, systemThreadId } from "./system-thread.js";

const given = workerData as WorkerData;

function tell(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function ended(outcome: Outcome): void {
  const { id } = outcome;
  if (!outcome.ok) {
    tell({ type: "failed", id, error: sendableError(outcome.error) });
    return;
  }
  try {
    tell({ type: "done", id, result: outcome.result }, outcome.transfer);
  } catch (error) {
    // A result that can't be cloned.
    tell({ type: "failed", id, error: sendableError(error) });
  }
}

async function loadHandlers(): Promise<HandlerTable> {
  const loaded: unknown =
    given.handlers === undefined ? await import("./handlers/index.js") : await import(given.handlers);
  return (loaded as { handlers: HandlerTable }).handlers;
}

function take(runner: JobRunner, message: ToWorker): void {
  switch (message.type) {
    case "run":
      for (const key of message.drop) runner.shared.drop(key);
      for (const { key, value } of message.values) runner.shared.add(key, value);
      runner.start(message);
      break;
    case "cancel":
      runner.cancel(message.id);
      break;
    case "forget":
      runner.shared.forget(message.prefix);
      break;
    case "forget-segment":
      runner.segments.forget(message.folder, message.name);
  }
}

async function main(): Promise<void> {
  const thread = systemThreadId();
  if (thread !== undefined) {
    nameThread(thread, given.name);
    if (given.niceness > 0) setNiceness(thread, given.niceness);
  }
  const handlers = await loadHandlers();
  const { memory, thread: number, cacheBytes } = given;
  const storage = attachStorage(nodeFiles, memory, { thread: number, cacheBytes });
  const runner = new JobRunner({ storage, handlers, ended });
  parentPort?.on("message", (message: ToWorker) => take(runner, message));
  tell({ type: "ready", systemThreadId: thread });
}

await main();
