/** A request while it runs, as a task of the node: described, cancelled, given up by its client, or left to run on. */
import {
  Canceller,
  type CancelSignal,
  type EngineFace,
  type RequestMemory,
  type RunningActivity,
} from "../../engine/index.js";
import type { TaskAction } from "./actions.js";

/** What a task begins with. */
export interface RequestTaskStart {
  readonly engine: EngineFace;
  readonly action: TaskAction;
  readonly describe: () => string;
  readonly index: string | undefined;
  readonly opaqueId: string | undefined;
  /** Calls back when the client goes away before it has its answer. */
  readonly onClientGone: (callback: () => void) => void;
  /** Calls back when the answer has left, or never will. */
  readonly onAnswerLeft: (callback: () => void) => void;
}

/** One request. */
export class RequestTask {
  readonly #start: RequestTaskStart;
  readonly #activity: RunningActivity;
  #controller: Canceller | undefined;
  #memory: RequestMemory | undefined;
  #describe: () => string;
  #status: (() => Record<string, unknown>) | undefined;
  #detached = false;
  #cancelled = false;

  constructor(start: RequestTaskStart) {
    const { engine, action, index, opaqueId } = start;
    this.#start = start;
    this.#describe = start.describe;
    this.#activity = engine.resources.activities.start({
      kind: action.kind,
      action: action.action,
      type: "transport",
      index,
      headers: opaqueId === undefined ? undefined : { "X-Opaque-Id": opaqueId },
      describe: () => this.#describe(),
      status: () => this.#status?.() ?? {},
      memory: () => this.#memory?.used ?? 0,
      cancel: action.cancellable ? () => this.#cancel() : undefined,
    });
  }

  /** Its number on this node. */
  get id(): number {
    return this.#activity.id;
  }

  /** Somebody asked for it to end. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /**
   * Aborted when the client goes away or the task is cancelled. Made only for handlers that ask: most answers are done
   * before a client could go away.
   */
  get signal(): CancelSignal {
    if (this.#controller === undefined) {
      this.#controller = new Canceller();
      this.#start.onClientGone(() => this.#clientGone());
    }
    return this.#controller.signal;
  }

  /** What the request holds, until it has been answered. */
  get memory(): RequestMemory {
    this.#memory ??= this.#start.engine.resources.openRequest();
    return this.#memory;
  }

  /** Says better what it does, once that is known. */
  describe(text: () => string): void {
    this.#describe = text;
  }

  /** Says how far it is, whenever somebody asks. */
  report(status: () => Record<string, unknown>): void {
    this.#status = status;
  }

  /** It runs on when its request is answered, and whatever becomes of the client, until `finish`. */
  detach(): void {
    this.#detached = true;
  }

  /** There is an answer: it is no task any more, and holds memory until the answer has left. */
  answered(): void {
    if (this.#detached) return;
    this.#activity.end();
    const memory = this.#memory;
    if (memory !== undefined && memory.used > 0) this.#start.onAnswerLeft(() => memory.close());
  }

  /** What ran on is done; gives back what it holds. */
  finish(): void {
    this.#activity.end();
    this.#memory?.close();
  }

  #cancel(): void {
    this.#cancelled = true;
    this.#controller ??= new Canceller();
    this.#controller.abort();
  }

  #clientGone(): void {
    if (!this.#detached) this.#controller?.abort();
  }
}
