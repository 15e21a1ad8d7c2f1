import type { Charge } from "../memory/index.js";
import type { ReaderContext } from "../query/exec/context.js";
import type { Aggregator, BucketBudget } from "./aggregator.js";

/** What an aggregation is made within. */
export interface Surroundings {
  readonly contexts: readonly ReaderContext[];
  readonly subs: ReadonlyMap<string, Aggregator>;
  readonly budget: BucketBudget;
  /** Name that the request gives the aggregation. */
  readonly name: string;
  /** Whether more than one bucket may own its documents. */
  readonly owners: "one" | "many";
  /** Takes what the aggregation holds. Throws `circuit_breaking`. */
  readonly charge: Charge;
}
