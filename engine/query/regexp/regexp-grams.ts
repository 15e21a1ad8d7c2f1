/** What grams a value must have so that a pattern in Lucene's syntax can match it. */
import { ALL_TEXTS, allOf, type GramQuery, type Node, requiredGrams } from "../../regex/index.js";
import { type Expression, Expressions } from "./expressions.js";
import { parseRegexp, type RegexpCase } from "./parse.js";

/** Copies of a repeated part that are looked at; what is repeated more often is taken for "so often or more". */
const MAX_COPIES = 8;
const ANYTHING: Node = {
  kind: "repeat",
  of: { kind: "set", ranges: [[0, 0x10ffff]] },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  greedy: true,
};

/** Never leaves out a value that matches. Throws what parsing throws. */
export function regexpGrams(pattern: string, letters: RegexpCase): GramQuery {
  return gramsOf(parseRegexp(pattern, new Expressions(), letters));
}

function gramsOf({ shape }: Expression): GramQuery {
  if (shape.kind === "and") return allOf(shape.parts.map(gramsOf));
  return shape.kind === "not" ? ALL_TEXTS : requiredGrams(node({ shape }), "lines");
}

/** As a tree of the other syntax; what that has not is taken for anything. */
function node({ shape }: Pick<Expression, "shape">): Node {
  switch (shape.kind) {
    case "none":
      return { kind: "set", ranges: [] };
    case "empty":
      return { kind: "empty" };
    case "set":
      return { kind: "set", ranges: shape.ranges };
    case "concat":
      return { kind: "concat", parts: [node(shape.first), node(shape.rest)] };
    case "repeat": {
      const many = shape.max > MAX_COPIES;
      const max = many ? Number.POSITIVE_INFINITY : shape.max;
      return { kind: "repeat", of: node(shape.of), min: Math.min(shape.min, MAX_COPIES), max, greedy: true };
    }
    case "or":
      return { kind: "or", parts: shape.parts.map(node) };
    case "and":
    case "not":
      return ANYTHING;
  }
}
