/**
 * Worker threads: who runs which job (pool.ts, placement.ts), how one thread runs its jobs (runner.ts), and what each kind
 * of job is done by (handlers/). The contract is jobs.ts above this folder. Used by engine.ts alone; what else of the
 * engine has work to give away knows only an Executor. Start reading at jobs.ts, then pool.ts and runner.ts.
 */
export type { Handler, HandlerTable, JobContext } from "./handler.js";
export { InlineExecutor } from "./inline-executor.js";
export { defaultWorkers, type PoolOptions, WorkerPool } from "./pool.js";
