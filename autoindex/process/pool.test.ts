import { describe, expect, it, onTestFinished } from "vitest";
import { NO_STAMP } from "../stamp.js";
import { folderWith } from "../testing/folder.js";
import { type Extractor, startExtractor } from "./child.js";
import { ExtractorPool, type PoolOptions } from "./pool.js";
import type { Batch, FileJob, FileResult, RunContext } from "./protocol.js";

const context: RunContext = { root: "/", repo: "r", branches: [], maxFileBytes: 1000 };
const job = (path: string): FileJob => ({ path, knownBlob: "", knownVersion: "", records: "dataset" });

function answerFor(path: string): FileResult {
  const facts = { path, stamp: NO_STAMP, readAtMs: 0, blob: "", language: "", version: "" };
  return { ...facts, kind: "same" };
}

/** A process that dies on `crash`, and on `grammar` where grammars are asked, falls silent on `hang`, answers all else in its turn; it has no process at all. */
class ScriptedExtractor implements Extractor {
  #result: (result: FileResult) => void = () => {};
  #end: (reason: string) => void = () => {};
  #isDead = false;

  send({ jobs }: Batch): void {
    void this.#work(jobs);
  }

  async #work(jobs: FileJob[]): Promise<void> {
    for (const { path, grammars } of jobs) {
      await Promise.resolve();
      if (this.#isDead || path.startsWith("hang")) return;
      const isBad = path.startsWith("crash") || (path.startsWith("grammar") && grammars !== "none");
      if (isBad) return this.#die("SIGSEGV");
      this.#result(answerFor(path));
    }
  }

  #die(reason: string): void {
    this.#isDead = true;
    this.#end(reason);
  }

  onResult(listener: (result: FileResult) => void): void {
    this.#result = listener;
  }

  onEnd(listener: (reason: string) => void): void {
    this.#end = listener;
  }

  kill(): void {
    if (!this.#isDead) this.#die("SIGKILL");
  }

  setHolding(): void {}
}

function poolOf(options: Partial<PoolOptions>): { pool: ExtractorPool; starts: () => number } {
  let starts = 0;
  const start = () => {
    starts++;
    return new ScriptedExtractor();
  };
  const pool = new ExtractorPool({ workers: 1, tuning: "quick_start", silenceMs: 20, start, ...options });
  onTestFinished(() => pool.close());
  return { pool, starts: () => starts };
}

async function outcomes(pool: ExtractorPool, paths: string[]): Promise<string[]> {
  const results = await Promise.all(paths.map((path) => pool.extract(context, job(path))));
  return results.map((result) => `${result.path} ${result.kind === "skipped" ? result.reason : result.kind}`);
}

describe("the extractor pool", () => {
  it.each([1, 3])("answers each file once with %i processes", async (workers) => {
    const paths = Array.from({ length: 100 }, (_, index) => `f${index}`);
    expect(await outcomes(poolOf({ workers }).pool, paths)).toEqual(paths.map((path) => `${path} same`));
  });

  it("starts no second process for a few files of one kind, and one for many or for another kind", async () => {
    const few = Array.from({ length: 10 }, (_, index) => `f${index}.c`);
    const one = poolOf({ workers: 2 });
    await outcomes(one.pool, few);
    expect(one.starts()).toBe(1);
    const many = poolOf({ workers: 2 });
    await outcomes(many.pool, [...few, ...Array.from({ length: 90 }, (_, index) => `g${index}.c`)]);
    expect(many.starts()).toBe(2);
    const mixed = poolOf({ workers: 2 });
    await outcomes(mixed.pool, ["a.c", "b.py"]);
    expect(mixed.starts()).toBe(2);
  });

  it("answers files of a kind whose only process dies over one of them", async () => {
    const paths = ["a.c", "b.py", "crash.c", "d.c", "hang.py", "e.c", "f.py", "crash2.c", "g.c"];
    const found = await outcomes(poolOf({ workers: 2 }).pool, paths);
    const bad = { "crash.c": "extractor_crashed", "hang.py": "extractor_timeout", "crash2.c": "extractor_crashed" };
    expect(found).toEqual(paths.map((path) => `${path} ${bad[path as keyof typeof bad] ?? "same"}`));
  });

  it("pays for a crash with that file alone", async () => {
    const { pool, starts } = poolOf({});
    expect(await outcomes(pool, ["a", "b", "crash", "c", "d"])).toEqual([
      "a same",
      "b same",
      "crash extractor_crashed",
      "c same",
      "d same",
    ]);
    // With others, alone, alone without grammars; the last one goes on with the others.
    expect(starts()).toBe(4);
  });

  it("reads a file that its grammar crashes on without grammars", async () => {
    const { pool, starts } = poolOf({});
    expect(await outcomes(pool, ["a", "grammar", "b"])).toEqual(["a same", "grammar same", "b same"]);
    expect(starts()).toBe(3);
  });

  it("ends a process that is silent for too long, and goes on", async () => {
    expect(await outcomes(poolOf({}).pool, ["a", "hang", "b", "crash", "c"])).toEqual([
      "a same",
      "hang extractor_timeout",
      "b same",
      "crash extractor_crashed",
      "c same",
    ]);
  });

  it("gives up when no process ever answers", async () => {
    const paths = Array.from({ length: 60 }, (_, index) => `crash${index}`);
    const results = await Promise.allSettled(paths.map((path) => poolOfAll.extract(context, job(path))));
    expect(results.some(({ status }) => status === "rejected")).toBe(true);
  });
  const poolOfAll = new ExtractorPool({
    workers: 1,
    tuning: "quick_start",
    silenceMs: 1000,
    start: () => new ScriptedExtractor(),
  });

  it("rejects what is left when it is closed", async () => {
    const { pool } = poolOf({ silenceMs: 10_000 });
    const waiting = pool.extract(context, job("hang"));
    pool.close();
    await expect(waiting).rejects.toThrow("closed");
  });
});

describe("a real extractor process", () => {
  it("reads files and is replaced when it is killed from outside", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n", "b.bin": "\0\0" });
    const started: Extractor[] = [];
    const start: PoolOptions["start"] = (tuning) => {
      const extractor = startExtractor(tuning);
      started.push(extractor);
      return extractor;
    };
    const { pool } = poolOf({ silenceMs: 20_000, start });
    const here = { ...context, root };
    expect(await pool.extract(here, job("a.py"))).toMatchObject({
      kind: "indexed",
      declarations: 1,
      language: "python",
    });
    started[0]!.kill();
    expect(await pool.extract(here, job("b.bin"))).toMatchObject({ kind: "skipped", reason: "binary" });
    expect(await pool.extract(here, job("none"))).toMatchObject({ kind: "skipped", reason: "vanished" });
    expect(started.length).toBe(2);
  });
});
