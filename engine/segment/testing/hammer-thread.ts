/** Starts threads of the hammering tests. They run compiled code: `npm run build` first. */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { EngineError } from "../../errors.js";
import type { SegmentRef } from "../reader.js";
import type { HammerCounts } from "./hammer.js";

/** What a thread is to do. */
export interface HammerOrder {
  memory: WebAssembly.Memory;
  thread: number;
  /** "hold": begin uses and never end them. */
  task: "hammer" | "hold";
  segments: { ref: SegmentRef; answers: readonly (readonly string[])[] }[];
  seed: number;
  rounds: number;
}

export type HammerMessage = { kind: "round"; round: number } | { kind: "done"; counts: HammerCounts };

/** A running thread. */
export interface HammerThread {
  /** Resolves when it has sent this many messages, or has ended. */
  messages(count: number): Promise<void>;
  /** Its counts; rejects when it ends otherwise. */
  readonly done: Promise<HammerCounts>;
  /** Ends it wherever it is; resolves when it has ended. */
  kill(): Promise<void>;
}

export function startHammer(order: HammerOrder): HammerThread {
  const worker = new Worker(workerFile(), { workerData: order });
  let received = 0;
  let waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const done = new Promise<HammerCounts>((resolve, reject) => {
    worker.on("message", (message: HammerMessage) => {
      received++;
      if (message.kind === "done") resolve(message.counts);
      wake();
    });
    worker.on("error", reject);
    worker.once("exit", () => {
      wake();
      reject(new EngineError("internal", `thread ${order.thread} ended early`));
    });
  });
  // Who kills a thread does not ask for its counts.
  done.catch(() => {});
  return {
    done,
    async messages(count) {
      while (received < count) {
        const next = new Promise<void>((resolve) => waiting.push(resolve));
        if ((await Promise.race([next.then(() => "next"), ended.then(() => "ended")])) === "ended") return;
      }
    },
    async kill() {
      await worker.terminate();
      await ended;
    },
  };
}

/** The worker is compiled code: beside this file in dist/, or there as seen from the source tree. */
function workerFile(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const name = "hammer-worker.js";
  const places = [path.join(here, name), path.join(here, "../../../dist/engine/segment/testing", name)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new EngineError("io", `${name} is in none of ${places.join(", ")}: run "npm run build"`);
  return found;
}
