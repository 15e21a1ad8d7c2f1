/** Documents by how they were routed. What a segment's documents hash to is computed once and kept with it. */
import type { SegmentReader } from "../../segment/types.js";
import { noBits, setBit } from "./bits.js";
import { runAtOnce, type Steps } from "./pace.js";
import { routingHash, shardOfHash } from "./virtual-shard.js";

/** Documents written with a routing value. */
export function routedBits(segment: SegmentReader): Uint32Array {
  const bits = noBits(segment.docCount);
  for (let doc = 0; doc < segment.docCount; doc++) if (segment.routing(doc) !== undefined) setBit(bits, doc);
  return bits;
}

/** Documents of the wanted virtual shards. */
export function virtualShardBits(
  segment: SegmentReader,
  { shards, spread, wanted }: { shards: number; spread?: number; wanted: readonly number[] },
): Uint32Array {
  const bits = noBits(segment.docCount);
  const hashes = runAtOnce(hashDocuments(segment));
  const chosen = new Set(wanted);
  for (let doc = 0; doc < hashes.length; doc++) {
    if (chosen.has(shardOfHash(hashes[doc], shards, spread))) setBit(bits, doc);
  }
  return bits;
}

/** Four bytes a document, for as long as the segment lives: it never changes. */
const known = new WeakMap<SegmentReader, Int32Array>();

/** Documents hashed between two chances to pause. */
const DOCS_PER_STEP = 2048;

/** What the documents of a segment hash to. */
export function* hashDocuments(segment: SegmentReader): Steps<Int32Array> {
  const before = known.get(segment);
  if (before !== undefined) return before;
  const hashes = new Int32Array(segment.docCount);
  for (let doc = 0; doc < hashes.length; doc++) {
    hashes[doc] = routingHash(segment.routing(doc) ?? segment.id(doc));
    if (doc % DOCS_PER_STEP === DOCS_PER_STEP - 1) yield;
  }
  known.set(segment, hashes);
  return hashes;
}
