import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AutoindexError } from "../errors.js";
import { AnswerMemory } from "./answer-memory.js";
import { openPartsFile, receive, type SentResult } from "./parts-file.js";
import type { Batch, FileResult } from "./protocol.js";

/** How a child's V8 treats grammars. */
export type Tuning = "quick_start" | "long_run";

/** Text kept of what a dying child wrote. */
const MAX_STDERR = 2000;

/** One extractor process, as the pool sees it. */
export interface Extractor {
  send(batch: Batch): void;
  onResult(listener: (result: FileResult) => void): void;
  /** Called once, with what the process last said, whether it ended by itself or was ended. */
  onEnd(listener: (reason: string) => void): void;
  kill(): void;
  /** Whether the parent may exit while it lives. */
  setHolding(holding: "hold" | "release"): void;
}

/** The compiled entry file, also when this module itself runs from its TypeScript source (tests). */
export function workerFile(): string {
  const here = fileURLToPath(import.meta.url);
  const file = here.endsWith(".ts")
    ? path.join(path.dirname(here), "..", "..", "dist", "autoindex", "process", "worker.js")
    : path.join(path.dirname(here), "worker.js");
  if (!existsSync(file)) throw new AutoindexError("extractor_missing", `${file} is missing: build the project first`);
  return file;
}

/**
 * What a file is read into is garbage when its documents are printed: a large young generation, of which little survives,
 * is collected in half the time, and by one thread, since others have files of their own to read.
 */
const GARBAGE_FLAGS = ["--max-old-space-size=2048", "--max-semi-space-size=32", "--single-threaded-gc"];

/**
 * Each process compiles for itself what it runs often, which is a fifth of a short run's work: functions are optimised when
 * they have run four times as long as V8 would wait. Of V8 11.3 (Node 20): Node 24 knows no such flag and would not start.
 */
const COMPILER_FLAGS = process.versions.v8.startsWith("11.3.") ? ["--interrupt-budget=1081344"] : [];

/**
 * How V8 compiles WebAssembly: once and fast for a few hundred files; in a long run what is hot a second time, for speed
 * (parsing and querying are then 1.7 times as fast). V8 takes a function for hot by the bytes of code that it ran through,
 * and each return counts as all of it: the lexer of a large grammar, of 400 KB, would be so after 5 calls by V8's own
 * budget, and compiling it takes seconds. With this one it is after 2,500; those of the largest grammars never are, see
 * grammar/tiering.ts (without `--no-wasm-tier-up` V8 would compile all of such a grammar for speed at once).
 */
const TUNING_FLAGS: Readonly<Record<Tuning, readonly string[]>> = {
  quick_start: ["--no-wasm-dynamic-tiering", "--no-wasm-tier-up"],
  long_run: ["--no-wasm-tier-up", "--wasm-tiering-budget=1000000000"],
};

/** Starts a process. */
export function startExtractor(tuning: Tuning, file = workerFile()): Extractor {
  const parts = openPartsFile();
  const stdio: StdioOptions = ["ignore", "ignore", "pipe", "ipc"];
  const child = fork(file, parts === undefined ? [tuning] : [tuning, String(stdio.length)], {
    execArgv: [...GARBAGE_FLAGS, ...COMPILER_FLAGS, ...TUNING_FLAGS[tuning]],
    serialization: "advanced",
    stdio: parts === undefined ? stdio : [...stdio, parts],
  });
  return new ForkedExtractor(child, parts);
}

class ForkedExtractor implements Extractor {
  #stderr = "";

  #isEnded = false;

  readonly #memory = new AnswerMemory();

  /** `parts`: the file that operations come in, see parts-file.ts; closed when the process has ended. */
  constructor(
    private readonly child: ChildProcess,
    private readonly parts: number | undefined,
  ) {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR);
    });
    const end = () => {
      if (!this.#isEnded && this.parts !== undefined) closeSync(this.parts);
      this.#isEnded = true;
    };
    child.on("error", end).on("close", end);
  }

  send(batch: Batch): void {
    // A child that is gone cannot be sent to; its end is reported by the exit event, so the error says nothing new.
    this.child.send(batch, () => {});
  }

  onResult(listener: (result: FileResult) => void): void {
    this.child.on("message", (sent: SentResult) => {
      const result = this.#receive(sent);
      if (result) listener(result);
    });
  }

  /** Nothing when an answer came too late, or does not hold what it should: the process is then ended. */
  #receive(sent: SentResult): FileResult | undefined {
    if (this.#isEnded) return undefined;
    try {
      return receive(sent, this.parts, this.#memory);
    } catch (error) {
      this.#stderr = String(error);
      this.kill();
      return undefined;
    }
  }

  onEnd(listener: (reason: string) => void): void {
    let isReported = false;
    const report = (reason: string): void => {
      if (isReported) return;
      isReported = true;
      listener(reason);
    };
    this.child.on("error", (error) => report(error.message));
    this.child.on("close", (code, signal) => report(`${signal ?? `exit code ${code}`}${this.#lastWords()}`));
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  setHolding(holding: "hold" | "release"): void {
    const stderr = this.child.stderr as unknown as { ref?(): void; unref?(): void } | null;
    if (holding === "hold") {
      this.child.ref();
      this.child.channel?.ref();
      stderr?.ref?.();
    } else {
      this.child.unref();
      this.child.channel?.unref();
      stderr?.unref?.();
    }
  }

  #lastWords(): string {
    const line = this.#stderr.split("\n").find((text) => /error|fatal/i.test(text));
    return line ? `: ${line.trim().slice(0, 200)}` : "";
  }
}
