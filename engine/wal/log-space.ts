/**
 * The files of a log on the disk: makes new ones, removes old ones, keeps at most two of those to be used again. A file
 * is used again only when its new name is durable: whoever finds it under the old name must find what belongs there.
 * Where there is none to be used again, one is made ahead of its need, in small pieces, so that no write waits for it.
 */
import path from "node:path";
import type { FileHandle, Files } from "../store/files.js";
import { listSpares, logFileName, spareFileName } from "./log-file.js";
import { FILE_HEADER_BYTES } from "./log-header.js";

/** A file that may be removed. */
export interface RemovableFile {
  generation: number;
  /** Bytes on disk. */
  capacity: number;
}

interface Spare {
  file: string;
  capacity: number;
}

/** A file on its way out, and the name it gets if it is kept. */
interface Doomed extends Spare {
  spare: string;
}

const MOST_SPARES = 2;
/** While nothing is written only a file up to this size is kept: a thousand indices that rest should not cost gigabytes. */
const RESTING_SPARE_BYTES = 64 * 1024;
/** A file is made ahead in pieces of this size, each synced: others' syncs wait behind one piece at most. */
const PIECE_BYTES = 256 * 1024;
const ZEROS = Buffer.alloc(PIECE_BYTES);

/** The spare files of a log and the queue of those that go. */
export class LogSpace {
  readonly #spares: Spare[] = [];
  /** Oldest first. They are removed in this order, each durably before the next, so that no file is ever missing between two others. */
  readonly #doomed: Doomed[] = [];
  #nextSpare = 1;
  #tidying: Promise<void> = Promise.resolve();
  /** Sizes that are kept as spares. */
  #kept = { least: 0, most: 0 };
  #resting = true;
  /** The file that is being made ahead. */
  #preparing: Promise<void> | null = null;
  #stopPreparing = false;
  #closed = false;

  constructor(
    private readonly files: Files,
    private readonly folder: string,
    private readonly warn: (message: string) => void,
  ) {
    // What a process left that was killed. Nobody knows how large a file will be needed next.
    for (const file of listSpares(files, folder)) files.unlink(file);
  }

  /** Bytes on disk that hold nothing that is needed. */
  get idleBytes(): number {
    return [...this.#spares, ...this.#doomed].reduce((sum, { capacity }) => sum + capacity, 0);
  }

  /** Makes the file of a generation, its name durable: a spare one, with what is in it, or a new one. Throws `io`. */
  async create(generation: number): Promise<FileHandle> {
    const file = path.join(this.folder, logFileName(generation));
    // What there is of one that is being made will do.
    if (this.#spares.length === 0) await this.#stopMaking();
    const spare = this.#spares.pop();
    if (spare) this.files.rename(spare.file, file);
    const handle = this.files.open(file, spare ? "update" : "create");
    try {
      await this.files.syncDirectoryAsync(this.folder);
    } catch (error) {
      handle.close();
      this.files.unlink(file);
      throw error;
    }
    return handle;
  }

  /** Makes a spare file of so many bytes in the background, unless there is one. */
  prepare(bytes: number): void {
    if (this.#closed || this.#preparing || this.#spares.length > 0 || this.#doomed.length > 0) return;
    this.#stopPreparing = false;
    this.#preparing = this.#make(this.#spareName(), bytes).finally(() => {
      this.#preparing = null;
    });
  }

  /**
   * Removes files that are not needed any more, oldest first, in the background; resolves when done. `busy`: others are
   * being written, each of so many bytes, so files of about that size will be needed again.
   */
  remove(files: readonly RemovableFile[], use: { busy: number } | "resting"): Promise<void> {
    for (const { generation, capacity } of files) {
      this.#doomed.push({ file: path.join(this.folder, logFileName(generation)), spare: this.#spareName(), capacity });
    }
    this.#resting = use === "resting";
    this.#kept = { least: 0, most: RESTING_SPARE_BYTES };
    if (use !== "resting") this.#kept = { least: use.busy / 2, most: Math.max(RESTING_SPARE_BYTES, 2 * use.busy) };
    this.#tidying = this.#tidying.then(() => this.#tidy());
    return this.#tidying;
  }

  /** Removes the spare files: nobody will use them. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stopMaking();
    await this.#tidying;
    for (const { file } of this.#spares.splice(0)) this.files.unlink(file);
  }

  #spareName(): string {
    return path.join(this.folder, spareFileName(this.#nextSpare++));
  }

  async #stopMaking(): Promise<void> {
    this.#stopPreparing = true;
    await this.#preparing;
  }

  async #make(file: string, bytes: number): Promise<void> {
    let capacity = 0;
    try {
      const handle = this.files.open(file, "create");
      try {
        for (; capacity < bytes && !this.#stopPreparing; capacity += PIECE_BYTES) {
          handle.writeAt(ZEROS, capacity);
          await handle.syncAsync();
        }
      } finally {
        handle.close();
      }
      this.#spares.push({ file, capacity });
    } catch {
      // A full disk: a file that grows as it is written may still find room, and says so if it does not.
      this.#discard(file);
    }
  }

  async #tidy(): Promise<void> {
    try {
      while (this.#doomed.length > 0) {
        const [oldest] = this.#doomed;
        const spare = this.#takeAway(oldest);
        await this.files.syncDirectoryAsync(this.folder);
        if (spare) await this.#clear(spare);
        this.#doomed.shift();
      }
      if (this.#resting) await this.#stopMaking();
      for (const spare of this.#spares.filter(({ capacity }) => !this.#isWorthKeeping(capacity))) {
        this.#spares.splice(this.#spares.indexOf(spare), 1);
        this.files.unlink(spare.file);
      }
    } catch (error) {
      // Their records are in segments: replayed once more they change nothing. The next prune tries again.
      this.warn(
        `files of the log in ${this.folder} that are not needed any more could not be removed: ${String(error)}`,
      );
    }
  }

  /** Forgets the header of a file's former life: a new one that was half written must not look like damage. */
  async #clear(spare: Spare): Promise<void> {
    const handle = this.files.open(spare.file, "update");
    try {
      handle.writeAt(ZEROS.subarray(0, FILE_HEADER_BYTES), 0);
      await handle.syncAsync();
    } finally {
      handle.close();
    }
    this.#spares.push(spare);
  }

  #isWorthKeeping(capacity: number): boolean {
    return capacity >= this.#kept.least && capacity <= this.#kept.most;
  }

  /** Takes a file's name away; returns what can be used again. */
  #takeAway({ file, spare, capacity }: Doomed): Spare | null {
    const keep = this.#spares.length < MOST_SPARES && this.#isWorthKeeping(capacity);
    // The second time, after a failed sync of the folder, the file has its new name already.
    if (keep && this.files.stat(file)) this.files.rename(file, spare);
    if (keep) return { file: spare, capacity };
    this.files.unlink(file);
    this.files.unlink(spare);
    return null;
  }

  #discard(file: string): void {
    try {
      this.files.unlink(file);
    } catch (error) {
      this.warn(`${file} could not be removed: ${String(error)}`);
    }
  }
}
