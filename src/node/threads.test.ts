import { describe, expect, it } from "vitest";
import { UsageError } from "../command.js";
import { threadOptions } from "./threads.js";

describe("the node's threads", () => {
  it("are --workers, else PINAKES_WORKERS, else left to the engine", () => {
    expect(threadOptions(3, { PINAKES_WORKERS: "5" }).workers).toBe(3);
    expect(threadOptions(0, { PINAKES_WORKERS: "5" }).workers).toBe(0);
    expect(threadOptions(undefined, { PINAKES_WORKERS: "5" }).workers).toBe(5);
    expect(threadOptions(undefined, {})).toEqual({ workers: undefined, workerNiceness: undefined });
  });

  it("give way as PINAKES_WORKER_NICENESS says", () => {
    expect(threadOptions(undefined, { PINAKES_WORKER_NICENESS: "0,19" }).workerNiceness).toEqual({
      search: 0,
      background: 19,
    });
  });

  it("are refused by name when they are no numbers, or too many", () => {
    expect(() => threadOptions(undefined, { PINAKES_WORKERS: "many" })).toThrow(UsageError);
    expect(() => threadOptions(undefined, { PINAKES_WORKERS: "32" })).toThrow(/PINAKES_WORKERS .* 0 to 31/);
    for (const text of ["5", "5,20", "-1,3", "a,b"]) {
      expect(() => threadOptions(undefined, { PINAKES_WORKER_NICENESS: text })).toThrow(/PINAKES_WORKER_NICENESS/);
    }
  });
});
