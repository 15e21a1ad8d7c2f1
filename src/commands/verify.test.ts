import { expect, it } from "vitest";
import { EngineError, type VerifiedIndex, type VerifyReport } from "../../engine/index.js";
import { conclusion } from "./verify.js";

const PART = { damage: [], warnings: [], bytes: 1 };
const INDEX: VerifiedIndex = { ...PART, name: "x", uuid: "u", segments: 1, documents: 1, operations: 0 };
const STRAY = { ...INDEX, name: null };
const TORN = { ...INDEX, warnings: ["log-1.wal ends in an unfinished write"] };
const DAMAGED = { ...INDEX, damage: [new EngineError("corrupt", "x.seg is damaged")] };

function reportOf(...indices: VerifiedIndex[]): VerifyReport {
  return { unlocked: null, metadata: { ...PART, records: 1 }, indices };
}

it.each([
  ["all is sound", [INDEX], [], "every byte is as it was written"],
  ["only some indices were read", [INDEX], ["x"], "every byte of the metadata and of x is as it was written"],
  ["a write was not finished", [TORN], [], "no damage was found, but there is one note above"],
  ["two were not", [TORN, TORN], [], "no damage was found, but there are 2 notes above"],
  ["a folder is no index's", [INDEX, STRAY], [], "no damage was found, but a folder is no index's"],
  [
    "there are both",
    [{ ...TORN, name: null }, STRAY],
    [],
    "no damage was found, but there is one note above and 2 folders are no index's",
  ],
  ["something is damaged", [DAMAGED, TORN], [], "1 damaged: pinakes repair x says what repairing would lose"],
])("the last sentence says no more than is known when %s", (_title, indices, names, sentence) => {
  expect(conclusion(reportOf(...indices), names)).toBe(sentence);
});
