/** Items of a bulk by the name they go to. */
import type { WriteOperation } from "../../engine/index.js";

/** What the name must be. */
export type Requires = "alias" | "data stream" | "nothing";

/** Operations that go to one name, and where their answers belong. */
export interface Group {
  readonly name: string;
  readonly requires: Requires;
  readonly operations: WriteOperation[];
  readonly positions: number[];
}

/** Notes that an item failed before it was written. */
export type Fail = (name: string, at: number, error: unknown) => void;
