import { describe, expect, it } from "vitest";
import { CorruptionError, EngineError, InternalError } from "../errors.js";
import { receivedError, sendableError } from "./errors.js";

/** The error as it arrives on another thread. */
function sent(error: unknown): EngineError {
  return receivedError(structuredClone(sendableError(error)));
}

describe("an error that crosses threads", () => {
  it.each([
    new EngineError("mapping_conflict", "a field has two types", { field: "a", count: 2, exact: true }),
    new CorruptionError("/data/x.seg", 12, "ab", "cd"),
    new InternalError("a state that cannot be", { value: 7 }),
  ])("is what it was: %s", (error) => {
    const arrived = sent(error);
    expect(arrived.constructor).toBe(error.constructor);
    const { name, code, message, details, stack } = arrived;
    expect({ name, code, message, details, stack }).toEqual({
      name: error.name,
      code: error.code,
      message: error.message,
      details: error.details,
      stack: error.stack,
    });
  });

  it("keeps its causes, whatever they are", () => {
    const inner = new EngineError("invalid_value", "no number", { field: "n" }, { cause: new RangeError("too large") });
    const { cause } = sent(new EngineError("invalid_value", "cannot parse", {}, { cause: inner }));
    expect(cause).toBeInstanceOf(EngineError);
    expect(cause).toMatchObject({ code: "invalid_value", message: "no number", details: { field: "n" } });
    expect((cause as Error).cause).toMatchObject({ name: "RangeError", message: "too large" });
  });

  it("is a fault of ours when it is no error of the engine", () => {
    expect(sent(new TypeError("x is not a function"))).toMatchObject({
      code: "internal",
      message: "TypeError: x is not a function",
    });
    expect(sent("just text")).toMatchObject({ code: "internal", message: "Error: just text" });
  });
});
