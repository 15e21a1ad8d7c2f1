import { describe, expect, it } from "vitest";
import type { RunContext } from "./protocol.js";
import { kindOf, type Task, TaskQueue } from "./task-queue.js";

const context: RunContext = { root: "/", repo: "r", branches: [], maxFileBytes: 1000 };

function task(path: string, more: Partial<Task> = {}): Task {
  const job = { path, knownBlob: "", knownVersion: "", records: "dataset" as const };
  return { context, job, bytes: 100, resolve: () => {}, reject: () => {}, isSuspect: false, ...more };
}

function queueOf(...tasks: Task[]): TaskQueue {
  const queue = new TaskQueue();
  for (const each of tasks) queue.push(each);
  return queue;
}

function take(queue: TaskQueue, known: string, knownToOthers: string, most = 16): string[] {
  const wanted = { most, known: new Set(known.split(" ")), knownToOthers: new Set(knownToOthers.split(" ")) };
  return queue.take(wanted).map(({ job }) => job.path);
}

describe("the queue of files", () => {
  it("gives a process what it knows and what nobody knows, in order", () => {
    const queue = queueOf(...["a.c", "b.rb", "c.py", "d.c", "e.rb"].map((path) => task(path)));
    expect(take(queue, "c", "c rb")).toEqual(["a.c", "c.py", "d.c"]);
    expect(take(queue, "c", "rb")).toEqual([]);
    expect(queue.length).toBe(2);
    expect(take(queue, "", "c")).toEqual(["b.rb", "e.rb"]);
  });

  it("has another process learn a kind of which much waits", () => {
    const many = Array.from({ length: 64 }, (_, at) => task(`${at}.c`));
    expect(take(queueOf(...many), "", "c")).toHaveLength(16);
    expect(take(queueOf(...many.slice(0, 60)), "", "c")).toEqual([]);
    expect(take(queueOf(task("large.c", { bytes: 300_000 }), task("b.py")), "", "c py")).toEqual(["large.c"]);
  });

  it("counts what waits, not what was there", () => {
    const queue = queueOf(...Array.from({ length: 64 }, (_, at) => task(`${at}.c`)));
    take(queue, "c", "", 10);
    expect(take(queue, "", "c")).toEqual([]);
    queue.unshift(...Array.from({ length: 10 }, (_, at) => task(`${at}.c`)));
    expect(take(queue, "", "c", 2)).toEqual(["0.c", "1.c"]);
    expect(queue.drain()).toHaveLength(62);
    queue.push(task("a.c"));
    expect(take(queue, "", "c")).toEqual([]);
  });

  it("gives a suspect alone, whoever knows its kind", () => {
    const queue = queueOf(task("a.c"), task("b.c"));
    queue.unshift(task("bad.c", { isSuspect: true }), task("c.c"), task("bad2.c", { isSuspect: true }));
    expect(take(queue, "", "c")).toEqual(["bad.c"]);
    expect(take(queue, "c", "")).toEqual(["c.c", "a.c", "b.c"]);
    expect(take(queue, "", "c")).toEqual(["bad2.c"]);
  });

  it("gives files of one context at a time", () => {
    const other = { ...context, repo: "other" };
    const queue = queueOf(task("a.c"), task("b.c", { context: other }), task("c.c"));
    expect(take(queue, "c", "")).toEqual(["a.c", "c.c"]);
    expect(take(queue, "c", "")).toEqual(["b.c"]);
  });

  it.each([
    ["a/b.test.TS", "ts"],
    ["a.b/Makefile", ""],
    [".gitignore", "gitignore"],
    ["x.", ""],
  ])("tells the kind of %s", (path, kind) => {
    expect(kindOf(task(path))).toBe(kind);
  });
});
