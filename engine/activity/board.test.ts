import { expect, it } from "vitest";
import { ActivityBoard } from "./board.js";

const clock = { now: () => 1000 };
const search = { kind: "search" as const, action: "indices:data/read/search", describe: () => "everything" };

it("shows what runs until it ends, and counts by kind", () => {
  const board = new ActivityBoard(clock);
  const first = board.start(search);
  const second = board.start({ ...search, index: "a" });
  expect(board.list().map(({ id }) => id)).toEqual([1, 2]);
  first.end();
  first.end();
  expect(board.list()).toEqual([second]);
  expect(board.counts("search")).toEqual({ active: 1, completed: 1, largest: 2 });
  expect(board.counts("merge")).toEqual({ active: 0, completed: 0, largest: 0 });
});

it("tells what can be cancelled to end, and what runs for it", () => {
  const board = new ActivityBoard(clock);
  const told: string[] = [];
  const parent = board.start({ ...search, cancel: (reason) => told.push(`parent ${reason}`) });
  const child = board.start({ ...search, parent: parent.id, cancel: (reason) => told.push(`child ${reason}`) });
  const fixed = board.start(search);
  expect(board.cancel(fixed.id, "why")).toBe("not cancellable");
  expect(board.cancel(99, "why")).toBe("not found");
  expect(board.cancel(parent.id, "asked")).toBe("cancelled");
  expect(board.cancel(parent.id, "asked")).toBe("cancelled");
  expect(told).toEqual(["parent asked", "child asked"]);
  expect(child.cancelledAt).toBe(1000);
  expect(board.find(parent.id)).toBe(parent);
});

it("lets others wait for the end", async () => {
  const board = new ActivityBoard(clock);
  const running = board.start(search);
  let ended = false;
  const waiting = board.ended(running.id).then(() => {
    ended = true;
  });
  await Promise.resolve();
  expect(ended).toBe(false);
  running.end();
  await waiting;
  await board.ended(running.id);
});

it("gives no number out that was given before", () => {
  const board = new ActivityBoard(clock);
  board.beginAt(50);
  expect(board.start(search).id).toBe(50);
  board.beginAt(10);
  expect(board.start(search).id).toBe(51);
});
