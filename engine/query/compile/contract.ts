import type { Plan } from "../exec/plan.js";
import type { Query } from "../query.js";

/** Makes an inner query ready; `boost` is the product of the boosts above it. */
export type Compile = (query: Query, boost: number) => Plan;
