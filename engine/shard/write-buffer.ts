/**
 * The write buffer of an index: the memtable while there is one (an index that is not written to holds none), what
 * operations do to it and to the documents they replace, and its sealing into a segment.
 */
import { EngineError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { Memtable } from "../memtable/memtable.js";
import type { Storage } from "../store/storage.js";
import type { CurrentDocument } from "./current-documents.js";
import type { Operation } from "./operation.js";
import type { SegmentFolder } from "./segment-folder.js";
import type { SegmentSet } from "./segment-set.js";

/** Takes durable operations; gives a segment when sealed. */
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
   * Does what a durable operation says; `fields` are those that its prepared document names. When the memtable has no
   * room left it is sealed; throws `overloaded` when even an empty one has none.
   */
  apply(operation: Operation, fields: readonly Field[]): void {
    if (operation.replaces) this.#delete(operation.id, operation.replaces);
    if (operation.deleted) return;
    this.#memtable ??= new Memtable(this.storage);
    try {
      this.#memtable.add(operation, fields, operation);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "overloaded") throw error;
      this.seal();
      this.#memtable = new Memtable(this.storage);
      this.#memtable.add(operation, fields, operation);
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
