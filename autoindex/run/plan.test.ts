import { describe, expect, it } from "vitest";
import type { FileResult } from "../process/protocol.js";
import { NO_STAMP } from "../stamp.js";
import { entryFor, type Place, planStep, type ReadStep } from "./plan.js";

const PLACE: Place = { root: "/r", repo: "r", branch: "", leftovers: "none" };
const STAMP = { size: 5, mtimeMs: 1000, ctimeMs: 1000, inode: "7" };
const LIMIT = 1 << 24;

/** What the process that read the file came to. */
const ended = (reason: "extractor_timeout" | "extractor_crashed"): FileResult => ({
  ...{ kind: "skipped", reason, detail: "", path: "a.pdf", stamp: NO_STAMP, readAtMs: 10_000 },
  ...{ blob: "", language: "", version: "" },
});
const step = (prior: ReadStep["prior"], stamp = STAMP): ReadStep => ({ kind: "read", path: "a.pdf", stamp, prior });
const next = (prior: ReadStep["prior"], stamp = STAMP) =>
  planStep({ kind: "file", path: "a.pdf", ...stamp }, prior, PLACE, LIMIT).kind;

describe("a file whose process was ended", () => {
  it.each([
    ["for its time, since the machine may have been busy", "extractor_timeout"],
    ["by a crash, since somebody else may have ended the process", "extractor_crashed"],
  ] as const)("%s, is read once more", (_, reason) => {
    const first = entryFor(ended(reason), step(undefined), PLACE);
    expect(next(first)).toBe("read");
    const second = entryFor(ended(reason), step(first), PLACE);
    expect(next(second)).toBe("unchanged");
    const changed = { ...STAMP, mtimeMs: 2000, ctimeMs: 2000 };
    expect(next(second, changed)).toBe("read");
    expect(next(entryFor(ended(reason), step(second, changed), PLACE), changed)).toBe("read");
  });

  it("under an earlier version of the extractor is read again", () => {
    const second = entryFor(
      ended("extractor_crashed"),
      step(entryFor(ended("extractor_crashed"), step(undefined), PLACE)),
      PLACE,
    );
    expect(next({ ...second, version: "" })).toBe("read");
    expect(next({ ...second, version: "1-text" })).toBe("read");
  });
});
