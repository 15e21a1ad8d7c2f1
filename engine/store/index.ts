/**
 * Where bytes live: the arena that kernels share, files and their checksums, the lock of the data folder, sections as
 * the data structures see them. Knows nothing of documents. Start at arena.ts, then section.ts and extents.ts.
 * ForgetfulFiles is for tests of what must survive a crash.
 */
export { ARENA_PAGE, Arena, type PressureCallback } from "./arena.js";
export { allSet, bitWords, clearBit, countBits, isSet, setBit } from "./bits.js";
export { BlockCache } from "./block-cache.js";
export { lockDirectory } from "./directory-lock.js";
export { type ExtentOwner, Extents, type LoadedExtent } from "./extents.js";
export { type FileHandle, type FileStatus, type Files, nodeFiles, type OpenMode } from "./files.js";
export { type FileStep, ForgetfulFiles } from "./forgetful-files.js";
export { type ElementKind, Growing } from "./growing.js";
export { Scratch, type ScratchRegion } from "./scratch.js";
export { type Extent, NO_FIELD, SectionKind, type SectionSink, type SectionSource } from "./section.js";
export { encodeSmallFile, readSmallFile, replaceFile, TEMPORARY_SUFFIX } from "./small-file.js";
export { createStorage, type Storage } from "./storage.js";
