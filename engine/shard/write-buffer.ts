/**
 * The write buffer of an index: documents that are durable in the log and in no segment yet. They gather in one list;
 * sealing closes the list and gives it to a worker that makes a segment of it, while the next list gathers. Until the
 * segment is there the list answers gets and takes deletes. Segments join the index in the order of their seals.
 */
import { EngineError } from "../errors.js";
import { BufferedDocuments } from "../memtable/buffered-documents.js";
import type { BuildJobResult, BuildTarget, BuiltSegment } from "../memtable/build-job.js";
import type { BuildRows } from "../memtable/build-rows.js";
import { OpenSegment } from "../segment/reader.js";
import { allSet, clearBit, isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import { timed } from "../thread-log.js";
import type { LiveSnapshot } from "./live-docs.js";
import type { Operation } from "./operation.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { DeadRows, Moment, SegmentHolder, SegmentSet } from "./segment-set.js";

/** What a write buffer works with. */
export interface WriteBufferParts {
  readonly storage: Storage;
  readonly folder: SegmentFolder;
  readonly segments: SegmentSet;
  /** A list of this size is sealed. */
  readonly sealBytes: number;
  /** Makes segments of a sealed list; all fields of its documents are known to it. */
  readonly build: (rows: BuildRows, target: BuildTarget) => Promise<BuildJobResult>;
}

/** Makes segments of a list at once. */
export type BuildNow = (rows: BuildRows, target: BuildTarget) => BuildJobResult;

/** A list that takes no more documents, on its way to be a segment. */
interface Sealed {
  readonly seal: number;
  readonly documents: BufferedDocuments;
  readonly rows: BuildRows;
  readonly name: string;
  /** Documents that were dead when it was sealed, and are left out. */
  readonly deadThen: number;
  /** null: not begun, or failed. */
  building: Promise<BuildJobResult> | null;
}

/** A document in the write buffer. */
export interface BufferedPlace {
  readonly documents: BufferedDocuments;
  readonly doc: number;
}

/** Sealed lists that may wait for their segments before writers have to. */
const MAX_SEALED = 2;
/** How long to wait for memory after a failed build before trying again. */
const RETRY_MS = 50;
/** Failures in a row before writers are let on without room. */
const RETRIES = 100;

/** Takes durable operations; gives segments. */
export class WriteBuffer {
  #gathering: BufferedDocuments | null = null;
  /** Oldest first. */
  readonly #sealed: Sealed[] = [];
  #seals = 0;
  /** Why the last try to make segments failed on the disk; null when it did not. */
  #failure: EngineError | null = null;
  #closed = false;

  constructor(private readonly parts: WriteBufferParts) {}

  /** Bytes of arena held. */
  get bytes(): number {
    return this.#lists().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Nothing is in it. */
  get isEmpty(): boolean {
    return this.#gathering === null && this.#sealed.length === 0;
  }

  /** Why the disk takes no segments at present; null when it does, as far as is known. */
  get failure(): EngineError | null {
    return this.#failure;
  }

  /** As many lists as may wait for their segments, or more, are waiting. */
  get isFull(): boolean {
    return this.#sealed.length >= MAX_SEALED;
  }

  /**
   * Does what a durable operation says. Throws, having done nothing, when the arena has no room (`overloaded`) or the
   * predecessor can't be looked for (`io`): of a document there are never two.
   */
  apply(operation: Operation): void {
    const deletePredecessor = this.#predecessor(operation);
    if (!operation.deleted) {
      this.#gathering ??= new BufferedDocuments(this.parts.storage.arena);
      this.#gathering.add(operation);
    }
    deletePredecessor?.();
  }

  /** The living document with this id, if it is here. */
  find(id: string): BufferedPlace | undefined {
    const gathering = this.#gathering;
    const doc = gathering?.find(id) ?? -1;
    if (gathering && doc >= 0) return { documents: gathering, doc };
    for (let i = this.#sealed.length - 1; i >= 0; i--) {
      const { documents } = this.#sealed[i];
      const sealedDoc = documents.find(id);
      if (sealedDoc >= 0) return { documents, doc: sealedDoc };
    }
    return undefined;
  }

  /** Closes the list and has a segment made of it; returns the number of the newest seal. */
  seal(): number {
    // What an earlier try met may have passed: before writes are refused for it, there is one that says so of now.
    if (!this.isFull) this.#failure = null;
    const sealed = this.#close();
    if (!sealed) return this.#seals;
    this.#build(sealed).catch(() => {}); // at once, beside those before it
    this.built(sealed.seal).catch(() => {}); // whoever needs it tries again
    return this.#seals;
  }

  /** Seals; what a reader or a commit made now consists of, once `built` has resolved for its seal. */
  sealMoment(): Moment {
    return this.parts.segments.moment(this.seal(), this.#diedSinceSealed());
  }

  /** The list has grown so large that it should be sealed. */
  get isLarge(): boolean {
    return (this.#gathering?.bytes ?? 0) >= this.parts.sealBytes;
  }

  /** Turns what there is into segments at once; no other list may wait for its own. */
  sealNow(build: BuildNow): void {
    const sealed = this.#close();
    if (sealed) this.#adopt(sealed, build(sealed.rows, { folder: this.parts.folder.folder, name: sealed.name }));
  }

  /** Resolves when the segments of all seals up to this one are in the set. Throws `io`, `overloaded`: try again then. */
  async built(seal: number): Promise<void> {
    for (let first = this.#sealed[0]; first && first.seal <= seal; first = this.#sealed[0]) {
      try {
        const result = await this.#build(first);
        if (this.#sealed[0] === first) timed("opening a segment", () => this.#adopt(first, result));
        this.#failure = null;
      } catch (error) {
        if (isIo(error)) this.#failure = error;
        throw error;
      }
    }
  }

  /**
   * Resolves when writers may go on: at once unless many lists wait for their segments. Memory is waited for, a disk that
   * takes nothing is not: that may last for hours, and further writes are refused (see DiskRefusal).
   */
  async room(): Promise<void> {
    for (let tries = 0; this.isFull && !this.#failure && tries < RETRIES; tries++) {
      try {
        await this.built(this.#sealed[0].seal);
      } catch (error) {
        if (!isIo(error)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Tries again to make the segments that are due; resolves when it has, or when that failed. */
  async retry(): Promise<void> {
    await this.built(this.#seals).catch(() => {});
  }

  /** Turns all of it into segments, so that they can be evicted; resolves when done or impossible. */
  async drain(): Promise<void> {
    await this.built(this.seal()).catch(() => {});
  }

  /** Drops what is in memory, once nobody works on it. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#sealed.map(({ building }) => building));
    await Promise.resolve(); // those who waited with us come first
    for (const documents of this.#lists()) documents.close();
    this.#gathering = null;
    this.#sealed.length = 0;
  }

  /** Newest first. */
  #lists(): BufferedDocuments[] {
    const lists: BufferedDocuments[] = this.#gathering ? [this.#gathering] : [];
    for (let i = this.#sealed.length - 1; i >= 0; i--) lists.push(this.#sealed[i].documents);
    return lists;
  }

  /** Which rows of the sealed lists are dead now, where some died since: the segments that are being made have them. */
  #diedSinceSealed(): DeadRows {
    const died = new Map<number, Uint32Array>();
    for (const { seal, documents, deadThen } of this.#sealed) {
      const dead = documents.deadCount > deadThen ? documents.deadNow() : null;
      if (dead) died.set(seal, dead);
    }
    return died;
  }

  /**
   * What deletes the document that the operation replaces, found now and without fail. Since the operation got its number
   * that may have moved: within the buffer, or from it into a segment.
   */
  #predecessor({ id, replaces }: Operation): (() => void) | undefined {
    if (!replaces) return undefined;
    const buffered = this.find(id);
    if (buffered) return () => buffered.documents.delete(buffered.doc);
    const known = replaces.where === "segment" && !replaces.located.holder.retired;
    const located = known ? replaces.located : this.parts.segments.find(id);
    return located && (() => located.holder.live.delete(located.doc));
  }

  /** The list takes no more documents. */
  #close(): Sealed | null {
    const documents = this.#gathering;
    if (!documents) return null;
    this.#gathering = null;
    const rows = documents.rows();
    const name = this.parts.folder.newName();
    const sealed = { seal: ++this.#seals, documents, rows, name, deadThen: documents.deadCount, building: null };
    this.#sealed.push(sealed);
    return sealed;
  }

  #build(sealed: Sealed): Promise<BuildJobResult> {
    const { build, folder } = this.parts;
    if (this.#closed) return Promise.reject(new EngineError("closed", "the write buffer is closed"));
    sealed.building ??= build(sealed.rows, { folder: folder.folder, name: sealed.name }).catch((error: unknown) => {
      sealed.building = null;
      throw error;
    });
    return sealed.building;
  }

  /** Puts the segments of the oldest list in its place. */
  #adopt(sealed: Sealed, { segments }: BuildJobResult): void {
    const { storage, folder } = this.parts;
    const opened: OpenSegment[] = [];
    try {
      for (const { name } of segments) opened.push(OpenSegment.open(storage, folder.folder, name));
    } catch (error) {
      for (const segment of opened) segment.close();
      sealed.building = null;
      throw error;
    }
    opened.forEach((segment, i) => {
      const holder = folder.adopt(segment, null);
      if (sealed.documents.deadCount > sealed.deadThen) deleteDeadSince(sealed, segments[i], holder);
      const aliveWithout = (dead: Uint32Array) => aliveOf(segment.docCount, docsOf(sealed.rows, segments[i], dead));
      this.parts.segments.add({ holder, seal: sealed.seal, aliveWithout });
    });
    this.#sealed.shift();
    sealed.documents.close();
  }
}

function isIo(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === "io";
}

/** Documents that died while their segment was being made are in it: the writer knows, readers learn by and by. */
function deleteDeadSince({ documents, rows }: Sealed, built: BuiltSegment, holder: SegmentHolder): void {
  const dead = documents.deadNow();
  if (dead) for (const doc of docsOf(rows, built, dead)) holder.live.delete(doc);
}

/** Documents of a segment whose rows are among `dead`. */
function* docsOf(rows: BuildRows, { from, to }: BuiltSegment, dead: Uint32Array): Iterable<number> {
  let doc = 0;
  for (let row = from; row < to; row++) {
    if (rows.dead !== null && isSet(rows.dead, row)) continue;
    if (isSet(dead, row)) yield doc;
    doc++;
  }
}

/** All documents of a segment but these. */
function aliveOf(docCount: number, dead: Iterable<number>): LiveSnapshot {
  const bits = allSet(docCount);
  let count = docCount;
  for (const doc of dead) {
    clearBit(bits, doc);
    count--;
  }
  return { bits, count };
}
