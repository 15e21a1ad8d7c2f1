/**
 * Indices on their way back from a snapshot: each gets a folder of its own and a new uuid; its files are copied and
 * checked byte for byte, committed, and opened once to see that they can be. Nothing of it counts before all of them
 * become the engine's together.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { PARTIAL_SUFFIX } from "../index-folders.js";
import { writeCommit } from "../segment/commit.js";
import { SegmentFolder, type StoredDefinition } from "../shard/index.js";
import type { RestoreSnapshot, SnapshotAmount } from "../snapshots.js";
import type { Storage } from "../store/index.js";
import { ensureFolder } from "../wal/index.js";
import { type CopyControl, restoreFile } from "./blobs.js";
import type { StoredIndex } from "./format.js";

/** One index to bring back. */
export interface Restorable {
  readonly index: StoredIndex;
  readonly target: string;
  readonly settings: RestoreSnapshot["indices"][number]["settings"];
}

/** An index whose files are in place. */
export interface Restored {
  readonly name: string;
  readonly stored: StoredDefinition;
}

/** Where to and from. */
export interface RestoringParts {
  readonly storage: Storage;
  /** Folder of all indices. */
  readonly folder: string;
  /** The repository's folder. */
  readonly root: string;
  readonly warn: (message: string) => void;
}

/** One restore on its way. */
export class Restoring {
  readonly amount: SnapshotAmount = { files: 0, bytes: 0 };
  readonly #folders: string[] = [];

  constructor(private readonly parts: RestoringParts) {}

  /** Puts the files of indices in place, durable when it resolves. Throws CorruptionError, `io`, `cancelled`. */
  async copy(indices: readonly Restorable[], control: CopyControl): Promise<Restored[]> {
    const restored: Restored[] = [];
    for (const one of indices) restored.push(await this.#copyIndex(one, control));
    return restored;
  }

  /** Takes away what was copied. */
  undo(): void {
    for (const folder of this.#folders) this.parts.storage.files.removeTree(folder + PARTIAL_SUFFIX);
  }

  /** Gives the folders their names, durably: from here on they hold indices. Throws `io`. */
  settle(): void {
    const { files } = this.parts.storage;
    for (const folder of this.#folders) files.rename(folder + PARTIAL_SUFFIX, folder);
    if (this.#folders.length > 0) files.syncDirectory(this.parts.folder);
  }

  async #copyIndex({ index, target, settings }: Restorable, control: CopyControl): Promise<Restored> {
    const { storage, root } = this.parts;
    const { files } = storage;
    const uuid = randomBytes(16).toString("base64url");
    const place = path.join(this.parts.folder, uuid);
    const folder = place + PARTIAL_SUFFIX;
    this.#folders.push(place);
    ensureFolder(files, folder);
    const blobs = { files, root, indexUuid: index.definition.uuid };
    for (const file of index.files) {
      await restoreFile(blobs, file, folder, control);
      this.amount.files++;
      this.amount.bytes += file.size;
    }
    if (index.commit) {
      await writeCommit(files, folder, index.commit, undefined);
      this.#checkOpens(folder);
    }
    return { name: target, stored: { fields: index.fields, definition: { ...index.definition, ...settings, uuid } } };
  }

  #checkOpens(folder: string): void {
    const { holders } = SegmentFolder.open(this.parts.storage, folder, this.parts.warn);
    for (const holder of holders) holder.release();
  }
}
