/** Bytes that nothing in a program tells apart: automata have a column for each such class, not for each byte. */
import { isWordByte } from "./looks.js";
import type { Program } from "./program.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The class of each byte, numbered from 0, and a byte of each class. */
export interface ByteClasses {
  readonly columns: Uint16Array;
  readonly bytes: number[];
}

/** What is told apart beside what the program reads: line feeds and carriage returns always. */
export interface Distinctions {
  /** Bytes of ASCII's words. */
  readonly words: boolean;
  /** Bytes that begin a character, and those that go on with one. */
  readonly characters: boolean;
}

/** Divides the bytes. */
export function byteClasses(program: Program, { words, characters }: Distinctions): ByteClasses {
  const begins = new Set([0, LINE_FEED, LINE_FEED + 1, CARRIAGE_RETURN, CARRIAGE_RETURN + 1]);
  for (const step of program.steps) {
    if (step.kind !== "bytes") continue;
    for (const [low, high] of step.edges) begins.add(low).add(high + 1);
  }
  if (characters) begins.add(0x80).add(0xc0);
  if (words) {
    for (let byte = 1; byte < 256; byte++) if (isWordByte[byte] !== isWordByte[byte - 1]) begins.add(byte);
  }
  const columns = new Uint16Array(256);
  const bytes: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    if (begins.has(byte)) bytes.push(byte);
    columns[byte] = bytes.length - 1;
  }
  return { columns, bytes };
}
