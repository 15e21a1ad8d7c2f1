/**
 * Which documents of a segment are alive, as a file beside it: `<segment>.<generation>.live`, a small file (its own
 * checksum) that is never changed; another generation is another file.
 *
 *   u32 words: documents, live documents, then the bitset (bit set: alive)
 *
 * Example, documents 0 and 2 of three alive: 03000000 02000000 05000000
 */
import path from "node:path";
import { CorruptionError } from "../errors.js";
import { bitWords, copyBits, countBits } from "../store/bits.js";
import type { Files } from "../store/files.js";
import { encodeSmallFile, readSmallFile } from "../store/small-file.js";

export function liveFileName(segment: string, generation: number): string {
  return `${segment}.${generation}.live`;
}

/** Writes the file (not synced: the commit does that). */
export function writeLiveDocs(
  files: Files,
  folder: string,
  target: { segment: string; generation: number; docCount: number },
  live: Uint32Array,
): void {
  const file = files.open(path.join(folder, liveFileName(target.segment, target.generation)), "create");
  try {
    file.writeAt(encodeSmallFile(encodeLiveDocs(target.docCount, live)), 0);
  } finally {
    file.close();
  }
}

export function encodeLiveDocs(docCount: number, live: Uint32Array): Uint8Array {
  const words = new Uint32Array(2 + bitWords(docCount));
  words[0] = docCount;
  words[1] = countBits(live);
  words.set(live.subarray(0, bitWords(docCount)), 2);
  return new Uint8Array(words.buffer);
}

/** The bitset; throws CorruptionError also when the file is missing. */
export function readLiveDocs(
  files: Files,
  folder: string,
  target: { segment: string; generation: number; docCount: number },
): Uint32Array {
  const file = path.join(folder, liveFileName(target.segment, target.generation));
  const payload = readSmallFile(files, file);
  if (payload === undefined) throw new CorruptionError(file, 0, "a file that the commit names", "none");
  const words = new Uint32Array(payload.slice().buffer);
  const live = copyBits(words.subarray(2));
  if (words[0] !== target.docCount || live.length !== bitWords(target.docCount)) {
    throw new CorruptionError(file, 0, `${target.docCount} documents`, `${words[0]}`);
  }
  if (countBits(live) !== words[1]) throw new CorruptionError(file, 4, `${words[1]} live`, `${countBits(live)}`);
  return live;
}
