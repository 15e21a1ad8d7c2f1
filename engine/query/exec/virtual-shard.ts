/**
 * Which shard Elasticsearch would keep a document on. An index is one piece here; shards are told apart so that `routing` and
 * `preference` answer with the same documents as there. Source: `OperationRouting`, `Murmur3HashFunction` and
 * `MetadataCreateIndexService.calculateNumRoutingShards` of Elasticsearch 7 and 8.
 */

/** Routing shards an index can be split into, as a power of two, unless it begins with more. */
const MAX_ROUTING_BITS = 10;

/** The shard, of `shards`, of a routing value (a document's id where it has none); see `shardOfHash`. */
export function shardOfRouting(routing: string, shards: number, spread = routingShards(shards)): number {
  return shardOfHash(routingHash(routing), shards, spread);
}

/** The shard of a `routingHash`; `spread`: the index's number of routing shards, a multiple of its shards. */
export function shardOfHash(hash: number, shards: number, spread = routingShards(shards)): number {
  if (shards <= 1) return 0;
  const slot = ((hash % spread) + spread) % spread;
  return Math.floor(slot / (spread / shards));
}

/** How many routing shards an index has that was not told a number. */
export function routingShards(shards: number): number {
  return shards * splitFactor(shards);
}

/** Routing shards per shard: shards can be split in two up to 1024, and at least once. */
function splitFactor(shards: number): number {
  const bits = 32 - Math.clz32(shards - 1);
  return 2 ** Math.max(1, MAX_ROUTING_BITS - bits);
}

/** MurmurHash3_x86_32 (Austin Appleby, public domain), seed 0, of the text's UTF-16 units, low byte first; signed. */
export function routingHash(text: string): number {
  let hash = 0;
  let at = 0;
  for (; at + 2 <= text.length; at += 2) {
    hash ^= scramble(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (at < text.length) hash ^= scramble(text.charCodeAt(at));
  hash ^= text.length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
