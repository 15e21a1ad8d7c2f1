/**
 * Tasks that run on after their request was answered (`wait_for_completion=false`), and what became of them. Results are
 * kept in the node's metadata, so that they outlive a restart; only the newest, for nobody asks for old ones.
 */
import type { EngineFace } from "../../engine/index.js";
import { errorObject, toApiError } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { Identity } from "../identities.js";
import { printJson } from "../json/print.js";
import { printTask } from "./print-task.js";
import type { RequestTask } from "./request-task.js";
import { printTaskId } from "./task-id.js";

/** What became of a task: its last state, and its answer or its error, each as JSON. */
export interface TaskResult {
  readonly task: string;
  readonly response?: string;
  readonly error?: string;
}

/** What of a request the work needs that runs on after it. */
export interface TaskOwner {
  readonly task: RequestTask;
  readonly node: { readonly id: string };
  readonly identity: Identity;
}

const PREFIX = "tasks/";
/** Results that are kept. */
const MAX_RESULTS = 100;
/** Digits of a number in a key: keys sort as their numbers do. */
const DIGITS = 16;

/** The results of one node. */
export class TaskResults {
  readonly #running = new Map<RequestTask, Promise<void>>();

  constructor(
    private readonly engine: EngineFace,
    private readonly warn: (message: string) => void,
  ) {
    // A number that has a result is not given out again.
    const last = engine.metadata.keys(PREFIX).at(-1);
    if (last !== undefined) engine.resources.activities.beginAt(Number(last.slice(PREFIX.length)) + 1);
  }

  find(id: number): TaskResult | undefined {
    return this.engine.metadata.get(keyOf(id)) as TaskResult | undefined;
  }

  /** Answers the request with its task's id, and does the work after that; its answer is kept. */
  runOn(request: TaskOwner, work: () => Promise<Reply>): Reply {
    const { task, node } = request;
    task.detach();
    const done = this.#run(request, work).finally(() => {
      this.#running.delete(task);
      task.finish();
    });
    this.#running.set(task, done);
    return json({ task: printTaskId(node.id, task.id) });
  }

  /** Tells all that run on to end, and waits for them. */
  async close(): Promise<void> {
    const { activities } = this.engine.resources;
    for (const { id } of this.#running.keys()) activities.cancel(id, "the node stops");
    await Promise.all(this.#running.values());
  }

  async #run(request: TaskOwner, work: () => Promise<Reply>): Promise<void> {
    const { id } = request.task;
    const outcome = await outcomeOf(request, work);
    const activity = this.engine.resources.activities.find(id);
    const form = { node: request.node.id, identity: request.identity, detailed: true };
    const task = activity === undefined ? {} : printTask(activity, form);
    try {
      await this.#keep(id, { task: printJson(task), ...outcome });
    } catch (error) {
      this.warn(`the result of task ${id} could not be kept: ${String(error)}`);
    }
  }

  async #keep(id: number, result: TaskResult): Promise<void> {
    const old = this.engine.metadata.keys(PREFIX).slice(0, 1 - MAX_RESULTS);
    const removed = Object.fromEntries(old.map((key) => [key, undefined]));
    await this.engine.metadata.put({ ...removed, [keyOf(id)]: result });
  }
}

async function outcomeOf(request: TaskOwner, work: () => Promise<Reply>): Promise<Omit<TaskResult, "task">> {
  try {
    const { body } = await work();
    return { response: body.kind === "json" ? printJson(body.value) : "{}" };
  } catch (error) {
    return { error: printJson(errorObject(toApiError(error), request.identity)) };
  }
}

function keyOf(id: number): string {
  return PREFIX + String(id).padStart(DIGITS, "0");
}
