import { expect, it } from "vitest";
import { summaryLines } from "./progress.js";

const nothing = { declarations: 0, references: 0, records: 0, bytes: 0, datasets: [], suggestions: [], removed: 0 };
const base = { ...nothing, root: "/r", repo: "r", datasetsBeyondLimit: 0, seconds: 1 };

it("counts what was left out apart from what is indexed and unchanged", () => {
  const skipped = { binary: 100, hidden: 29 };
  const [first, , third] = summaryLines({ ...base, seen: 129 + 30, indexed: 30, unchanged: 129, skipped });
  expect(first).toBe("r: 30 files indexed, 0 unchanged, 0 removed in 1.0 s (30 files/s)");
  expect(third).toBe("  left out 129: 100 binary, 29 hidden");
  expect(summaryLines({ ...base, seen: 159, indexed: 0, unchanged: 159, skipped })[0]).toContain(
    "0 files indexed, 30 unchanged",
  );
});
