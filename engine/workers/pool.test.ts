import { afterEach, describe, expect, it } from "vitest";
import { CorruptionError, EngineError } from "../errors.js";
import type { Executor, JobKind, RunOptions } from "../jobs.js";
import { randomDocument, segmentOf } from "../memtable/testing.js";
import type { OpenSegment } from "../segment/reader.js";
import { chance, temporaryFolder, testStorage } from "../store/testing.js";
import { type PoolOptions, WorkerPool } from "./pool.js";
import { BEGUN, GO_ON, LET_GO, MADE, type Task, TRIES } from "./testing/test-handlers.js";
import { compiledFile } from "./worker-file.js";

const open: WorkerPool[] = [];
const storage = testStorage();
const warnings: string[] = [];

function pool(workers: number, options: Partial<PoolOptions> = {}): WorkerPool {
  const made = new WorkerPool({
    storage,
    workers,
    start: "lazy",
    handlers: compiledFile("testing/test-handlers.js"),
    warn: (message) => warnings.push(message),
    ...options,
  });
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  warnings.length = 0;
});

function ask(executor: Executor, kind: JobKind, task: Task, options?: RunOptions): Promise<unknown> {
  return executor.run(kind, task as never, options);
}

/** A segment of one document, open in this thread. */
function someSegment(): OpenSegment {
  return segmentOf(storage, temporaryFolder(), "s1", [randomDocument(chance(), 1, 1)]);
}

function flags(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(64));
}

/** Resolves when another thread has set a flag. */
async function until(where: Int32Array, flag: number): Promise<void> {
  while (Atomics.load(where, flag) === 0) await new Promise((resolve) => setImmediate(resolve));
}

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

describe("jobs on worker threads", () => {
  it("run elsewhere, several at a time", async () => {
    const two = pool(2);
    const where = flags();
    const waiting = ask(two, "merge", { do: "wait", flags: where });
    await until(where, BEGUN);
    const { threadId } = (await ask(two, "build", { do: "echo", value: 1 })) as { threadId: number };
    expect(threadId).toBeGreaterThan(0);
    Atomics.store(where, GO_ON, 1);
    expect(await waiting).toBe("waited");
  });

  it("bring their errors back as they were thrown", async () => {
    const one = pool(1);
    const corrupt = await failure(ask(one, "search", { do: "fail", with: "corruption" }));
    expect(corrupt).toBeInstanceOf(CorruptionError);
    expect(corrupt).toMatchObject(
      JSON.parse(JSON.stringify({ ...new CorruptionError("/data/s1.seg", 4096, "aa", "bb") })),
    );
    expect(corrupt.message).toBe(new CorruptionError("/data/s1.seg", 4096, "aa", "bb").message);
    expect(corrupt.stack).toContain("test-handlers");
    const typed = await failure(ask(one, "search", { do: "fail", with: "engine-error" }));
    expect([typed.code, typed.message, typed.details]).toEqual(["too_many_buckets", "too many buckets", { limit: 7 }]);
    const fault = await failure(ask(one, "search", { do: "fail", with: "type-error" }));
    expect([fault.code, fault.message]).toEqual(["internal", "TypeError: x is not a function"]);
  });

  it("fail, and nothing else does, when request or result cannot be cloned", async () => {
    const one = pool(1);
    await expect(ask(one, "search", { do: "echo", value: () => 1 })).rejects.toThrow(/could not be cloned/);
    await expect(ask(one, "search", { do: "fail", with: "uncloneable-result" })).rejects.toThrow(/could not be cloned/);
    expect(await ask(one, "search", { do: "echo", value: 2 })).toMatchObject({ value: 2 });
  });
});

