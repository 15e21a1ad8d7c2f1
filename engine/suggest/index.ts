/** Completing what somebody types, from fields made for it. Used by engine.ts alone; knows nothing of queries. */
export { completions } from "./completions.js";
