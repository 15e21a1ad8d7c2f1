import { closeSync, ftruncateSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import type { DocumentCounts } from "../documents/counted-lines.js";
import { type BulkPart, giveBack } from "../documents/lines.js";
import { NO_STAMP } from "../stamp.js";
import { AnswerMemory } from "./answer-memory.js";
import { openPartsFile, PartsWriter, receive } from "./parts-file.js";
import type { DataSetFacts, IndexedFile } from "./protocol.js";

function open(): number {
  const file = openPartsFile()!;
  onTestFinished(() => closeSync(file));
  return file;
}

const part = (operations: number, text: string): BulkPart => ({ operations, bytes: Buffer.from(text) });
const texts = ({ parts }: { parts: BulkPart[] }) => parts.map(({ bytes }) => Buffer.from(bytes).toString());

function answer(parts: BulkPart[], records: BulkPart[] = []): IndexedFile {
  const facts = { path: "a.ts", stamp: NO_STAMP, readAtMs: 0, blob: "", language: "", version: "" };
  const documents: DocumentCounts = [0, 0, 0];
  const none = { documents, declarations: 0, references: 0, recordsNote: "", detail: "" };
  return { ...facts, ...none, kind: "indexed", parts, datasets: [{ parts: records } as unknown as DataSetFacts] };
}

/** As the channel between processes does it. */
const overChannel = structuredClone;

it("operations go through the file, those of records too, each part as it was", () => {
  const file = open();
  const writer = new PartsWriter(file);
  const long = "x".repeat(5000);
  for (const mark of ["one", "two"]) {
    const sent = overChannel(writer.send(answer([part(1, `${mark}${long}`), part(2, "ü")], [part(3, mark)])));
    expect(JSON.stringify(sent).length).toBeLessThan(1000);
    const got = receive(sent, file) as IndexedFile;
    expect(texts(got)).toEqual([`${mark}${long}`, "ü"]);
    expect(got.parts.map(({ operations }) => operations)).toEqual([1, 2]);
    expect(texts(got.datasets[0]!)).toEqual([mark]);
  }
});

it("another batch is written over the one before, and what was read of that stays", () => {
  const file = open();
  const writer = new PartsWriter(file);
  const first = receive(writer.send(answer([part(1, "a".repeat(9000))])), file) as IndexedFile;
  writer.restart();
  const sent = writer.send(answer([part(1, "b".repeat(9000))]));
  expect(sent.at).toBe(0);
  expect(texts(receive(sent, file) as IndexedFile)).toEqual(["b".repeat(9000)]);
  expect(texts(first)).toEqual(["a".repeat(9000)]);
});

it("the memory of an answer is used again when all of its parts were given back, and not before", () => {
  const file = open();
  const writer = new PartsWriter(file);
  const memory = new AnswerMemory();
  const next = (mark: string) =>
    receive(writer.send(answer([part(1, mark.repeat(9000)), part(1, mark)])), file, memory);
  const [first, second] = [next("a"), next("b")] as [IndexedFile, IndexedFile];
  const { buffer, byteOffset } = first.parts[0]!.bytes;
  giveBack(first.parts);
  expect(texts(first)).toEqual(["", ""]);
  expect(texts(second)).toEqual(["b".repeat(9000), "b"]);
  giveBack(second.parts.slice(0, 1));
  const third = next("c") as IndexedFile;
  expect([texts(second), texts(third)]).toEqual([
    ["", "b"],
    ["c".repeat(9000), "c"],
  ]);
  for (const { parts } of [second, third]) giveBack(parts);
  const more = Array.from({ length: 500 }, () => next("d") as IndexedFile);
  expect(more.every((one) => texts(one)[1] === "d")).toBe(true);
  for (const one of more) giveBack(one.parts);
  const places = Array.from({ length: 500 }, () => (next("e") as IndexedFile).parts[0]!.bytes);
  expect(places.some((bytes) => bytes.buffer === buffer && bytes.byteOffset === byteOffset)).toBe(true);
});

it("few bytes come with the answer", () => {
  const sent = new PartsWriter(open()).send(answer([part(1, "short")]));
  expect(sent).not.toHaveProperty("at");
  expect(texts(receive(overChannel(sent), undefined) as IndexedFile)).toEqual(["short"]);
});

it("where the file cannot be written, bytes come with the answer", () => {
  const sent = new PartsWriter(-1).send(answer([part(1, "x".repeat(5000))]));
  expect(sent).not.toHaveProperty("at");
  expect(texts(receive(sent, undefined) as IndexedFile)).toEqual(["x".repeat(5000)]);
});

it("a file that is shorter than it should be is an error, not a shorter answer", () => {
  const file = open();
  const sent = new PartsWriter(file).send(answer([part(1, "x".repeat(5000))]));
  ftruncateSync(file, 4999);
  expect(() => receive(sent, file)).toThrow("operations of a.ts: 4999 of 5000 bytes are there");
});
