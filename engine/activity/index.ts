/**
 * What runs on the node. Knows nothing of what it is that runs. Start at board.ts.
 */
export {
  type Activity,
  ActivityBoard,
  type ActivityCounts,
  type ActivityKind,
  type ActivityStart,
  type CancelOutcome,
  type RunningActivity,
} from "./board.js";
