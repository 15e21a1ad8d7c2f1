import { expect, test } from "vitest";
import { acceptedNames, readParameters } from "./http/parameters.js";
import { PARAMETERS } from "./parameters.js";

const read = (queryString: string) =>
  readParameters(
    queryString,
    acceptedNames(["size", "refresh", "q", "request_cache", "timeout", "max_docs"]),
    "/i/_search",
  );

test("the table is sorted by name", () => {
  expect(Object.keys(PARAMETERS)).toEqual(Object.keys(PARAMETERS).sort());
});

test("moot and refused parameters say why", () => {
  const silent = Object.entries(PARAMETERS).filter(
    ([, parameter]) => parameter.effect !== "honoured" && !("note" in parameter && parameter.note),
  );
  expect(silent).toEqual([]);
});

test.each([
  ["siz=1", "request [/i/_search] contains unrecognized parameter: [siz] -> did you mean [size]?"],
  ["foo=1&bar=2", "request [/i/_search] contains unrecognized parameters: [foo], [bar]"],
  ["request_cache=maybe", "Failed to parse value [maybe] as only [true] or [false] are allowed."],
  ["timeout=5", "failed to parse setting [timeout] with value [5] as a time value: unit is missing or unrecognized"],
])("%s is refused", (queryString, reason) => {
  expect(() => read(queryString)).toThrow(reason);
});

test("a number of the wrong form names the parameter", () => {
  expect(() => read("size=surprise_me").integer("size")).toThrow(
    "Failed to parse int parameter [size] with value [surprise_me]",
  );
});

test("a refresh that is none is refused by those who write, before they do", () => {
  expect(() => read("refresh=maybe").refresh()).toThrow("Unknown value for refresh: [maybe].");
});

test("an empty boolean means true", () => {
  expect(read("refresh=").refresh()).toBe("true");
  expect(read("pretty").boolean("pretty", false)).toBe(true);
});
