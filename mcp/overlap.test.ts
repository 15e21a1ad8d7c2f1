import { expect, test } from "vitest";
import type { Level } from "./levels.js";
import { type PlacedHit, withoutRepeats } from "./overlap.js";

const whole = { location: "l", signature: "s", lines: "m", body: "b" };

function hit(path: string, startLine: number, endLine: number): PlacedHit {
  const place = { repo: "r", path, startLine, endLine, qualifiedName: "", blob: "", span: "", lines: [] };
  return { render: () => ({ ...whole, keys: {} }), place };
}

/** A hit that shows the lines of these keys, each as its key. */
function lines(...keys: string[]): PlacedHit {
  const fresh = (seen: ReadonlySet<string>) => keys.filter((key) => !seen.has(key));
  return {
    render: (seen) => ({ location: "l", signature: "s", lines: fresh(seen).join(), keys: { lines: fresh(seen) } }),
    place: undefined,
  };
}

/** Hits without their keys. */
function texts(hits: PlacedHit[], levels: Level[]): Record<string, unknown>[] {
  return withoutRepeats(hits, levels).map(({ keys, ...text }) => text);
}

const levels: Level[] = ["body", "body"];

test("what lies inside a body shown earlier becomes a location", () => {
  expect(texts([hit("a", 1, 20), hit("a", 5, 9)], levels)).toEqual([
    whole,
    { location: "l", signature: "l", lines: "l" },
  ]);
});

test("what lies around one keeps its lines", () => {
  expect(texts([hit("a", 5, 9), hit("a", 1, 20)], levels)).toEqual([whole, { ...whole, body: undefined }]);
});

test("a line stays with the first hit that shows it", () => {
  const hits = [lines("1", "2"), lines("2", "3"), lines("3", "4")];
  expect(texts(hits, ["lines", "lines", "lines"]).map((text) => text.lines)).toEqual(["1,2", "3", "4"]);
  expect(texts(hits, ["location", "lines", "lines"]).map((text) => text.lines)).toEqual(["1,2", "2,3", "4"]);
});

test("what lies around lines shown earlier, and has no others, becomes a location", () => {
  const placed = (path: string, startLine: number, endLine: number, ...keys: string[]) => {
    return { ...lines(...keys), place: hit(path, startLine, endLine).place };
  };
  const rest = { location: "l", signature: "l", lines: "l" };
  const inner = placed("a", 5, 9, "1");
  const texts = (second: PlacedHit, level: Level = "lines") => withoutRepeats([inner, second], [level, "lines"])[1];
  expect(texts(placed("a", 1, 20, "1"))).toMatchObject(rest);
  expect(texts(placed("a", 1, 20, "1", "2"))).toMatchObject({ signature: "s", lines: "2" });
  expect(texts(placed("a", 1, 20, "1"), "location")).toMatchObject({ signature: "s", lines: "1" });
  expect(texts(placed("a", 1, 20))).toMatchObject({ signature: "s", lines: "" });
  // Inside of what has shown the line, the signature still says in what it stands.
  expect(withoutRepeats([placed("a", 1, 20, "1"), inner], ["lines", "lines"])[1]).toMatchObject({ signature: "s" });
});

test("other files, other places and hits that are gone stay as they are", () => {
  const gone = { ...hit("a", 1, 1), place: undefined };
  expect(texts([hit("a", 1, 20), hit("b", 5, 9), hit("a", 21, 30), gone], ["body", "body", "body", "lines"])).toEqual([
    whole,
    whole,
    whole,
    whole,
  ]);
  expect(texts([hit("a", 1, 20), hit("a", 5, 9)], ["lines", "body"])).toEqual([whole, whole]);
});
