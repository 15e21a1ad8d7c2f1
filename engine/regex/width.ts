/** How many characters a pattern can match. */
import type { Node } from "./syntax.js";

/** The least and the most characters; `max` may be Infinity. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

const NONE: Width = { min: 0, max: 0 };

/** The width of a pattern, in code points. */
export function widthOf(node: Node): Width {
  switch (node.kind) {
    case "empty":
    case "look":
    case "mark":
      return NONE;
    case "set":
      return { min: 1, max: 1 };
    case "concat":
      return node.parts.map(widthOf).reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }));
    case "or":
      return node.parts.map(widthOf).reduce((a, b) => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }));
    case "repeat":
      return repeated(widthOf(node.of), node.min, node.max);
  }
}

function repeated({ min, max }: Width, least: number, most: number): Width {
  return { min: min * least, max: max === 0 ? 0 : max * most };
}
