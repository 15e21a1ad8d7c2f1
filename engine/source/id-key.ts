/** An `_id` as bytes with its hashes: what write buffer and segments look ids up by. */

/** Hashes are kept on disk (id table and filter): never change them without a new format version. */
export interface IdKey {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** Two independent 32-bit hashes, unsigned. */
  readonly hash: number;
  readonly fingerprint: number;
}

const encoder = new TextEncoder();
/** Holds the bytes of the last key, where they are short enough: ids are up to 512 bytes. */
const shared = new Uint8Array(2048);
let lastId: string | undefined;
let lastKey: IdKey | undefined;

/**
 * The key of an id, valid until the next call. The last one is remembered, because a write asks every segment for the
 * same id.
 */
export function idKey(id: string): IdKey {
  if (id === lastId && lastKey !== undefined) return lastKey;
  const bytes = encode(id);
  const hash = hashId(bytes, 0, bytes.length);
  lastKey = { bytes, hash, fingerprint: fingerprintOf(hash, bytes.length) };
  lastId = id;
  return lastKey;
}

/** Hashes of several ids, by their places. */
export interface IdHashes {
  readonly hashes: Uint32Array;
  readonly fingerprints: Uint32Array;
}

export function idHashes(ids: readonly string[]): IdHashes {
  const hashes = new Uint32Array(ids.length);
  const fingerprints = new Uint32Array(ids.length);
  lastId = undefined; // its bytes lie where these will
  ids.forEach((id, i) => {
    const bytes = encode(id);
    hashes[i] = hashId(bytes, 0, bytes.length);
    fingerprints[i] = fingerprintOf(hashes[i], bytes.length);
  });
  return { hashes, fingerprints };
}

function encode(id: string): Uint8Array {
  if (3 * id.length > shared.length) return encoder.encode(id);
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code >= 0x80) return shared.subarray(0, encoder.encodeInto(id, shared).written);
    shared[i] = code;
  }
  return shared.subarray(0, id.length);
}

/**
 * Hash of bytes [from, to): MurmurHash3_x86_32 (Austin Appleby, public domain) with seed 0x9747b28c.
 */
export function hashId(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x9747b28c;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    hash = mix(hash, word);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = to - 1; i >= at; i--) tail = (tail << 8) | bytes[i];
  if (at < to) hash = mix(hash, tail);
  return finish(hash ^ (to - from));
}

/** A second hash made from the first, for which bits of it don't matter: fingerprints in the table, bits in the filter. */
export function fingerprintOf(hash: number, length: number): number {
  return finish(Math.imul(hash ^ 0x5bd1e995, 0x9e3779b1) + length);
}

function mix(hash: number, word: number): number {
  const k = Math.imul(word, 0xcc9e2d51);
  return hash ^ Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

function finish(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
