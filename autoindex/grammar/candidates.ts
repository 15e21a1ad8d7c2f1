/**
 * Finds the nodes of a tree at which patterns of a query may begin, by reading the parser's memory. A query cursor looks at
 * every node anew (its fields, siblings and both of its ends), which takes longer than parsing; most nodes begin nothing, and
 * the cursor need only be sent to the others.
 *
 * That the memory is laid out as subtrees.ts says is checked with every tree: the runtime knows how many nodes there are.
 */
import type { Tree } from "web-tree-sitter";
import type { ParserMemory } from "./runtime.js";
import { SubtreeFlags, Subtrees } from "./subtrees.js";

/** Node types by symbol: 1 for those that are wanted. */
export type WantedTypes = Uint8Array;

/** Symbols are numbers of 16 bits. */
export const SYMBOLS = 65_536;
/** The type of what made no sense to the parser. */
export const ERROR_SYMBOL = 65_535;

/** Nodes between two looks at what may still be done. */
const NODES_PER_STEP = 100;

/** Words of a level of the walk: next child, end of the children, where the child before ended, next alias (0: none). */
const LEVEL = 4;

/** Nodes that were found: of each the address of its subtree, where it begins in bytes, and its alias (0: none). */
export type Candidates = readonly number[];
/** Numbers of a node. */
export const CANDIDATE = 3;

/**
 * Nodes of the wanted types in the order of a walk from the root down, outer before inner; `step` is called now and then
 * and ends it by answering true. Undefined when the tree is not laid out as said above.
 */
export function candidates(
  memory: ParserMemory,
  tree: Tree,
  wanted: WantedTypes,
  step: () => boolean,
): Candidates | undefined {
  const walk = new Walk(memory, tree, wanted);
  if (walk.run(step) && walk.visible !== tree.rootNode.descendantCount) return undefined;
  return walk.found;
}

class Walk {
  /** Nodes that were met. */
  visible = 0;
  readonly found: number[] = [];
  readonly #subtrees: Subtrees;
  #levels = new Uint32Array(LEVEL * 256);
  #depth = 0;

  constructor(
    memory: ParserMemory,
    tree: Tree,
    private readonly wanted: WantedTypes,
  ) {
    this.#subtrees = new Subtrees(memory, tree);
  }

  /** False when `step` ended it. */
  run(step: () => boolean): boolean {
    const { root } = this.#subtrees;
    this.#enter(root, this.#subtrees.padding(root), 0, true);
    let next = NODES_PER_STEP;
    while (this.#depth > 0) {
      this.#child();
      if (this.visible < next) continue;
      next += NODES_PER_STEP;
      if (step()) return false;
    }
    return true;
  }

  /** The next child of the innermost level, or back to the level around it. */
  #child(): void {
    const levels = this.#levels;
    const level = LEVEL * (this.#depth - 1);
    const slot = levels[level]!;
    if (slot === levels[level + 1]) {
      this.#depth--;
      return;
    }
    levels[level] = slot + 2;
    const subtrees = this.#subtrees;
    const flags = subtrees.flags(slot);
    const start = levels[level + 2]! + subtrees.padding(slot);
    levels[level + 2] = start + subtrees.size(slot);
    const hasAlias = levels[level + 3] !== 0 && (flags & SubtreeFlags.extra) === 0;
    const alias = hasAlias ? subtrees.alias(levels[level + 3]!++) : 0;
    this.#enter(slot, start, alias, (flags & SubtreeFlags.visible) !== 0 || alias !== 0);
  }

  #enter(slot: number, start: number, alias: number, isVisible: boolean): void {
    const subtrees = this.#subtrees;
    if (isVisible) {
      this.visible++;
      if (this.wanted[subtrees.type(slot, alias)] === 1) this.found.push(4 * slot, start, alias);
    }
    const children = subtrees.children(slot);
    if (children === 0 || subtrees.visibleBelow(slot) === 0) return;
    const end = subtrees.endOfChildren(slot);
    const first = end - 2 * children;
    const at = LEVEL * this.#depth++;
    if (at + LEVEL > this.#levels.length) this.#deepen();
    this.#levels[at] = first;
    this.#levels[at + 1] = end;
    this.#levels[at + 2] = start - subtrees.padding(first);
    this.#levels[at + 3] = subtrees.aliases(slot);
  }

  #deepen(): void {
    const larger = new Uint32Array(2 * this.#levels.length);
    larger.set(this.#levels);
    this.#levels = larger;
  }
}
