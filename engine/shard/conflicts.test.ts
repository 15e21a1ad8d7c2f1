import { describe, expect, it } from "vitest";
import type { WriteOperation } from "../write.js";
import { checkConflicts, type DocumentState, nextVersion } from "./conflicts.js";

const source = Buffer.from("{}");
const alive: DocumentState = { seqNo: 5, primaryTerm: 1, version: 5, deleted: false };
const dead: DocumentState = { ...alive, deleted: true };

function index(more: Partial<Extract<WriteOperation, { kind: "index" | "create" }>>): WriteOperation {
  return { kind: "index", source, ...more };
}

const cases: [string, WriteOperation, DocumentState | undefined, string | null][] = [
  ["index over anything", index({}), alive, null],
  ["create where nothing is", index({ kind: "create" }), undefined, null],
  ["create after a delete", index({ kind: "create" }), dead, null],
  [
    "create over a document",
    index({ kind: "create" }),
    alive,
    "[1]: version conflict, document already exists (current version [5])",
  ],
  ["the required sequence", index({ ifSeqNo: 5, ifPrimaryTerm: 1 }), alive, null],
  [
    "another sequence",
    index({ ifSeqNo: 4, ifPrimaryTerm: 1 }),
    alive,
    "[1]: version conflict, required seqNo [4], primary term [1]. current document has seqNo [5] and primary term [1]",
  ],
  [
    "a sequence where nothing is",
    index({ ifSeqNo: 4, ifPrimaryTerm: 1 }),
    undefined,
    "[1]: version conflict, required seqNo [4], primary term [1]. but no document was found",
  ],
  [
    "a sequence after a delete",
    index({ ifSeqNo: 5, ifPrimaryTerm: 1 }),
    dead,
    "[1]: version conflict, required seqNo [5], primary term [1]. but no document was found",
  ],
  ["a higher external version", index({ version: { value: 6, type: "external" } }), alive, null],
  [
    "an equal external version",
    index({ version: { value: 5, type: "external" } }),
    alive,
    "[1]: version conflict, current version [5] is higher or equal to the one provided [5]",
  ],
  ["an equal external_gte version", index({ version: { value: 5, type: "external_gte" } }), alive, null],
  [
    "a lower external_gte version",
    index({ version: { value: 3, type: "external_gte" } }),
    alive,
    "[1]: version conflict, current version [5] is higher than the one provided [3]",
  ],
  [
    "a lower external version after a delete",
    index({ version: { value: 3, type: "external" } }),
    dead,
    "[1]: version conflict, current version [5] is higher or equal to the one provided [3]",
  ],
];

describe("conflicts", () => {
  it.each(cases)("%s", (_title, operation, current, message) => {
    const check = () => checkConflicts(operation, "1", current);
    if (message === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "version_conflict", message }));
  });

  const last = Number.MAX_SAFE_INTEGER;
  it.each([
    ["index", index({}), alive],
    ["delete", { kind: "delete", id: "1" } as const, alive],
    ["create after a delete", index({ kind: "create" }), dead],
  ])("%s is refused at the last version there is, which says why", (_title, operation, state) => {
    const check = (version: number) => () => checkConflicts(operation, "1", { ...state, version });
    expect(check(last)).toThrow(
      expect.objectContaining({ code: "invalid_value", message: expect.stringMatching(/no further one/) }),
    );
    expect(check(last - 1)).not.toThrow();
  });

  it("write the last version again where the client says so", () => {
    const again = index({ version: { value: last, type: "external_gte" } });
    expect(() => checkConflicts(again, "1", { ...alive, version: last })).not.toThrow();
  });

  it("count versions on from the last one, a delete's included, unless told", () => {
    expect(nextVersion(index({}), undefined)).toBe(1);
    expect(nextVersion(index({}), dead)).toBe(6);
    expect(nextVersion(index({ version: { value: 40, type: "external" } }), alive)).toBe(40);
  });
});
