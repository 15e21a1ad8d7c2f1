/**
 * Trees as the parser's runtime keeps them, read out of its memory: of tree-sitter 0.27 in 32-bit WebAssembly (its
 * subtree.h, parser.h and tree.h). In bytes from the beginning of each:
 *
 *   tree         0 root (a subtree), 8 language
 *   subtree      8 bytes. Bit 0 set: a leaf in place: byte 0 flags (2 visible, 8 extra, 32 missing), byte 1 symbol, byte 6
 *                padding, byte 7 size. Else the first 4 are the address of a subtree on the heap:
 *   on the heap  4 padding, 16 size (bytes of UTF-16), 32 cost of errors, 36 children, 40 symbol (u16), 44 flags (u16: 1
 *                visible, 4 extra, 512 missing); with children 48 visible children, 56 visible nodes below it, 66 production
 *                (u16). Its children lie before it
 *   language     4 symbols, 36 longest alias sequence (u16), 76 public symbols (u16 each), 84 alias sequences (u16 each)
 *
 * Subtrees are named by the word (4 bytes) at which their 8 bytes begin. Valid until the runtime's memory grows.
 */
import type { Tree } from "web-tree-sitter";
import { type ParserMemory, treeAddress } from "./runtime.js";

/** Flags of a subtree, wherever it lies. */
export const SubtreeFlags = { visible: 1, extra: 4 } as const;

/** The symbol of what made no sense to the parser. */
export const ERROR_SYMBOL = 65_535;

// Words of a subtree on the heap, for those who read every one.
export const PADDING = 1;
export const SIZE = 4;
export const CHILDREN = 9;
export const SYMBOL = 10;
export const FLAGS = 11;
export const VISIBLE_BELOW = 14;
export const PRODUCTION = 16;
const LANGUAGE = 2;
const ERROR_COST = 8;
const VISIBLE_CHILDREN = 12;
const SYMBOL_COUNT = 1;
const ALIAS_LENGTH = 9;
const PUBLIC_SYMBOLS = 19;
const ALIAS_SEQUENCES = 21;
const MISSING_IN_PLACE = 32;
const MISSING = 512;

/** Reads the subtrees of one tree. */
export class Subtrees {
  readonly root: number;
  readonly #u32: Uint32Array;
  readonly #u16: Uint16Array;
  /** How many symbols have a public one, and where those lie (u16 each). */
  readonly symbols: number;
  readonly publicSymbols: number;
  readonly #aliasSequences: number;
  readonly #aliasLength: number;

  constructor(memory: ParserMemory, tree: Tree) {
    this.#u32 = memory.HEAPU32;
    this.#u16 = memory.HEAPU16;
    this.root = treeAddress(tree) >>> 2;
    const language = this.#u32[this.root + LANGUAGE]! >>> 2;
    this.symbols = this.#u32[language + SYMBOL_COUNT]!;
    this.publicSymbols = this.#u32[language + PUBLIC_SYMBOLS]! >>> 1;
    this.#aliasSequences = this.#u32[language + ALIAS_SEQUENCES]! >>> 1;
    this.#aliasLength = this.#u32[language + ALIAS_LENGTH]! & 0xffff;
  }

  /** Bytes between the node before and this one. */
  padding(slot: number): number {
    const head = this.#u32[slot]!;
    return head & 1 ? (this.#u32[slot + 1]! >>> 16) & 0xff : this.#u32[(head >>> 2) + PADDING]!;
  }

  /** Bytes of its text. */
  size(slot: number): number {
    const head = this.#u32[slot]!;
    return head & 1 ? this.#u32[slot + 1]! >>> 24 : this.#u32[(head >>> 2) + SIZE]!;
  }

  /** See SubtreeFlags. */
  flags(slot: number): number {
    const head = this.#u32[slot]!;
    return head & 1 ? head >>> 1 : this.#u32[(head >>> 2) + FLAGS]!;
  }

  isMissing(slot: number): boolean {
    const head = this.#u32[slot]!;
    return head & 1 ? (head & MISSING_IN_PLACE) !== 0 : (this.#u32[(head >>> 2) + FLAGS]! & MISSING) !== 0;
  }

  /** Whether it is an error or missing, or something in it is. */
  hasError(slot: number): boolean {
    const head = this.#u32[slot]!;
    return head & 1 ? (head & MISSING_IN_PLACE) !== 0 : this.#u32[(head >>> 2) + ERROR_COST]! > 0;
  }

  /** The symbol of its type, as queries and `Language.types` number them; `alias`: what it is called where it stands, or 0. */
  type(slot: number, alias: number): number {
    const head = this.#u32[slot]!;
    const symbol = alias || (head & 1 ? (head >>> 8) & 0xff : this.#u32[(head >>> 2) + SYMBOL]! & 0xffff);
    return symbol < this.symbols ? this.#u16[this.publicSymbols + symbol]! : symbol;
  }

  /** How many children it has, those that no node shows included. */
  children(slot: number): number {
    const head = this.#u32[slot]!;
    return head & 1 ? 0 : this.#u32[(head >>> 2) + CHILDREN]!;
  }

  /** The word behind its last child: children are two words each, in order. Only of what has children. */
  endOfChildren(slot: number): number {
    return this.#u32[slot]! >>> 2;
  }

  /** How many children it has as a node. Only of what has children. */
  visibleChildren(slot: number): number {
    return this.#u32[(this.#u32[slot]! >>> 2) + VISIBLE_CHILDREN]!;
  }

  /** How many nodes are below it. Only of what has children. */
  visibleBelow(slot: number): number {
    return this.#u32[(this.#u32[slot]! >>> 2) + VISIBLE_BELOW]!;
  }

  /** Where the aliases of its children begin, for `alias`: of each that is not extra the next one; 0: they have none. */
  aliases(slot: number): number {
    return this.aliasesOf(this.#u32[(this.#u32[slot]! >>> 2) + PRODUCTION]! >>> 16);
  }

  /** The same of a production. */
  aliasesOf(production: number): number {
    return production === 0 ? 0 : this.#aliasSequences + production * this.#aliasLength;
  }

  /** 0: none. */
  alias(place: number): number {
    return this.#u16[place]!;
  }
}
