/** The lines of a hit as JSON, written byte by byte from the bytes that the engine found: a page may have tens of thousands. */
import { type FieldLines, LineCursor } from "../../engine/index.js";
import type { ByteWriter } from "../json/byte-writer.js";
import { escapedText, writeEscaped, writeWhole } from "../json/write-bytes.js";

/** Names, numbers and brackets of a line; of a range: two numbers and what is around them. */
const LINE_BYTES = 160;
const RANGE_BYTES = 40;
/** A byte of text as an escape. */
const ESCAPE_BYTES = 6;

const [LINE, BYTE, TEXT, RANGES, CUT] = ['{"line":', ',"byte":', ',"text":"', '","ranges":[', '],"cut_bytes":'].map(
  (text) => Uint8Array.from(Buffer.from(text)),
);
const [COMMA, OPEN, CLOSE, END] = [...",[]}"].map((character) => character.charCodeAt(0));

/** Writes the object under a hit's `matching_lines`. */
export function writeLines(out: ByteWriter, fields: Readonly<Record<string, FieldLines>>): void {
  let before = "{";
  for (const [name, field] of Object.entries(fields)) {
    out.text(`${before}${JSON.stringify(name)}:{"total":${field.total},"lines":[`);
    const cursor = new LineCursor(field);
    for (let n = 0; cursor.next(); n++) writeLine(out, field, cursor, n === 0 ? "first" : "further");
    out.text("]}");
    before = ",";
  }
  out.text(before === "{" ? "{}" : "}");
}

function writeLine(out: ByteWriter, { pack }: FieldLines, line: LineCursor, place: "first" | "further"): void {
  const { begin, end, rangesBegin, rangesEnd } = line;
  const text = escapedText(pack.text, begin, end);
  const length = text === null ? ESCAPE_BYTES * (end - begin) : 3 * text.length;
  const { buffer, at: from } = out.room(LINE_BYTES + RANGE_BYTES * (rangesEnd - rangesBegin) + length);
  let at = from;
  if (place === "further") buffer[at++] = COMMA;
  at = copied(buffer, at, LINE);
  at = writeWhole(buffer, at, line.line);
  at = copied(buffer, at, BYTE);
  at = writeWhole(buffer, at, line.byte);
  at = copied(buffer, at, TEXT);
  at = text === null ? writeEscaped(buffer, at, pack.text, line) : at + buffer.write(text, at);
  at = copied(buffer, at, RANGES);
  for (let i = rangesBegin; i < rangesEnd; i += 2) {
    if (i > rangesBegin) buffer[at++] = COMMA;
    buffer[at++] = OPEN;
    at = writeWhole(buffer, at, pack.numbers[i]);
    buffer[at++] = COMMA;
    at = writeWhole(buffer, at, pack.numbers[i + 1]);
    buffer[at++] = CLOSE;
  }
  at = copied(buffer, at, CUT);
  at = writeWhole(buffer, at, line.cutBytes);
  buffer[at++] = END;
  out.wrote(at);
}

function copied(buffer: Buffer, at: number, bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) buffer[at + i] = bytes[i];
  return at + bytes.length;
}
