/** Processor time of this process's threads, as Linux counts it (proc(5), /proc/[pid]/task/[tid]/schedstat). */
import { listProc, readProc } from "./read-proc.js";

/** Times of one thread since it began, in milliseconds. */
export interface ThreadTime {
  readonly id: number;
  /** The system's name of it. */
  readonly name: string;
  /** On a core. */
  readonly cpuMs: number;
  /** Ready to run, with no core free. */
  readonly readyMs: number;
}

const NANOS = 1e6;

/** All threads of this process; none where the system does not tell. */
export function threadTimes(): ThreadTime[] {
  return listProc("/proc/self/task").flatMap((id) => {
    const folder = `/proc/self/task/${id}`;
    const times = readProc(`${folder}/schedstat`)?.trim().split(" ").map(Number);
    if (times === undefined) return [];
    const name = readProc(`${folder}/comm`)?.trim() ?? "";
    return [{ id: Number(id), name, cpuMs: times[0] / NANOS, readyMs: times[1] / NANOS }];
  });
}

/** The main thread's number: it is the process's. */
export function isMainThread({ id }: ThreadTime): boolean {
  return id === process.pid;
}
