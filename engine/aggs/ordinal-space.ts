/**
 * Ordinals of a field that hold across segments: all terms of all leaves, merged in byte order. A single leaf's ordinals are
 * taken as they are.
 */
import type { Field } from "../mapping/field-table.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { TermDictionary } from "../segment/types.js";

/** A field's terms over all segments, numbered in byte order. */
export interface OrdinalSpace {
  readonly size: number;
  /** Global ordinal of each of a leaf's ordinals; null: they are the same. */
  toGlobal(leaf: LeafContext): Uint32Array | null;
  /** Bytes of a global ordinal's term. */
  term(ordinal: number): Uint8Array;
}

/** The space of a field over several readers; `fieldOf` finds the field in each. */
export function ordinalSpace(
  contexts: readonly ReaderContext[],
  fieldOf: (context: ReaderContext) => Field | undefined,
): OrdinalSpace {
  const parts: Part[] = [];
  for (const context of contexts) {
    const field = fieldOf(context);
    if (field === undefined) continue;
    for (const leaf of context.leaves) {
      const dictionary = leaf.segment.terms(field);
      if (dictionary !== null && dictionary.size > 0) parts.push({ leaf, dictionary });
    }
  }
  if (parts.length === 0) return { size: 0, toGlobal: () => null, term: () => new Uint8Array(0) };
  if (parts.length === 1) {
    const [{ dictionary }] = parts;
    return { size: dictionary.size, toGlobal: () => null, term: (ordinal) => dictionary.term(ordinal) };
  }
  const merged = cachedMerge(contexts, parts, fieldOf);
  const maps = new Map(parts.map((part, i) => [part.leaf.segment, merged.maps[i]]));
  return {
    size: merged.sourcePart.length,
    toGlobal: (leaf) => maps.get(leaf.segment) ?? null,
    term: (ordinal) => parts[merged.sourcePart[ordinal]].dictionary.term(merged.sourceOrdinal[ordinal]),
  };
}

interface Part {
  readonly leaf: LeafContext;
  readonly dictionary: TermDictionary;
}

interface Merged {
  readonly maps: readonly Uint32Array[];
  /** Where each global ordinal's term stands. */
  readonly sourcePart: Uint32Array;
  readonly sourceOrdinal: Uint32Array;
}

/** A term of a dictionary while it is merged: its place in the map, and in two lists. */
const MERGE_BYTES = 28;

/** One index's merge is kept with its reader; merges over several are made anew. */
function cachedMerge(
  contexts: readonly ReaderContext[],
  parts: readonly Part[],
  fieldOf: (context: ReaderContext) => Field | undefined,
): Merged {
  const { memory } = contexts[0].environment;
  const bytes = parts.reduce((sum, { dictionary }) => sum + dictionary.size, 0) * MERGE_BYTES;
  if (contexts.length > 1) {
    memory.charge(bytes, "<ordinals over indices>");
    return merge(parts);
  }
  const { cache } = contexts[0].reader;
  const key = `ordinals:${fieldOf(contexts[0])?.ordinal}`;
  const known = cache.get(key) as Merged | undefined;
  if (known !== undefined) return known;
  memory.charge(bytes, "<ordinals over segments>");
  const made = merge(parts);
  memory.release(bytes);
  cache.set(key, made, { bytes: mergedBytes(made), field: fieldOf(contexts[0])?.path });
  return made;
}

function mergedBytes({ maps, sourcePart, sourceOrdinal }: Merged): number {
  return maps.reduce((sum, map) => sum + map.byteLength, sourcePart.byteLength + sourceOrdinal.byteLength);
}

/** Merges sorted dictionaries; few parts, so the least is found by looking at each. */
function merge(parts: readonly Part[]): Merged {
  const maps = parts.map((part) => new Uint32Array(part.dictionary.size));
  const next = parts.map(() => 0);
  const heads: (Uint8Array | null)[] = parts.map((part) => part.dictionary.term(0));
  const sourcePart: number[] = [];
  const sourceOrdinal: number[] = [];
  for (;;) {
    const least = leastHead(heads);
    if (least < 0) break;
    const term = heads[least] as Uint8Array;
    const global = sourcePart.length;
    sourcePart.push(least);
    sourceOrdinal.push(next[least]);
    for (let p = least; p < parts.length; p++) {
      const head = heads[p];
      if (head === null || (p !== least && Buffer.compare(head, term) !== 0)) continue;
      maps[p][next[p]++] = global;
      heads[p] = next[p] < parts[p].dictionary.size ? parts[p].dictionary.term(next[p]) : null;
    }
  }
  return { maps, sourcePart: Uint32Array.from(sourcePart), sourceOrdinal: Uint32Array.from(sourceOrdinal) };
}

function leastHead(heads: readonly (Uint8Array | null)[]): number {
  let least = -1;
  for (let p = 0; p < heads.length; p++) {
    const head = heads[p];
    if (head === null) continue;
    if (least < 0 || Buffer.compare(head, heads[least] as Uint8Array) < 0) least = p;
  }
  return least;
}
