/**
 * Documents that were sequenced and logged and are in no segment yet: what tells them apart, which of them are dead,
 * and where in the arena their prepared records and raw sources lie. Numbered from 0 in the order they are added, which
 * is that of their sequence numbers. The lists lie in the arena too, so that another thread can make the segment of
 * them (build-job.ts) while this one answers gets and takes deletes.
 */
import { InternalError } from "../errors.js";
import { idKey } from "../source/id-key.js";
import type { Arena } from "../store/arena.js";
import { bitWords, isSet, setBit } from "../store/bits.js";
import { Growing } from "../store/growing.js";
import type { HeldMemory } from "../store/held-memory.js";
import type { BuildRows } from "./build-rows.js";
import { IdMap } from "./id-map.js";
import { Slabs } from "./slabs.js";

/** A document with its number among all operations, and where it lies. */
export interface BufferedDocument {
  readonly id: string;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly routing: string | undefined;
  /** Its records are [start, end) in the arena (prepared.ts). */
  readonly start: number;
  readonly end: number;
  /** Its raw bytes in the arena. */
  readonly sourceAddress: number;
  readonly sourceLength: number;
  /** What these addresses lie in. */
  readonly memory: readonly HeldMemory[];
}

/** Bytes of the lists per document, about: counted instead of measured, since they grow by doubling. */
const LIST_BYTES = 64;
/** Documents that came in allocations of together no more than this are copied. */
const FEW_BYTES = 64 * 1024;

/** Holds the memory of its documents until `close`. */
export class BufferedDocuments {
  readonly #ids: IdMap;
  readonly #seqNos: Growing<"f64">;
  readonly #versions: Growing<"f64">;
  readonly #primaryTerms: Growing<"f64">;
  readonly #starts: Growing<"f64">;
  readonly #ends: Growing<"f64">;
  readonly #sources: Growing<"f64">;
  readonly #lengths: Growing<"u32">;
  readonly #lists: readonly (Growing<"f64"> | Growing<"u32">)[];
  readonly #routings = new Map<number, string>();
  readonly #memory = new Set<HeldMemory>();
  /** Of the document added last, if it stayed there: documents of a batch lie in the same. */
  #lastKept: readonly HeldMemory[] | null = null;
  #memoryBytes = 0;
  readonly #slabs: Slabs;
  #dead = new Uint32Array(32);
  #deadCount = 0;

  constructor(private readonly arena: Arena) {
    this.#ids = new IdMap(arena);
    this.#slabs = new Slabs(arena);
    this.#seqNos = new Growing(arena, "f64");
    this.#versions = new Growing(arena, "f64");
    this.#primaryTerms = new Growing(arena, "f64");
    this.#starts = new Growing(arena, "f64");
    this.#ends = new Growing(arena, "f64");
    this.#sources = new Growing(arena, "f64");
    this.#lengths = new Growing(arena, "u32");
    const stamps = [this.#seqNos, this.#versions, this.#primaryTerms];
    this.#lists = [...stamps, this.#starts, this.#ends, this.#sources, this.#lengths];
  }

  /** Documents added, dead ones included. */
  get count(): number {
    return this.#lengths.length;
  }

  get deadCount(): number {
    return this.#deadCount;
  }

  /** Bytes of arena held. */
  get bytes(): number {
    return this.#memoryBytes + this.#slabs.bytes + LIST_BYTES * this.count;
  }

  /** Adds a document. An older one with the same id stays until `delete` is called for it. Throws `overloaded`. */
  add(document: BufferedDocument): void {
    const doc = this.count;
    // What may throw comes first: all lists have the document, or none.
    for (const list of this.#lists) list.reserve(doc + 1);
    const place = this.#placeOf(document);
    this.#ids.add(idKey(document.id));
    this.#seqNos.push(document.seqNo);
    this.#versions.push(document.version);
    this.#primaryTerms.push(document.primaryTerm);
    this.#starts.push(place.start);
    this.#ends.push(place.start + document.end - document.start);
    this.#sources.push(place.sourceAddress);
    this.#lengths.push(document.sourceLength);
    if (document.routing !== undefined) this.#routings.set(doc, document.routing);
  }

  /** Marks a document as dead. */
  delete(doc: number): void {
    if (doc < 0 || doc >= this.count) throw new InternalError(`document ${doc} of ${this.count} is deleted`);
    if (this.isDead(doc)) return;
    if (doc >>> 5 >= this.#dead.length) {
      const larger = new Uint32Array(2 * bitWords(this.count));
      larger.set(this.#dead);
      this.#dead = larger;
    }
    setBit(this.#dead, doc);
    this.#deadCount++;
  }

  isDead(doc: number): boolean {
    return doc >>> 5 < this.#dead.length && isSet(this.#dead, doc);
  }

  /** A copy of which documents are dead now; null: none. */
  deadNow(): Uint32Array | null {
    if (this.#deadCount === 0) return null;
    const dead = new Uint32Array(bitWords(this.count));
    dead.set(this.#dead.subarray(0, dead.length));
    return dead;
  }

  /** The newest document with this id, or -1 when there is none or it is dead. */
  find(id: string): number {
    const doc = this.#ids.find(idKey(id));
    return doc >= 0 && this.isDead(doc) ? -1 : doc;
  }

  seqNo(doc: number): number {
    return this.#seqNos.view[doc];
  }

  version(doc: number): number {
    return this.#versions.view[doc];
  }

  routing(doc: number): string | undefined {
    return this.#routings.get(doc);
  }

  /** A copy of the raw bytes. */
  source(doc: number): Uint8Array {
    const address = this.#sources.view[doc];
    return this.arena.u8.slice(address, address + this.#lengths.view[doc]);
  }

  /** What making a segment of the documents needs to know; nothing may be added afterwards. */
  rows(): BuildRows {
    return {
      count: this.count,
      dead: this.deadNow(),
      idText: this.#ids.text.address,
      idEnds: this.#ids.ends.address,
      seqNos: this.#seqNos.address,
      versions: this.#versions.address,
      primaryTerms: this.#primaryTerms.address,
      starts: this.#starts.address,
      ends: this.#ends.address,
      sources: this.#sources.address,
      lengths: this.#lengths.address,
      routings: [...this.#routings],
    };
  }

  /** Gives all memory back. */
  close(): void {
    for (const list of this.#lists) list.close();
    this.#ids.close();
    for (const memory of this.#memory) memory.release();
    this.#memory.clear();
    this.#lastKept = null;
    this.#memoryBytes = 0;
    this.#slabs.close();
  }

  /**
   * Where the document stays: where it is, or, if it came with few others, copied together with the documents before
   * it: an allocation takes whole pages.
   */
  #placeOf({ start, end, sourceAddress, sourceLength, memory }: BufferedDocument): {
    start: number;
    sourceAddress: number;
  } {
    if (memory === this.#lastKept) return { start, sourceAddress };
    const bytes = memory.reduce((sum, held) => sum + held.bytes, 0);
    if (bytes > FEW_BYTES) {
      for (const held of memory) this.#keep(held);
      this.#lastKept = memory;
      return { start, sourceAddress };
    }
    const records = (end - start + 16 + 7) & ~7;
    const at = this.#slabs.take(records + sourceLength + 16);
    this.arena.u8.copyWithin(at, start, end);
    this.arena.u8.copyWithin(at + records, sourceAddress, sourceAddress + sourceLength);
    return { start: at, sourceAddress: at + records };
  }

  #keep(memory: HeldMemory): void {
    if (this.#memory.has(memory)) return;
    memory.hold();
    this.#memory.add(memory);
    this.#memoryBytes += memory.bytes;
  }
}
