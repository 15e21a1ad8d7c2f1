import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { EngineError } from "../errors.js";
import type { GraphAnswer, GraphRequest } from "./graph-messages.js";

type Pending = { resolve: (value: boolean | Uint32Array) => void; reject: (error: Error) => void };

/** Talks to the graph worker, which is started at the first question. One per node. */
export class GraphHost {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #available: Promise<boolean> | null = null;
  #next = 0;
  #closed = false;

  /** Whether graphs can be built here: false where hnswlib-node is not installed. */
  available(): Promise<boolean> {
    this.#available ??= this.ask({ kind: "available" }).then((value) => value === true);
    return this.#available;
  }

  /** Asks the worker; rejects when it fails or the host is closed. */
  ask(request: GraphRequest): Promise<boolean | Uint32Array> {
    if (this.#closed) return Promise.reject(new EngineError("closed", "the graph worker is closed"));
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, request });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
    this.#fail(new EngineError("closed", "the graph worker is closed"));
  }

  #start(): Worker {
    const worker = new Worker(workerFile());
    worker.on("message", (answer: GraphAnswer) => {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      // An idle worker must not keep the process alive.
      if (this.#pending.size === 0) worker.unref();
      if ("error" in answer) pending?.reject(new EngineError("internal", `graph worker: ${answer.error}`));
      else pending?.resolve(answer.value);
    });
    worker.on("error", (cause) => {
      this.#worker = null;
      this.#fail(new EngineError("internal", `the graph worker died: ${cause.message}`, {}, { cause }));
    });
    return worker;
  }

  #fail(error: EngineError): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** The worker is compiled code: beside this file in dist/, or there as seen from the source tree. */
function workerFile(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const places = [path.join(here, "graph-worker.js"), path.join(here, "../../dist/engine/vectors/graph-worker.js")];
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new EngineError("io", `graph-worker.js is in none of ${places.join(", ")}: run "npm run build"`);
  return found;
}
