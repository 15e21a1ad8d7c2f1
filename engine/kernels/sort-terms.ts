/** Sorting the term ids of one field by the terms' bytes: unsigned, the shorter first. */
import { TermRecord, termAddress } from "./accumulate.js";
import type { MemoryViews } from "./memory.js";

/** Scratch that sorting takes, a term. */
export const SORT_SCRATCH_BYTES = 32;
/** Scratch that sorting takes besides. */
export const SORT_SCRATCH_BASE_BYTES = 1024;

/** See Kernels.sortTerms. */
export function sortTerms(memory: MemoryViews, records: number, ids: number, count: number): void {
  const { u8, u32, view } = memory;
  const bytesOf = (id: number): Uint8Array => {
    const record = records + TermRecord.bytes * id;
    const at = termAddress(view, record);
    return u8.subarray(at, at + (view.getUint32(record + TermRecord.key, true) & 0xffff));
  };
  u32.subarray(ids >>> 2, (ids >>> 2) + count).sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)));
}
