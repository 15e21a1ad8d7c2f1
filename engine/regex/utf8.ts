/**
 * Sets of code points as automata over the bytes of UTF-8: a node has ranges of bytes that lead on to other nodes. Nodes are shared
 * where they lead on alike, so that `\w` takes some hundred of them.
 */
import { type Ranges, withoutSurrogates } from "./ranges.js";

/** Where bytes of a node lead: [low, high, target], ascending, apart from each other. */
export type ByteEdges = readonly (readonly [number, number, number])[];

/** The ranges of bytes that one stretch of code points is written as, one after the other. */
type Sequence = readonly (readonly [number, number])[];

/** Last code points that take 1, 2, 3 bytes. */
const WIDTH_ENDS = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/** The bytes of a set's characters as a tree: [low, high, what follows]; nothing follows a character's last byte. */
type Tree = readonly (readonly [number, number, Tree])[];

const trees = new WeakMap<Ranges, Tree>();

/**
 * The node that begins the characters of a set; every character ends at node `next`. `make` gives the number of a node with
 * these edges, the same for the same edges.
 */
export function utf8Automaton(ranges: Ranges, next: number, make: (edges: ByteEdges) => number): number {
  // The large classes are asked for again and again, and to cut them up takes longer than all the rest.
  const tree = trees.get(ranges) ?? treeOf(withoutSurrogates(ranges).flatMap(sequences));
  trees.set(ranges, tree);
  return tree.length === 0 ? make([]) : nodeOf(tree, next, make);
}

/** Sequences ascend, and those that begin with the same byte begin with the same range of bytes. */
function treeOf(all: readonly Sequence[]): Tree {
  const tree: (readonly [number, number, Tree])[] = [];
  for (let i = 0; i < all.length; ) {
    const [[low, high]] = all[i];
    const tails: Sequence[] = [];
    for (; i < all.length && all[i][0][0] === low; i++) if (all[i].length > 1) tails.push(all[i].slice(1));
    tree.push([low, high, treeOf(tails)]);
  }
  return tree;
}

function nodeOf(tree: Tree, next: number, make: (edges: ByteEdges) => number): number {
  if (tree.length === 0) return next;
  const edges: [number, number, number][] = [];
  for (const [low, high, rest] of tree) {
    const target = nodeOf(rest, next, make);
    const last = edges.at(-1);
    if (last !== undefined && last[2] === target && last[1] + 1 === low) last[1] = high;
    else edges.push([low, high, target]);
  }
  return make(edges);
}

/** Cuts a stretch of code points where its bytes are no product of ranges any more. */
function sequences([from, to]: readonly [number, number]): Sequence[] {
  for (const end of WIDTH_ENDS) {
    if (from <= end && to > end) return [...sequences([from, end]), ...sequences([end + 1, to])];
  }
  if (to < 0x80) return [[[from, to]]];
  for (const bits of [6, 12, 18]) {
    const mask = (1 << bits) - 1;
    if (from >> bits === to >> bits) break;
    if ((from & mask) !== 0) return [...sequences([from, from | mask]), ...sequences([(from | mask) + 1, to])];
    if ((to & mask) !== mask) return [...sequences([from, (to & ~mask) - 1]), ...sequences([to & ~mask, to])];
  }
  const first = encode(from);
  const last = encode(to);
  return [first.map((byte, i) => [byte, last[i]] as const)];
}

function encode(code: number): number[] {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
}