describe("priorities", () => {
  it("a search finishes while a long merge runs on the only worker", async () => {
    const one = pool(1);
    const where = flags();
    const merge = ask(one, "merge", { do: "wait", flags: where });
    await until(where, BEGUN);
    expect(await ask(one, "search", { do: "echo", value: "found" })).toMatchObject({ value: "found" });
    expect(await ask(one, "prepare", { do: "echo", value: "prepared" })).toMatchObject({ value: "prepared" });
    expect(one.counts().merge).toEqual({ queued: 0, running: 1, done: 0, failed: 0 });
    Atomics.store(where, GO_ON, 1);
    await merge;
  });

  it("merges go on, slowly, under searches that never end", async () => {
    const one = pool(1);
    const [search, merge] = [flags(), flags()];
    const endless = ask(one, "search", { do: "wait", flags: search });
    await until(search, BEGUN);
    const merging = ask(one, "merge", { do: "wait", flags: merge });
    await until(merge, BEGUN);
    Atomics.store(merge, GO_ON, 1);
    await merging;
    Atomics.store(search, GO_ON, 1);
    await endless;
  });

  it("leave a worker free of merges, and a second merge waits", async () => {
    const two = pool(2);
    const [first, second] = [flags(), flags()];
    const merges = [first, second].map((where) => ask(two, "merge", { do: "wait", flags: where }));
    await until(first, BEGUN);
    expect(two.counts().merge).toMatchObject({ queued: 1, running: 1 });
    Atomics.store(first, GO_ON, 1);
    await until(second, BEGUN);
    Atomics.store(second, GO_ON, 1);
    expect(await Promise.all(merges)).toEqual(["waited", "waited"]);
  });
});

describe("cancelling", () => {
  it("ends a job where it is, and what it holds is let go", async () => {
    const one = pool(1);
    const where = flags();
    const controller = new AbortController();
    const job = ask(one, "search", { do: "wait", flags: where }, { signal: controller.signal });
    await until(where, BEGUN);
    controller.abort();
    expect((await failure(job)).code).toBe("cancelled");
    expect(Atomics.load(where, LET_GO)).toBe(1);
  });

  it("reaches a handler that takes its turns itself", async () => {
    const one = pool(1);
    const where = flags();
    const controller = new AbortController();
    const job = ask(one, "build", { do: "wait-for-cancel", flags: where }, { signal: controller.signal });
    await until(where, BEGUN);
    controller.abort();
    expect((await failure(job)).message).toBe("as it should be");
  });

  it("takes a job out of the queue, and refuses one that was cancelled before it was asked for", async () => {
    const one = pool(1);
    const where = flags();
    const running = ask(one, "merge", { do: "wait", flags: where });
    const controller = new AbortController();
    const queued = ask(one, "merge", { do: "echo", value: 1 }, { signal: controller.signal });
    controller.abort();
    expect((await failure(queued)).code).toBe("cancelled");
    const late = ask(one, "search", { do: "echo", value: 1 }, { signal: controller.signal });
    expect((await failure(late)).code).toBe("cancelled");
    Atomics.store(where, GO_ON, 1);
    expect(await running).toBe("waited");
  });
});

describe("a thread that dies", () => {
  it("is replaced, and its job is begun anew", async () => {
    const one = pool(1);
    const where = flags();
    const before = (await ask(one, "search", { do: "echo", value: 1 })) as { threadId: number };
    const after = await ask(one, "merge", { do: "crash", flags: where, times: 1 });
    expect(after).not.toBe(before.threadId);
    expect(Atomics.load(where, TRIES)).toBe(2);
    expect(one.activity()).toMatchObject([{ restarts: 1, jobsDone: 2, threadId: after }]);
    expect(warnings).toEqual(["the worker thread pinakes-query-1 died: exit status 3; it had 1 jobs"]);
  });

  it("takes the jobs beside the guilty one with it, and they are begun anew too", async () => {
    const one = pool(1);
    const where = flags();
    const bystander = ask(one, "merge", { do: "wait", flags: where });
    await until(where, BEGUN);
    const guilty = ask(one, "search", { do: "crash", flags: where, times: 1 });
    await guilty;
    Atomics.store(where, GO_ON, 1);
    expect(await bystander).toBe("waited");
  });

  it("twice with the same job fails that job, as worth another try, and nothing else", async () => {
    const one = pool(1);
    const error = await failure(ask(one, "search", { do: "crash", flags: flags(), times: 9 }));
    expect([error.code, error.details]).toEqual(["internal", { retryable: true }]);
    expect(await ask(one, "search", { do: "echo", value: 1 })).toMatchObject({ value: 1 });
  });

  it("fails a job at once that gave its buffers away", async () => {
    const one = pool(1);
    const where = flags();
    const task: Task = { do: "crash", flags: where, times: 1 };
    const error = await failure(ask(one, "prepare", task, { transfer: [new ArrayBuffer(8)] }));
    expect(error.details).toEqual({ retryable: true });
    expect(Atomics.load(where, TRIES)).toBe(1);
  });

  it("of too much memory takes nothing else with it", async () => {
    const one = pool(1, { heapMb: 32 });
    const error = await failure(ask(one, "search", { do: "use-up-memory" }));
    expect(error.message).toContain("reaching memory limit");
    expect(await ask(one, "search", { do: "echo", value: 1 })).toMatchObject({ value: 1 });
  });

  it("gives back what it had allocated in the arena, and the segments that it used", async () => {
    const one = pool(1);
    await ask(one, "search", { do: "echo", value: 1 });
    const segment = someSegment();
    const used = storage.arena.used;
    const task: Task = { do: "crash-holding", bytes: 1 << 20, ref: segment.ref() };
    expect((await failure(ask(one, "search", task))).details).toEqual({ retryable: true });
    expect(storage.extents.statistics().pinnedBytes).toBe(0);
    expect(storage.arena.used - segment.memoryBytes).toBe(used);
    segment.close();
  });

  it("at every start makes jobs fail with the reason instead of waiting for ever", async () => {
    const broken = pool(2, { handlers: "/no/such/module.js" });
    const error = await failure(ask(broken, "search", { do: "echo", value: 1 }));
    expect(error.message).toMatch(/^(no worker thread can be started|the worker thread .* died): .*no\/such\/module/);
  });
});

