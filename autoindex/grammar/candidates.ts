/**
 * Finds the nodes of a tree at which patterns of a query may begin, by reading the parser's memory. A query cursor looks at
 * every node anew (its fields, siblings and both of its ends), which takes longer than parsing; most nodes begin nothing, and
 * the cursor need only be sent to the others.
 *
 * That the memory is laid out as subtrees.ts says is checked with every tree: the runtime knows how many nodes there are.
 */
import type { Tree } from "web-tree-sitter";
import type { ParserMemory } from "./runtime.js";
import {
  CHILDREN,
  FLAGS,
  PADDING,
  PRODUCTION,
  SIZE,
  SubtreeFlags,
  Subtrees,
  SYMBOL,
  VISIBLE_BELOW,
} from "./subtrees.js";

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

/**
 * The walk. It meets every node of every file, so it reads each subtree's words once and itself, as subtrees.ts says
 * they lie, instead of asking for one fact after the other.
 */
class Walk {
  /** Nodes that were met. */
  visible = 0;
  readonly found: number[] = [];
  readonly #subtrees: Subtrees;
  #levels = new Uint32Array(LEVEL * 256);

  constructor(
    private readonly memory: ParserMemory,
    tree: Tree,
    private readonly wanted: WantedTypes,
  ) {
    this.#subtrees = new Subtrees(memory, tree);
  }

  /** False when `step` ended it. */
  run(step: () => boolean): boolean {
    let depth = this.#enterRoot();
    let next = NODES_PER_STEP;
    while (depth > 0) {
      depth = this.#children(depth);
      if (this.visible < next) continue;
      next = this.visible + NODES_PER_STEP;
      if (step()) return false;
    }
    return true;
  }

  #enterRoot(): number {
    const subtrees = this.#subtrees;
    const { root } = subtrees;
    const start = subtrees.padding(root);
    this.visible = 1;
    if (this.wanted[subtrees.type(root, 0)] === 1) this.found.push(4 * root, start, 0);
    if (subtrees.children(root) === 0 || subtrees.visibleBelow(root) === 0) return 0;
    this.#open(0, this.memory.HEAPU32[root]! >>> 2, start);
    return 1;
  }

  /** The children of the innermost level up to one that has children of its own; answers how deep the walk is then. */
  #children(depth: number): number {
    const { HEAPU32: u32, HEAPU16: u16 } = this.memory;
    const { wanted, found } = this;
    const { symbols, publicSymbols } = this.#subtrees;
    const levels = this.#levels;
    const level = LEVEL * (depth - 1);
    const end = levels[level + 1]!;
    let slot = levels[level]!;
    let at = levels[level + 2]!;
    let aliases = levels[level + 3]!;
    for (; slot < end; slot += 2) {
      const head = u32[slot]!;
      const heap = head >>> 2;
      const isInPlace = (head & 1) === 1;
      const rest = isInPlace ? u32[slot + 1]! : 0;
      const start = at + (isInPlace ? (rest >>> 16) & 0xff : u32[heap + PADDING]!);
      at = start + (isInPlace ? rest >>> 24 : u32[heap + SIZE]!);
      const flags = isInPlace ? head >>> 1 : u32[heap + FLAGS]!;
      const alias = aliases !== 0 && (flags & SubtreeFlags.extra) === 0 ? u16[aliases++]! : 0;
      if (alias !== 0 || (flags & SubtreeFlags.visible) !== 0) {
        this.visible++;
        const symbol = alias || (isInPlace ? (head >>> 8) & 0xff : u32[heap + SYMBOL]! & 0xffff);
        const type = symbol < symbols ? u16[publicSymbols + symbol]! : symbol;
        if (wanted[type] === 1) found.push(4 * slot, start, alias);
      }
      if (isInPlace || u32[heap + CHILDREN] === 0 || u32[heap + VISIBLE_BELOW] === 0) continue;
      levels[level] = slot + 2;
      levels[level + 2] = at;
      levels[level + 3] = aliases;
      this.#open(depth, heap, start);
      return depth + 1;
    }
    return depth - 1;
  }

  /** Makes the children of a subtree on the heap, which begins at `start`, the next level. */
  #open(depth: number, heap: number, start: number): void {
    const { HEAPU32: u32 } = this.memory;
    const first = heap - 2 * u32[heap + CHILDREN]!;
    const at = LEVEL * depth;
    if (at + LEVEL > this.#levels.length) this.#deepen();
    this.#levels[at] = first;
    this.#levels[at + 1] = heap;
    this.#levels[at + 2] = start - this.#subtrees.padding(first);
    this.#levels[at + 3] = this.#subtrees.aliasesOf(u32[heap + PRODUCTION]! >>> 16);
  }

  #deepen(): void {
    const larger = new Uint32Array(2 * this.#levels.length);
    larger.set(this.#levels);
    this.#levels = larger;
  }
}
