import type { FileJob, FileResult, RunContext } from "./protocol.js";

/** A file waiting for its answer. */
export interface Task {
  context: RunContext;
  job: FileJob;
  /** How long it is, as far as that is known before it is read. */
  bytes: number;
  resolve: (result: FileResult) => void;
  reject: (error: unknown) => void;
  /** A process has died over it once already, so it is tried alone. */
  isSuspect: boolean;
}

/** What is asked for one process. */
export interface Wanted {
  most: number;
  /** Kinds of files that this process has read already, and that others have which still live. */
  known: ReadonlySet<string>;
  knownToOthers: ReadonlySet<string>;
}

/**
 * Bytes of one kind that wait, from which on one more process may learn to read it: loading a grammar, and what comes to be
 * optimised for it, cost a process as much as reading these. A file counts as some even when it is empty.
 */
const WORTH_LEARNING = 256 * 1024;
const BYTES_PER_FILE = 4 * 1024;

/**
 * Files that wait for a process. What a folder has little of is read by one process alone, for each has to load the grammar
 * or the reader of a kind before its first file. What is left to a process is never left for long: it is at work, or it
 * would have been asked for; when it ends, nobody knows its kinds any more.
 */
export class TaskQueue {
  #tasks: Task[] = [];
  readonly #waiting = new Map<string, number>();

  get length(): number {
    return this.#tasks.length;
  }

  push(task: Task): void {
    this.#tasks.push(task);
    this.#count(task, 1);
  }

  /** Puts tasks before all others. */
  unshift(...tasks: Task[]): void {
    this.#tasks.unshift(...tasks);
    for (const task of tasks) this.#count(task, 1);
  }

  /** Takes all. */
  drain(): Task[] {
    this.#waiting.clear();
    return this.#tasks.splice(0);
  }

  /** Takes the first files of one context that are for a process; a suspect is taken alone. None: they are left to others. */
  take({ most, known, knownToOthers }: Wanted): Task[] {
    const [first] = this.#tasks;
    const taken: Task[] = [];
    const isFor = (task: Task): boolean => {
      const kind = kindOf(task);
      if (task.isSuspect || (taken[0] && taken[0].context !== task.context)) return false;
      return known.has(kind) || !knownToOthers.has(kind) || this.#waiting.get(kind)! >= WORTH_LEARNING;
    };
    if (first?.isSuspect) taken.push(first);
    else {
      for (const task of this.#tasks) {
        if (taken.length >= most) break;
        if (isFor(task)) taken.push(task);
      }
    }
    const isTaken = new Set(taken);
    if (taken.length > 0) this.#tasks = this.#tasks.filter((task) => !isTaken.has(task));
    for (const task of taken) this.#count(task, -1);
    return taken;
  }

  #count(task: Task, sign: 1 | -1): void {
    const kind = kindOf(task);
    this.#waiting.set(kind, (this.#waiting.get(kind) ?? 0) + sign * (task.bytes + BYTES_PER_FILE));
  }
}

/** What tells what reads a file before it is opened: its extension. */
export function kindOf({ job }: Task): string {
  const base = job.path.slice(job.path.lastIndexOf("/") + 1);
  return base.slice(base.lastIndexOf(".") + 1 || base.length).toLowerCase();
}