describe("shared values", () => {
  it("are sent to a worker once, and made into something once there", async () => {
    const one = pool(1);
    const where = flags();
    let reads = 0;
    const value = {
      get text() {
        reads++;
        return "settings";
      },
    };
    const shared = [{ key: "analysis/u/1", value }];
    for (let i = 0; i < 3; i++) {
      const task: Task = { do: "shared", key: "analysis/u/1", flags: where };
      expect(await ask(one, "search", task, { shared })).toEqual({ made: { text: "settings" } });
    }
    expect([reads, Atomics.load(where, MADE)]).toEqual([1, 1]);
  });

  it("are sent again after they were forgotten by prefix, and others are kept", async () => {
    const one = pool(1);
    const where = flags();
    const use = (key: string) =>
      ask(one, "search", { do: "shared", key, flags: where }, { shared: [{ key, value: key }] });
    await use("fields/u/1");
    await use("fields/v/1");
    one.forget("fields/u/");
    expect(await use("fields/u/1")).toEqual({ made: "fields/u/1" });
    await use("fields/v/1");
    expect(Atomics.load(where, MADE)).toBe(3);
  });

  it("reach the thread that replaces one that died", async () => {
    const one = pool(1);
    const where = flags();
    const shared = [{ key: "k", value: 7 }];
    await ask(one, "search", { do: "shared", key: "k", flags: where }, { shared });
    await ask(one, "search", { do: "crash", flags: where, times: 1 });
    expect(await ask(one, "search", { do: "shared", key: "k", flags: where }, { shared })).toEqual({ made: 7 });
  });
});

describe("the pool", () => {
  it("says what its workers do", async () => {
    const two = pool(2, { start: "eager" });
    const where = flags();
    const before = Date.now();
    // By its first answer a thread has said who it is.
    await ask(two, "build", { do: "echo", value: 1 });
    const job = ask(two, "merge", { do: "wait", flags: where }, { description: "merge of logs" });
    await until(where, BEGUN);
    const [search, work] = two.activity();
    expect(search).toMatchObject({ name: "pinakes-query-1", jobs: [], restarts: 0 });
    expect(work.jobs).toMatchObject([{ kind: "merge", description: "merge of logs" }]);
    expect(work.jobs[0].since).toBeGreaterThanOrEqual(before);
    expect(new Set([search.threadId, work.threadId]).size).toBe(2);
    if (process.platform === "linux") {
      expect(work.cpuSeconds).toBeGreaterThan(0);
      expect(work.systemThreadId).toBeGreaterThan(0);
    }
    Atomics.store(where, GO_ON, 1);
    await job;
  });

  it("rejects what waits and ends what runs when it is closed", async () => {
    const one = pool(1);
    const where = flags();
    const running = failure(ask(one, "merge", { do: "wait", flags: where }));
    const queued = failure(ask(one, "merge", { do: "echo", value: 1 }));
    await until(where, BEGUN);
    await one.close();
    expect((await running).code).toBe("cancelled");
    expect((await queued).code).toBe("closed");
    expect((await failure(ask(one, "search", { do: "echo", value: 1 }))).code).toBe("closed");
    expect(one.activity()).toMatchObject([{ threadId: -1 }]);
  });
});
