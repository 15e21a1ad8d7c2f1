import { Edit, type Tree } from "web-tree-sitter";

/** Stretches that may differ; with more of them parsing afresh is as fast. */
const MAX_EDITS = 1000;

/** A text with its tree. */
export interface Parsed {
  text: string;
  tree: Tree;
}

/**
 * A tree to parse `text` from: that of another reading of it, equally long, told of the stretches where the two differ.
 * A parser takes over what lies outside of them, which is nearly everything, so that a second reading costs a quarter
 * of the first. Nothing when the two have too little in common. The caller deletes the tree.
 */
export function treeToStartFrom(known: Parsed, text: string): Tree | undefined {
  if (known.text.length !== text.length) return undefined;
  const stretches = differences(known.text, text);
  if (!stretches) return undefined;
  const tree = known.tree.copy();
  for (const { row, start, from, to } of stretches) {
    const end = { row, column: to - start };
    tree.edit(
      new Edit({
        startIndex: from,
        oldEndIndex: to,
        newEndIndex: to,
        startPosition: { row, column: from - start },
        oldEndPosition: end,
        newEndPosition: end,
      }),
    );
  }
  return tree;
}

/** A stretch [from, to) within a line, the line's number from 0 and where it begins. */
interface Stretch {
  row: number;
  start: number;
  from: number;
  to: number;
}

/** Where two texts of equal length differ; nothing when that is in too many places, or when their lines differ. */
function differences(a: string, b: string): Stretch[] | undefined {
  const found: Stretch[] = [];
  let row = 0;
  for (let start = 0; start <= a.length; row++) {
    const lineEnd = a.indexOf("\n", start);
    const end = lineEnd < 0 ? a.length : lineEnd;
    if (b[end] !== a[end]) return undefined;
    const [before, after] = [a.slice(start, end), b.slice(start, end)];
    if (before !== after) {
      if (found.length === MAX_EDITS || after.includes("\n")) return undefined;
      found.push({ row, start, ...ends(before, after, start) });
    }
    start = end + 1;
  }
  return found;
}

/** The stretch of a line from the first difference to the last. */
function ends(before: string, after: string, start: number): Pick<Stretch, "from" | "to"> {
  let from = 0;
  while (before[from] === after[from]) from++;
  let to = before.length;
  while (before[to - 1] === after[to - 1]) to--;
  return { from: start + from, to: start + to };
}
