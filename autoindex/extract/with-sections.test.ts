import { expect, it } from "vitest";
import type { Declaration, Outline, Reference } from "./model.js";
import { withSections } from "./with-sections.js";

const declare = (kind: Declaration["kind"], name: string, [start, end]: [number, number]): Declaration => {
  return { kind, name, qualifiedName: name, signature: "", docstring: "", start, end };
};
const refer = (name: string, enclosing: string, start: number): Reference => {
  return { kind: "import", name, enclosing, start, end: start + 1, certainty: "exact" };
};

it("sections take the place of those of the language's reader; what it found besides stays, one of each range", () => {
  const sections = [declare("section", "Guide", [0, 50]), declare("section", "Goods", [20, 50])];
  const own: Outline = {
    declarations: [
      declare("section", "Other", [0, 40]),
      declare("function", "total", [5, 9]),
      declare("property", "goods", [20, 50]),
    ],
    references: [refer("a", "", 1), refer("b", "total", 6), refer("c", "Other", 30)],
    parsed: "grammar",
  };
  const { declarations, references, parsed } = withSections(sections, own);
  expect(declarations.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "section Guide",
    "function total",
    "section Goods",
  ]);
  expect(references.map(({ name, enclosing }) => `${name} in ${enclosing}`)).toEqual([
    "a in ",
    "b in total",
    "c in Goods",
  ]);
  expect(parsed).toBe("sections");
});

it("a text without sections is what its language's reader makes of it", () => {
  const own: Outline = { declarations: [declare("function", "f", [0, 3])], references: [], parsed: "grammar" };
  expect(withSections([], own)).toBe(own);
});
