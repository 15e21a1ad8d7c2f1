import { expect, test } from "vitest";
import type { Level } from "./levels.js";
import { type PlacedHit, withoutRepeats } from "./overlap.js";

function hit(path: string, startLine: number, endLine: number): PlacedHit {
  const place = { repo: "r", path, startLine, endLine, qualifiedName: "", blob: "", span: "", lines: [] };
  return { rendered: { location: "l", signature: "s", lines: "m", body: "b" }, place };
}

const whole = { location: "l", signature: "s", lines: "m", body: "b" };
const levels: Level[] = ["body", "body"];

test("what lies inside a body shown earlier becomes a location", () => {
  expect(withoutRepeats([hit("a", 1, 20), hit("a", 5, 9)], levels)).toEqual([
    whole,
    { location: "l", signature: "l", lines: "l" },
  ]);
});

test("what lies around one keeps its lines", () => {
  expect(withoutRepeats([hit("a", 5, 9), hit("a", 1, 20)], levels)).toEqual([whole, { ...whole, body: undefined }]);
});

test("other files, other places and hits that are gone stay as they are", () => {
  const gone = { ...hit("a", 1, 1), place: undefined };
  expect(
    withoutRepeats([hit("a", 1, 20), hit("b", 5, 9), hit("a", 21, 30), gone], ["body", "body", "body", "lines"]),
  ).toEqual([whole, whole, whole, whole]);
  expect(withoutRepeats([hit("a", 1, 20), hit("a", 5, 9)], ["lines", "body"])).toEqual([whole, whole]);
});
