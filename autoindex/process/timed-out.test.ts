import { describe, expect, it } from "vitest";
import { Deadline } from "../formats/limits.js";
import { folderWith } from "../testing/folder.js";
import { unsettled, versionFor } from "../version.js";
import { extractFile } from "./extract-file.js";

/** Enough mail that the time is looked at again and again. */
const MAILBOX = Array.from(
  { length: 2_000 },
  (_, at) => `From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b\nSubject: message ${at}\n\ntext ${at}\n\n`,
).join("");
const FINAL = versionFor("text");
const NEW = { path: "all.mbox", knownBlob: "", knownVersion: "", records: "text" } as const;

function read(deadline: Deadline, known: { knownBlob: string; knownVersion: string } = NEW) {
  const root = folderWith({ "all.mbox": MAILBOX });
  const context = { root, repo: "r", branches: [], maxFileBytes: 1 << 24 };
  return extractFile({ ...NEW, ...known }, context, undefined, deadline);
}

/** Each is over at the first look. */
const OVER = { clock: () => new Deadline(60_000, -1), processor: () => new Deadline(-1, 60_000) };
const CUT = { kind: "indexed", detail: expect.stringMatching(/^read in part: reading took longer than/) };

describe("a document that time cuts short", () => {
  it("is final when it was not", async () => {
    expect(await read(new Deadline())).toMatchObject({ kind: "indexed", detail: "", version: FINAL });
  });

  it("by the clock is read again by every run, since other work may have held it up", async () => {
    const first = await read(OVER.clock());
    expect(first).toMatchObject({ ...CUT, version: unsettled(FINAL) });
    const known = { knownBlob: first.blob, knownVersion: first.version };
    expect(await read(OVER.clock(), known)).toMatchObject({ ...CUT, version: unsettled(FINAL) });
    expect(await read(new Deadline(), known)).toMatchObject({ kind: "indexed", detail: "", version: FINAL });
  });

  it("by the processor's own time is read once more", async () => {
    const first = await read(OVER.processor());
    expect(first).toMatchObject({ ...CUT, version: unsettled(FINAL) });
    const known = { knownBlob: first.blob, knownVersion: first.version };
    expect(await read(OVER.processor(), known)).toMatchObject({ ...CUT, version: FINAL });
  });
});

it("a file that ended a process is read without grammars, and with them once more", async () => {
  const root = folderWith({ "a.py": "def f():\n    pass\n" });
  const context = { root, repo: "r", branches: [], maxFileBytes: 1 << 24 };
  const job = { ...NEW, path: "a.py" };
  const crashed = {
    kind: "indexed",
    declarations: 1,
    detail: expect.stringMatching(/^without declarations: its grammar crashes/),
  };
  const first = await extractFile({ ...job, grammars: "none" }, context);
  expect(first).toMatchObject({ ...crashed, version: unsettled(versionFor("python")) });
  const again = { ...job, knownBlob: first.blob, knownVersion: first.version };
  expect(await extractFile(again, context)).toMatchObject({
    kind: "indexed",
    detail: "",
    version: versionFor("python"),
  });
  expect(await extractFile({ ...again, grammars: "none" }, context)).toMatchObject({
    ...crashed,
    version: versionFor("python"),
  });
});
