import { expect, it } from "vitest";
import { summaryLines } from "./progress.js";

const nothing = {
  declarations: 0,
  references: 0,
  records: 0,
  bytes: 0,
  datasets: [],
  suggestions: [],
  removed: 0,
  adopted: 0,
};
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

it("says one file, and what is there by another folder of the repository", () => {
  const one = { ...base, seen: 8, indexed: 1, adopted: 6, unchanged: 7, declarations: 1, references: 1, records: 1 };
  const commits = { commits: 1, written: 1, removed: 0 };
  expect(summaryLines({ ...one, skipped: {}, commits })).toEqual([
    "r: 1 file indexed, 6 there already by another folder or branch, 1 unchanged, 0 removed in 1.0 s (1 files/s)",
    "  1 declaration, 1 reference, 1 record written",
    "  1 commit, 1 new, 0 removed",
  ]);
});
