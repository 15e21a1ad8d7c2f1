/**
 * Where bytes live: the arena that kernels share, files and their checksums, the lock of the data folder, sections as
 * the data structures see them. Knows nothing of documents. Start at arena.ts, then section.ts and extents.ts.
 */
export { ARENA_PAGE, Arena, MAX_THREADS, type PressureCallback } from "./arena.js";
export { allSet, bitWords, clearBit, copyBits, countBits, isSet, setBit, sharedWords } from "./bits.js";
export { BlockCache, type CacheStatistics } from "./block-cache.js";
export { lockDirectory } from "./directory-lock.js";
export { type ExtentStatistics, Extents } from "./extents.js";
export { type FileHandle, type FileStatus, type Files, nodeFiles, type OpenMode } from "./files.js";
export { type ElementKind, Growing } from "./growing.js";
export { Scratch, type ScratchRegion } from "./scratch.js";
export { type Extent, NO_FIELD, SectionKind, type SectionSink, type SectionSource } from "./section.js";
export type { SlotRun } from "./slot-slabs.js";
export { encodeSmallFile, readSmallFile, replaceFile, replaceFileAsync, TEMPORARY_SUFFIX } from "./small-file.js";
export {
  attachStorage,
  createStorage,
  detachStorage,
  type Released,
  releaseThread,
  type Storage,
  type StorageStatistics,
  storageStatistics,
} from "./storage.js";
