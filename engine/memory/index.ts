/**
 * How much memory there is, who holds how much of it, and what happens when it is short. Knows nothing of what is held.
 * Start at budget.ts (what is divided how), then breakers.ts (who is refused) and pressure.ts (who gives way).
 */
export { type AnyBreaker, type BreakerName, type BreakerStats, Breakers } from "./breakers.js";
export {
  BREAKER_PERCENT,
  type BreakerLimits,
  defaultBudget,
  divideBudget,
  LEAST_BUDGET,
  type MemoryBudget,
} from "./budget.js";
export { parseBytes, printBytes } from "./bytes.js";
export type { FilterCacheStats, ReaderCacheStats } from "./cache-stats.js";
export { IndexingPressure, type PressureStage, type StageStats } from "./indexing-pressure.js";
export { type MachineMemory, machineMemory, type ReadText } from "./machine-memory.js";
export { NodeMemory } from "./node-memory.js";
export { type DrainCount, type DrainStep, MemoryPressure } from "./pressure.js";
export { type ProcessMemory, processMemory, usedBytes } from "./process-memory.js";
export { type CacheCost, type ReaderCache, ReaderCaches } from "./reader-caches.js";
export { type Charge, type Ledger, RequestMemory, UNLIMITED } from "./request-memory.js";
export { type SealableBuffer, WriteBuffers } from "./write-buffers.js";
