/**
 * Making a damaged log readable again by giving up what can't be read, and nothing else: unreadable bytes between good
 * records are covered by a loss (control-record.ts) of the same length, a file ends where nothing good follows, a header
 * that is lost is written anew. Every operation is a whole document or a delete, so those after a lost one stand on their
 * own. What was there is kept aside, as `<file>.damaged`.
 */
import path from "node:path";
import type { Files } from "../store/files.js";
import { TEMPORARY_SUFFIX } from "../store/small-file.js";
import { encodeLoss, findProof, isControl, MARKER_BYTES, MAX_OP } from "./control-record.js";
import { isTerminator, listGenerations, logFileName, readWhole, TERMINATOR_BYTES } from "./log-file.js";
import {
  encodeFileHeader,
  FILE_HEADER_BYTES,
  type FileEnd,
  type FileHeader,
  type HeaderState,
  readHeader,
  seedOf,
} from "./log-header.js";
import { goodRecordLength, sequenceAt } from "./record.js";
import { nextGoodRecord } from "./scan.js";
import { scanFileV1 } from "./scan-v1.js";

/** Records that can't be read any more. */
export interface LostRecords {
  file: string;
  offset: number;
  /** Bytes that are given up. */
  bytes: number;
  /** Sequence of the first that may be lost: those before are in the log, or kept elsewhere. */
  from: number;
  /** Sequence of the last; below `from`: none is lost; null: nothing follows that would tell. */
  to: number | null;
}

/** What was done to a log, or would be. */
export interface LogMending {
  lost: LostRecords[];
  /** Files that were, or would be, changed or taken away. */
  changed: string[];
}

/** Suffix of a damaged file that was put aside. */
export const ASIDE_SUFFIX = ".damaged";

/** How a log is mended. */
export interface MendOptions {
  /** `tell`: nothing is changed. */
  mode: "tell" | "apply";
  /** Everything up to this sequence is kept elsewhere, -1: nothing is: it is not lost with the log. */
  elsewhere: number;
}

/** Makes the log of a folder readable, or only says what that would lose. Throws `io`, and `corrupt` for a version from the future. */
export function mendLog(files: Files, folder: string, options: MendOptions): LogMending {
  return new Mending(files, folder, options).run();
}

interface Damaged {
  generation: number;
  file: string;
  bytes: Buffer;
  state: HeaderState;
}

class Mending {
  readonly #lost: LostRecords[] = [];
  readonly #changed: string[] = [];
  /** Losses whose end is not known before the next good record. */
  #open: LostRecords[] = [];
  #lastSequence = -1;
  #before: FileEnd | null = null;

  constructor(
    private readonly files: Files,
    private readonly folder: string,
    private readonly options: MendOptions,
  ) {}

  run(): LogMending {
    const all = listGenerations(this.files, this.folder).map((generation) => this.#read(generation));
    const good = all.flatMap(({ state }) => (state.kind === "good" ? [state.header] : []));
    const salt = good.findLast(({ version }) => version > 1)?.salt ?? null;
    all.forEach((one, i) => {
      const header = this.#headerOf(one, salt, i === all.length - 1);
      if (header === "nothing") return;
      if (header === null) this.#giveUp(one);
      else if (header.version === 1) this.#mendVersion1(one, header, i < all.length - 1);
      else this.#mendFile(one, header, all[i + 1]);
    });
    if (this.options.mode === "apply" && this.#changed.length > 0) this.files.syncDirectory(this.folder);
    return { lost: this.#lost, changed: this.#changed };
  }

  #read(generation: number): Damaged {
    const file = path.join(this.folder, logFileName(generation));
    const bytes = readWhole(this.files, file);
    return { generation, file, bytes, state: readHeader(bytes.subarray(0, FILE_HEADER_BYTES), file, generation) };
  }

  /** The file's header, made anew if it is lost; null: it can't be; `nothing`: the file never held anything. */
  #headerOf({ generation, bytes, state }: Damaged, salt: number | null, last: boolean): FileHeader | null | "nothing" {
    if (state.kind === "good") return state.header;
    const proof = findProof({ bytes, generation, salt }, 0);
    if (state.kind === "unborn" && last && (proof === null || proof.durable === 0)) return "nothing";
    const known = proof?.salt ?? null;
    return known === null ? null : { version: 2, generation, salt: known, previous: null };
  }

  /** Nothing of the file can be read. */
  #giveUp({ file, bytes }: Damaged): void {
    this.#lose({ file, offset: 0, bytes: bytes.length });
    this.#changed.push(file);
    if (this.options.mode === "apply") this.files.rename(file, asideName(this.files, file));
  }

