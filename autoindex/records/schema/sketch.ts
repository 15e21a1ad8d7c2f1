/** Hashes kept: the estimate of distinct values is off by some 6 %, and overlaps are told from 256 values. */
export const SKETCH_SIZE = 256;
const HASHED_CHARS = 256;
const HASHES = 2 ** 32;

/**
 * The smallest hashes of a field's values (bottom-k sketch): tells how many different values there are, and of two fields
 * how many they share, without keeping the values. The same values give the same sketch in any order.
 */
export class DistinctSketch {
  #kept = new Set<number>();
  #limit = HASHES;

  add(text: string): void {
    const hash = hashOf(text);
    if (hash >= this.#limit) return;
    this.#kept.add(hash);
    if (this.#kept.size >= SKETCH_SIZE * 4) this.#compact();
  }

  /** Different values, exact while there are some hundred. */
  estimate(): number {
    if (this.#limit === HASHES) return this.#kept.size;
    const hashes = this.smallest();
    return hashes.length < SKETCH_SIZE ? hashes.length : Math.round(((SKETCH_SIZE - 1) / hashes.at(-1)!) * HASHES);
  }

  /** Ascending. */
  smallest(): number[] {
    return [...this.#kept].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
  }

  /** As text for the catalog. */
  print(): string {
    const hashes = this.smallest();
    const bytes = Buffer.alloc(hashes.length * 4);
    for (const [at, hash] of hashes.entries()) bytes.writeUInt32LE(hash, at * 4);
    return bytes.toString("base64");
  }

  #compact(): void {
    const hashes = this.smallest();
    this.#kept = new Set(hashes);
    this.#limit = hashes.at(-1)!;
  }
}

/** The hashes of a printed sketch, ascending; none for a text that is no sketch. */
export function parseSketch(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(at * 4));
}

/**
 * Estimated share of the values of `a` that `b` has, and the number of hashes it is told from. Hashes up to the smaller
 * of both limits are known for both sides.
 */
export function containment(a: readonly number[], b: readonly number[]): { share: number; seen: number } {
  const limit = Math.min(limitOf(a), limitOf(b));
  const other = new Set(b);
  const comparable = a.filter((hash) => hash <= limit);
  const shared = comparable.filter((hash) => other.has(hash)).length;
  return { share: comparable.length === 0 ? 0 : shared / comparable.length, seen: comparable.length };
}

function limitOf(hashes: readonly number[]): number {
  return hashes.length < SKETCH_SIZE ? HASHES : hashes.at(-1)!;
}

/** FNV-1a over UTF-16 units with a last mixing step, so that the smallest hashes are a fair sample. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  const length = Math.min(text.length, HASHED_CHARS);
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
