/** How busy the machine and this process have been lately, in percent: between two looks, the last of which is remembered. */
import { availableParallelism, cpus } from "node:os";

/** Percent of all cores. */
export interface CpuLoad {
  readonly machinePercent: number;
  readonly processPercent: number;
}

interface Look {
  readonly at: number;
  readonly idle: number;
  readonly total: number;
  /** Milliseconds of this process on a core. */
  readonly own: number;
}

/** Looks closer together than this give the same answer: so short a time says nothing. */
const LEAST_MS = 500;

/** Remembers the last look; one of a node. */
export class CpuMeter {
  #last: Look = look();
  #load: CpuLoad;

  constructor() {
    // Since the process began, until there is something later.
    const { own } = this.#last;
    const percent = (own / Math.max(1, process.uptime() * 1_000)) * 100;
    this.#load = { machinePercent: machinePercent(this.#last, zero), processPercent: ofAllCores(percent) };
  }

  load(): CpuLoad {
    const now = look();
    const elapsed = now.at - this.#last.at;
    if (elapsed < LEAST_MS) return this.#load;
    const percent = ((now.own - this.#last.own) / elapsed) * 100;
    this.#load = { machinePercent: machinePercent(now, this.#last), processPercent: ofAllCores(percent) };
    this.#last = now;
    return this.#load;
  }
}

const zero = { idle: 0, total: 0 };

function look(): Look {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), idle, total, own: (user + system) / 1_000 };
}

function machinePercent(now: Pick<Look, "idle" | "total">, before: Pick<Look, "idle" | "total">): number {
  const total = now.total - before.total;
  return total <= 0 ? 0 : whole((1 - (now.idle - before.idle) / total) * 100);
}

function ofAllCores(percentOfOne: number): number {
  return whole(percentOfOne / availableParallelism());
}

function whole(percent: number): number {
  return Math.round(Math.min(100, Math.max(0, percent)));
}
