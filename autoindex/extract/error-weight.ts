import type { Tree } from "web-tree-sitter";
import type { ParserMemory } from "../grammar/runtime.js";
import { ERROR_SYMBOL, SubtreeFlags, Subtrees } from "../grammar/subtrees.js";

/** Nodes looked at; a tree with more errors than that is as bad as it gets. */
const MAX_NODES = 20_000;

/** How much of a text a tree could not make sense of: UTF-16 units in error nodes, and one for each imagined token. */
export function errorWeight(memory: ParserMemory, tree: Tree): number {
  const subtrees = new Subtrees(memory, tree);
  let weight = 0;
  let looked = 1;
  /** Subtrees to look into: of them, children that show as nodes are looked at, and those of children that do not. */
  const open: number[] = [];
  const look = (slot: number): void => {
    if (subtrees.type(slot, 0) === ERROR_SYMBOL) weight += 1 + (subtrees.size(slot) >>> 1);
    else if (subtrees.isMissing(slot)) weight++;
    else if (subtrees.hasError(slot)) open.push(slot);
  };
  look(subtrees.root);
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const end = subtrees.children(parent) === 0 ? 0 : subtrees.endOfChildren(parent);
    let alias = subtrees.aliases(parent);
    for (let slot = end - 2 * subtrees.children(parent); slot < end; slot += 2) {
      const flags = subtrees.flags(slot);
      const isAliased = alias !== 0 && (flags & SubtreeFlags.extra) === 0 && subtrees.alias(alias++) !== 0;
      const isVisible = (flags & SubtreeFlags.visible) !== 0 || isAliased;
      if (isVisible) {
        looked++;
        look(slot);
      } else if (subtrees.hasError(slot)) open.push(slot);
      else if (subtrees.children(slot) > 0) looked += subtrees.visibleChildren(slot);
      if (looked > MAX_NODES) return Number.MAX_SAFE_INTEGER;
    }
  }
  return weight;
}
