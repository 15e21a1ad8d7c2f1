/**
 * The encoder of postings and the windows of arena it writes into. Kernels fill the windows; what they hold is drained
 * to chunks outside the arena, so that a field of any size takes the same arena.
 */

import { Encoder } from "../kernels/encode-postings.js";
import { roomFor } from "../kernels/flush-terms.js";
import { BLOCK_DATA_ROOM, BLOCK_HEADERS_ROOM, positionRoom } from "../kernels/merge-postings.js";
import { allocateAll } from "../store/allocate-all.js";
import type { Arena } from "../store/arena.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import { ByteChunks } from "./byte-chunks.js";

const WINDOW_BYTES = 256 * 1024;

/** One of the three sections being written. */
interface Window {
  readonly kind: SectionKind;
  /** Fields of the encoder. */
  readonly next: number;
  readonly start: number | null;
  readonly chunks: ByteChunks;
  address: number;
  bytes: number;
}

/** What is written: frequencies and positions or documents alone, and what bounds scores. */
export interface PostingsShape {
  withFreqs: boolean;
  /** Address of a norm byte per document; 0: the field keeps none. */
  norms: number;
  /** Address of a zeroed bitset in which documents are noted; 0: not wanted. */
  presence: number;
}

/** Writes the postings of one field after the other. Owns its memory until `close()`. */
export class PostingsWriter {
  /** Address of the encoder, for kernels. */
  readonly encoder: number;
  readonly #windows: readonly Window[];

  constructor(readonly arena: Arena) {
    const windows = [WINDOW_BYTES, WINDOW_BYTES, WINDOW_BYTES, WINDOW_BYTES];
    const [encoder, ...addresses] = allocateAll(arena, [Encoder.bytes, ...windows]);
    this.encoder = encoder;
    const window = (kind: SectionKind, next: number, start: number | null): Window => {
      const address = addresses.shift() as number;
      return { kind, next, start, chunks: new ByteChunks(), address, bytes: arena.sizeOf(address) };
    };
    this.#windows = [
      window(SectionKind.postingData, Encoder.dataNext, Encoder.dataStart),
      window(SectionKind.postingHeaders, Encoder.headersNext, Encoder.headersStart),
      window(SectionKind.positionData, Encoder.positionsNext, Encoder.positionsStart),
      window(SectionKind.postingData, Encoder.stream, null),
    ];
  }

  /** Begins a field. */
  begin(shape: PostingsShape): void {
    this.#set(Encoder.withFreqs, shape.withFreqs ? 1 : 0);
    this.#set(Encoder.norms, shape.norms);
    this.#set(Encoder.presence, shape.presence);
    for (const window of this.#windows) this.#place(window);
  }

  /** Makes room for a whole term in the write buffer, in the middle of none. */
  makeRoomForTerm(docFreq: number, totalTermFreq: number): void {
    const { data, headers, positions } = roomFor(docFreq, totalTermFreq);
    this.#makeRoom([data, headers, positions, data + positions]);
  }

  /** Makes room for one more block with so many positions, in the middle of a term. */
  makeRoomForBlock(positions: number): void {
    this.#makeRoom([BLOCK_DATA_ROOM, BLOCK_HEADERS_ROOM, positionRoom(positions), 0]);
  }

  /** Writes the field's sections. */
  finish(sink: SectionSink, field: number): void {
    for (const window of this.#windows) {
      this.#drain(window);
      window.chunks.writeSection(sink, window.kind, field);
    }
  }

  close(): void {
    for (const { address } of this.#windows) this.arena.free(address);
    this.arena.free(this.encoder);
  }

  #makeRoom(bytes: readonly number[]): void {
    this.#windows.forEach((window, i) => {
      this.#drain(window);
      if (window.bytes >= bytes[i]) return;
      this.arena.free(window.address);
      window.address = this.arena.alloc(bytes[i]);
      window.bytes = this.arena.sizeOf(window.address);
      this.#place(window);
    });
  }

  /** Moves what a window holds to its chunks; the term's start moves back with it, so that offsets stay right. */
  #drain(window: Window): void {
    if (window.start === null) return;
    const held = this.#get(window.next) - window.address;
    window.chunks.append(this.arena.u8.subarray(window.address, window.address + held));
    this.#set(window.start, this.#get(window.start) - held);
    this.#set(window.next, window.address);
  }

  /** Begins an empty window; a term in it keeps its distance to its start. */
  #place(window: Window): void {
    if (window.start !== null) {
      this.#set(window.start, window.address + this.#get(window.start) - this.#get(window.next));
    }
    this.#set(window.next, window.address);
    this.#set(window.next + 4, window.address + window.bytes);
  }

  #get(offset: number): number {
    return this.arena.u32[(this.encoder + offset) >>> 2];
  }

  #set(offset: number, value: number): void {
    this.arena.u32[(this.encoder + offset) >>> 2] = value;
  }
}