  #mendFile(one: Damaged, header: FileHeader, next: Damaged | undefined): void {
    const { file, generation } = one;
    const bytes = Buffer.from(one.bytes);
    if (this.#isBehindMissing(header)) this.#lose({ file, offset: 24, bytes: 0 });
    // The oldest file may follow one that was pruned.
    encodeFileHeader(header, this.#before ?? header.previous).copy(bytes);
    const told = next?.state.kind === "good" ? next.state.header.previous : null;
    const end = told?.generation === generation ? told.end : undefined;
    const mended = this.#mendRecords({ file, bytes, header, end, followed: next !== undefined });
    this.#before = { generation, end: mended.end };
    if (!mended.bytes.equals(one.bytes)) this.#write(file, mended.bytes);
  }

  /** Files are pruned oldest first: one that is missing between two others was lost. */
  #isBehindMissing({ previous }: FileHeader): boolean {
    return this.#before !== null && previous !== null && previous.generation !== this.#before.generation;
  }

  #mendVersion1({ file, bytes, generation }: Damaged, header: FileHeader, followed: boolean): void {
    const given = { file, bytes, header, end: undefined, followed, after: this.#lastSequence };
    const scan = scanFileV1(given, ({ sequence }) => this.#found(sequence));
    if (scan.fault?.kind === "damaged") {
      this.#lose({ file, offset: scan.end, bytes: bytes.length - scan.end });
      this.#write(file, bytes.subarray(0, scan.end));
    }
    this.#before = { generation, end: 0 };
  }

  #mendRecords(given: {
    file: string;
    bytes: Buffer;
    header: FileHeader;
    end: number | undefined;
    followed: boolean;
  }): {
    bytes: Buffer;
    end: number;
  } {
    const { file, bytes, header, end, followed } = given;
    const view = end === undefined ? bytes : bytes.subarray(0, end);
    const check = { seed: seedOf(header), maxOp: MAX_OP };
    let offset = FILE_HEADER_BYTES;
    while (offset !== end) {
      const length = goodRecordLength(view, offset, check);
      if (length >= 0 && this.#take(view, offset)) {
        offset += length;
        continue;
      }
      // What no marker proves to have been synced is cut when the log is opened: nobody was told of it.
      if (!followed && (findProof({ ...header, bytes: view }, offset)?.durable ?? 0) <= offset) break;
      const next = nextGoodRecord(view, offset, check, this.#lastSequence);
      if (next === null && end === undefined && isTerminator(view, offset)) break;
      const stop = next?.offset ?? end ?? endOfWritten(view, offset);
      if (stop > offset) this.#lose({ file, offset, bytes: stop - offset });
      if (next === null) return { bytes: ended(bytes, offset), end: offset };
      encodeLoss(check.seed, this.#nextSequence, stop - offset).copy(bytes, offset);
      offset = stop;
    }
    return { bytes, end: offset };
  }

  /** Takes a good record; false: its sequence goes back. */
  #take(bytes: Buffer, offset: number): boolean {
    if (isControl(bytes, offset)) return true;
    const sequence = sequenceAt(bytes, offset);
    if (sequence <= this.#lastSequence) return false;
    this.#found(sequence);
    return true;
  }

  /** What comes next in the log, as far as is known: of one that was pruned the first is not. */
  get #nextSequence(): number {
    return (this.#lastSequence < 0 ? this.options.elsewhere : this.#lastSequence) + 1;
  }

  #found(sequence: number): void {
    for (const loss of this.#open) loss.to = sequence - 1;
    this.#open = [];
    this.#lastSequence = sequence;
  }

  #lose(where: { file: string; offset: number; bytes: number }): void {
    const from = Math.max(this.#lastSequence, this.options.elsewhere) + 1;
    const loss = { ...where, from, to: null };
    this.#lost.push(loss);
    this.#open.push(loss);
  }

  #write(file: string, bytes: Buffer): void {
    this.#changed.push(file);
    if (this.options.mode === "tell") return;
    copyFile(this.files, file, asideName(this.files, file));
    const temporary = file + TEMPORARY_SUFFIX;
    writeFile(this.files, temporary, bytes);
    this.files.rename(temporary, file);
  }
}

/** The file's records end at `end`. */
function ended(bytes: Buffer, end: number): Buffer {
  return Buffer.concat([bytes.subarray(0, end), Buffer.alloc(MARKER_BYTES + TERMINATOR_BYTES)]);
}

/** Where only zeros follow. */
function endOfWritten(bytes: Buffer, from: number): number {
  let end = bytes.length;
  while (end > from && bytes[end - 1] === 0) end--;
  return end;
}

/** A name beside a file under which it can be kept. */
export function asideName(files: Files, file: string): string {
  for (let number = 1; ; number++) {
    const name = file + ASIDE_SUFFIX + (number === 1 ? "" : `.${number}`);
    if (files.stat(name) === undefined) return name;
  }
}

/** Copies a file, durably. */
export function copyFile(files: Files, from: string, to: string): void {
  writeFile(files, to, readWhole(files, from));
}

function writeFile(files: Files, file: string, bytes: Uint8Array): void {
  const handle = files.open(file, "create");
  try {
    handle.writeAt(bytes, 0);
    handle.sync();
  } finally {
    handle.close();
  }
}
