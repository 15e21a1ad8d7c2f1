import type { ParseCallback } from "web-tree-sitter";

/** UTF-16 units that the runtime takes at a time, of 10 KB with a zero at the end (binding_web/lib/tree-sitter.c of 0.27). */
const MOST_UNITS = 5119;
/** What a token and what stands around it take. */
const FEW_UNITS = 128;

/**
 * A text as a parser reads it, piece by piece from the place that it asks for. Most read on and now and then go back a
 * little; a scanner that asks for columns reads at the same place again and again (Scala's has each text copied 290
 * times that way): where it does pieces are short, and grow again as it reads on.
 */
export function inputOf(text: string): ParseCallback {
  let start = -1;
  let end = 0;
  let units = MOST_UNITS;
  return (index) => {
    if (index >= start && index < end) units = FEW_UNITS;
    else if (index === end) units = Math.min(2 * units, MOST_UNITS);
    start = index;
    end = index + units;
    return text.slice(start, end);
  };
}
