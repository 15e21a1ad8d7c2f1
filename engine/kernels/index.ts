/**
 * The hot loops: kernels.ts says what they do, load.ts brings them onto a memory. Each stands here three times: `name.ts`
 * is the plain TypeScript twin and specification, `name.as.ts` the AssemblyScript that runs, `name.cases.ts` what both
 * are compared on. A kernel takes numbers, allocates nothing and keeps no state; structs in memory that more than one of
 * them knows are described in the twin of the one that writes them.
 */
export { crc32cOf, crc32cRange } from "./crc32c.js";
export type { Kernels } from "./kernels.js";
export { kernelModule, loadKernels, twinKernels } from "./load.js";
export { LZ4_TABLE_BYTES } from "./lz4.js";
export { CRC_TABLES_ADDRESS, KERNEL_MEMORY_BASE, MemoryViews, RESERVED_BYTES } from "./memory.js";
export { readVarint, writeVarint } from "./varint.js";
