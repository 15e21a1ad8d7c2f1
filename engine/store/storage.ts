import type { Kernels } from "../kernels/kernels.js";
import type { Arena } from "./arena.js";
import { BlockCache } from "./block-cache.js";
import { Extents } from "./extents.js";
import type { Files } from "./files.js";
import { Scratch } from "./scratch.js";

/** What every reader and writer of segments needs; one per node and thread. */
export interface Storage {
  readonly files: Files;
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly extents: Extents;
  readonly cache: BlockCache;
  readonly scratch: Scratch;
}

/** Default bound of the cache of cold blocks. */
const CACHE_BYTES = 32 * 2 ** 20;

/** Puts the parts together; `cacheBytes` bounds the cache of cold blocks (JavaScript memory, not the arena). */
export function createStorage(
  files: Files,
  arena: Arena,
  kernels: Kernels,
  options: { cacheBytes?: number } = {},
): Storage {
  const cache = new BlockCache(options.cacheBytes ?? CACHE_BYTES);
  return { files, arena, kernels, extents: new Extents(arena), cache, scratch: new Scratch(arena) };
}
