/** What an index does by itself, as the board of the node shows it. */
import type { ActivityBoard, RunningActivity } from "../activity/index.js";
import type { Counters } from "./counters.js";
import type { SegmentHolder } from "./segment-set.js";

/** A refresh or a flush of an index. */
export function running(board: ActivityBoard, index: string, kind: "refresh" | "flush"): RunningActivity {
  return board.start({
    kind,
    action: `indices:admin/${kind}[s]`,
    type: "direct",
    index,
    describe: () => `${kind} [${index}]`,
  });
}

/** A merge of an index; the returned function says how it ended. */
export function runningMerge(
  board: ActivityBoard,
  counters: Counters,
  index: string,
): (sources: readonly SegmentHolder[]) => (result: "done" | "given up") => void {
  return (sources) => {
    const docs = sources.reduce((sum, { segment }) => sum + segment.docCount, 0);
    const bytes = sources.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
    const names = sources.map(({ segment }) => segment.name).join(", ");
    const describe = () => `merge [${index}]: ${docs} documents, ${bytes} bytes of segments ${names}`;
    const action = "indices:internal/merge";
    const activity = board.start({ kind: "merge", action, type: "direct", index, docs, bytes, describe });
    countNow(counters, 1, docs, bytes);
    return (result) => {
      activity.end();
      countNow(counters, -1, -docs, -bytes);
      if (result === "given up") return;
      counters.mergedDocs += docs;
      counters.mergedBytes += bytes;
    };
  };
}

function countNow(counters: Counters, merges: number, docs: number, bytes: number): void {
  counters.mergingNow += merges;
  counters.mergingDocsNow += docs;
  counters.mergingBytesNow += bytes;
}
