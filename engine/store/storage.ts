/**
 * What a thread needs to read and write segments. The thread that makes the arena creates its storage, others attach to
 * the same arena: pieces of segments are there once for all (extents.ts); kernels, cache and scratch memory are each
 * thread's own. Of a thread that has died, `releaseThread` takes back what it held.
 */
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import { Arena, MAX_THREADS } from "./arena.js";
import { BlockCache, type CacheStatistics, cacheStatistics } from "./block-cache.js";
import { type ExtentStatistics, Extents } from "./extents.js";
import type { Files } from "./files.js";
import { Scratch } from "./scratch.js";
import { UnpackedBlocks } from "./unpacked-blocks.js";

/** What every reader and writer of segments needs; one per node and thread. */
export interface Storage {
  readonly files: Files;
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly extents: Extents;
  readonly cache: BlockCache;
  readonly unpacked: UnpackedBlocks;
  readonly scratch: Scratch;
}

/** Default bounds of the cache of cold blocks: of the thread that makes the arena, and of others. */
const CACHE_BYTES = 32 * 2 ** 20;
const ATTACHED_CACHE_BYTES = 8 * 2 ** 20;

/** Unpacked blocks at hand in a thread, some 32 KiB each. */
const UNPACKED_BLOCKS = 64;

/** Puts the parts together; `cacheBytes` bounds the cache of cold blocks (JavaScript memory, not the arena). */
export function createStorage(
  files: Files,
  arena: Arena,
  kernels: Kernels,
  options: { cacheBytes?: number } = {},
): Storage {
  const cache = new BlockCache(options.cacheBytes ?? CACHE_BYTES, arena.statisticsOf(arena.thread));
  const unpacked = new UnpackedBlocks(UNPACKED_BLOCKS);
  return { files, arena, kernels, extents: new Extents(arena, kernels), cache, unpacked, scratch: new Scratch(arena) };
}

/** Storage of another thread on an arena that was posted to it; `thread` as Arena.attach takes it. */
export function attachStorage(
  files: Files,
  memory: WebAssembly.Memory,
  options: { thread: number; cacheBytes?: number },
): Storage {
  const arena = Arena.attach(memory, options.thread);
  const { cacheBytes = ATTACHED_CACHE_BYTES } = options;
  return createStorage(files, arena, loadKernels(memory), { cacheBytes });
}

/** An attached thread has closed its segments and ends: its memory is given back, its number is free. */
export function detachStorage({ arena, cache, unpacked, extents, scratch }: Storage): void {
  scratch.release();
  cache.clear();
  unpacked.clear();
  extents.close();
  arena.detach(arena.thread);
}

/** What a dead thread left in the arena. */
export interface Released {
  /** Pieces of segments that it kept. */
  readonly pins: number;
  /** Bytes it had allocated. */
  readonly bytes: number;
}

/**
 * Takes back what an attached thread held that has ended (for certain) without `detachStorage`, and frees its number.
 * Call it before anything that the thread worked on is closed. `memory`: "reclaim" what it allocated, which asks that it
 * called `arena.handOver` for all that others look at; or "leave" it taken for good.
 */
export function releaseThread({ arena, extents }: Storage, thread: number, memory: "reclaim" | "leave"): Released {
  const pins = extents.releasePinsOf(thread);
  const bytes = memory === "reclaim" ? arena.reclaim(thread) : 0;
  arena.detach(thread);
  return { pins, bytes };
}

/** What the segments of a node hold in memory: the arena's pieces, and the caches of all threads together. */
export interface StorageStatistics {
  readonly extents: ExtentStatistics;
  readonly cache: CacheStatistics;
}

export function storageStatistics({ arena, extents }: Storage): StorageStatistics {
  const cache = { bytes: 0, hits: 0, misses: 0 };
  for (let thread = 0; thread < MAX_THREADS; thread++) {
    const own = cacheStatistics(arena.statisticsOf(thread));
    cache.bytes += own.bytes;
    cache.hits += own.hits;
    cache.misses += own.misses;
  }
  return { extents: extents.statistics(), cache };
}
