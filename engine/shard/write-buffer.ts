/**
 * The write buffer of an index: the memtable while there is one (an index that is not written to holds none), what
 * operations do to it and to the documents they replace, and its sealing into a segment.
 */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { Memtable } from "../memtable/memtable.js";
import type { Storage } from "../store/storage.js";
import type { CurrentDocument } from "./current-documents.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { SegmentSet } from "./segment-set.js";
import type { VersionEntry } from "./version-map.js";

/** A durable operation. */
export interface AppliedOperation {
  readonly id: string;
  readonly entry: VersionEntry;
  /** The document that was there when the operation got its number. */
  readonly replaces: CurrentDocument | undefined;
}

/** Where the prepared document of an operation lies in the arena, and the fields its records name. */
export interface PreparedDocument {
  readonly start: number;
  readonly end: number;
  readonly fields: readonly Field[];
}

export class WriteBuffer {
  #memtable: Memtable | null = null;

  constructor(
    private readonly storage: Storage,
    private readonly folder: SegmentFolder,
    private readonly segments: SegmentSet,
  ) {}

  /** null: nothing was written since the last seal. */
  get memtable(): Memtable | null {
    return this.#memtable;
  }

  get bytes(): number {
    return this.#memtable?.bytes ?? 0;
  }

  /**
   * Does what an operation says; `document` is given unless it is a delete. When the memtable has no room left it is
   * sealed; throws `overloaded` when even an empty one has none.
   */
  apply(operation: AppliedOperation, document: PreparedDocument | null): void {
    if (operation.replaces) this.#delete(operation.id, operation.replaces);
    if (!document) return;
    try {
      this.#add(operation, document);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "overloaded" || !this.#memtable) throw error;
      this.seal();
      this.#add(operation, document);
    }
  }

  /** Turns the memtable into the index's newest segment, which no reader shows yet. Throws `io`, leaving all as it was. */
  seal(): void {
    const memtable = this.#memtable;
    if (!memtable) return;
    if (memtable.docCount > memtable.deletedCount) {
      const { segment, live } = memtable.seal(this.folder.folder, this.folder.newName());
      this.segments.add(this.folder.adopt(segment, live));
    }
    this.#memtable = null;
    memtable.close();
  }

  /** Drops what is in memory. */
  close(): void {
    this.#memtable?.close();
    this.#memtable = null;
  }

  #add({ id, entry }: AppliedOperation, document: PreparedDocument): void {
    this.#memtable ??= new Memtable(this.storage);
    const { seqNo, primaryTerm, version, routing } = entry;
    const source = entry.source as Uint8Array;
    this.#memtable.add(document, document.fields, { id, seqNo, primaryTerm, version, routing, source });
  }

  /** Since the operation got its number its predecessor may have moved: into the memtable, or with it into a segment. */
  #delete(id: string, replaces: CurrentDocument): void {
    if (replaces.where === "segment" && !replaces.located.holder.retired) {
      replaces.located.holder.live.delete(replaces.located.doc);
      return;
    }
    const doc = this.#memtable?.findId(id) ?? -1;
    if (doc >= 0) {
      this.#memtable?.delete(doc);
      return;
    }
    const located = this.segments.find(id);
    located?.holder.live.delete(located.doc);
  }
}
