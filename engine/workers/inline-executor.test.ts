import { afterEach, describe, expect, it } from "vitest";
import type { JobKind, RunOptions } from "../jobs.js";
import { testStorage } from "../store/testing.js";
import { InlineExecutor } from "./inline-executor.js";
import { BEGUN, GO_ON, handlers, LET_GO, MADE, type Task } from "./testing/test-handlers.js";

const open: InlineExecutor[] = [];

function executor(): InlineExecutor {
  const made = new InlineExecutor(testStorage(), handlers);
  open.push(made);
  return made;
}

afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

function ask(one: InlineExecutor, kind: JobKind, task: Task, options?: RunOptions): Promise<unknown> {
  return one.run(kind, task as never, options);
}

function flags(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(64));
}

async function until(where: Int32Array, flag: number): Promise<void> {
  while (Atomics.load(where, flag) === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe("jobs on the calling thread", () => {
  it("take turns, the most urgent first", async () => {
    const one = executor();
    const merge = flags();
    const merging = ask(one, "merge", { do: "wait", flags: merge });
    await until(merge, BEGUN);
    expect(await ask(one, "search", { do: "echo", value: 1 })).toMatchObject({ value: 1 });
    expect(one.activity()).toMatchObject([{ threadId: 0, jobs: [{ kind: "merge", description: "merge" }] }]);
    expect(one.counts().search).toEqual({ queued: 0, running: 0, done: 1, failed: 0 });
    Atomics.store(merge, GO_ON, 1);
    expect(await merging).toBe("waited");
  });

  it("fail with what was thrown, are cancelled where they are, and end when it is closed", async () => {
    const one = executor();
    await expect(ask(one, "build", { do: "fail", with: "type-error" })).rejects.toBeInstanceOf(TypeError);
    const [first, second] = [flags(), flags()];
    const controller = new AbortController();
    const cancelled = ask(one, "search", { do: "wait", flags: first }, { signal: controller.signal });
    const ended = ask(one, "merge", { do: "wait", flags: second });
    await until(first, BEGUN);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    expect(Atomics.load(first, LET_GO)).toBe(1);
    await until(second, BEGUN);
    const closing = one.close();
    await expect(ended).rejects.toMatchObject({ code: "cancelled" });
    await closing;
    await expect(ask(one, "search", { do: "echo", value: 1 })).rejects.toMatchObject({ code: "closed" });
  });

  it("share what is made of a value until it is forgotten", async () => {
    const one = executor();
    const where = flags();
    const shared = [{ key: "fields/u/1", value: "v" }];
    const use = () => ask(one, "search", { do: "shared", key: "fields/u/1", flags: where }, { shared });
    await use();
    expect(await use()).toEqual({ made: "v" });
    expect(Atomics.load(where, MADE)).toBe(1);
    one.forget("fields/u/");
    await use();
    expect(Atomics.load(where, MADE)).toBe(2);
  });
});
