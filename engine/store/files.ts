/**
 * Files as the engine sees them: an interface small enough that tests can pass ones that fail at a named point or
 * forget what was not synced, and its one real implementation over node:fs. All calls are synchronous (a cached read
 * costs 5 us this way, 20 us through the thread pool) except syncing, which may take milliseconds.
 *
 * What a crash may take: bytes written since the last sync of the file; a file's name (created, renamed, removed)
 * since the last `syncDirectory` of its folder.
 */
import fs from "node:fs";
import path from "node:path";
import { EngineError } from "../errors.js";

/** An open file. */
export interface FileHandle {
  readonly path: string;
  /** Reads into `into` from `position`; returns how many bytes there were (less only at the end of the file). */
  readAt(into: Uint8Array, position: number): number;
  /** Writes all bytes at `position`, extending the file. */
  writeAt(bytes: Uint8Array, position: number): void;
  /** Both without blocking this thread, for copying much; files that lack them are read and written as above. */
  readAtAsync?(into: Uint8Array, position: number): Promise<number>;
  writeAtAsync?(bytes: Uint8Array, position: number): Promise<void>;
  /** Writes the parts one after the other from `position`, with as few system calls as can be. */
  writev(parts: readonly Uint8Array[], position: number): void;
  truncate(length: number): void;
  size(): number;
  /** Makes what was written durable (fdatasync). */
  sync(): void;
  /** The same without blocking this thread. */
  syncAsync(): Promise<void>;
  close(): void;
}

/** `read`: must exist. `update`: read and write, must exist. `create`: read and write, emptied if it exists. `exclusive`: made now, or fails. */
export type OpenMode = "read" | "update" | "create" | "exclusive";

export interface FileStatus {
  size: number;
  modifiedMs: number;
  directory: boolean;
}

/** Everything the engine does to a disk. Failures throw EngineError `io` that names the operation and the path. */
export interface Files {
  open(path: string, mode: OpenMode): FileHandle;
  /** undefined: there is no such file. */
  stat(path: string): FileStatus | undefined;
  /** Names in a folder, sorted; empty if there is none. */
  list(folder: string): string[];
  makeDirectory(folder: string): void;
  /** Replaces the target if it exists. */
  rename(from: string, to: string): void;
  /** Removes a file; nothing happens if there is none. */
  unlink(path: string): void;
  /** Removes a folder with all that is in it. */
  removeTree(folder: string): void;
  /** Makes the names in a folder durable. */
  syncDirectory(folder: string): void;
  /** The same without blocking this thread. */
  syncDirectoryAsync(folder: string): Promise<void>;
}

const FLAGS: Record<OpenMode, string> = { read: "r", update: "r+", create: "w+", exclusive: "wx+" };

/** Linux takes at most this many parts in one writev. */
const MAX_PARTS = 1024;

class NodeFile implements FileHandle {
  #fd: number;

  constructor(
    readonly path: string,
    mode: OpenMode,
  ) {
    this.#fd = attempt("open", path, () => fs.openSync(path, FLAGS[mode], 0o600));
  }

  readAt(into: Uint8Array, position: number): number {
    return attempt("read", this.path, () => {
      let done = 0;
      while (done < into.length) {
        const count = fs.readSync(this.#fd, into, done, into.length - done, position + done);
        if (count === 0) break;
        done += count;
      }
      return done;
    });
  }

  writeAt(bytes: Uint8Array, position: number): void {
    attempt("write", this.path, () => {
      let done = 0;
      while (done < bytes.length) done += fs.writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
    });
  }

  async readAtAsync(into: Uint8Array, position: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const count = await attemptAsync("read", this.path, () =>
        readPiece(this.#fd, into.subarray(done), position + done),
      );
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  async writeAtAsync(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += await attemptAsync("write", this.path, () => writePiece(this.#fd, bytes.subarray(done), position + done));
    }
  }

  writev(parts: readonly Uint8Array[], position: number): void {
    let at = position;
    for (let i = 0; i < parts.length; i += MAX_PARTS) {
      const some = parts.slice(i, i + MAX_PARTS);
      const total = some.reduce((sum, part) => sum + part.length, 0);
      const done = attempt("write", this.path, () => fs.writevSync(this.#fd, some, at));
      if (done < total) this.#writeRest(some, done, at);
      at += total;
    }
  }

  /** A short write is rare (a signal, a full disk): go on part by part, so that the error is the system's own. */
  #writeRest(parts: readonly Uint8Array[], done: number, position: number): void {
    let at = position;
    let skip = done;
    for (const part of parts) {
      const from = Math.min(skip, part.length);
      skip -= from;
      if (from < part.length) this.writeAt(part.subarray(from), at + from);
      at += part.length;
    }
  }

  truncate(length: number): void {
    attempt("truncate", this.path, () => fs.ftruncateSync(this.#fd, length));
  }

  size(): number {
    return attempt("stat", this.path, () => fs.fstatSync(this.#fd).size);
  }

  sync(): void {
    attempt("sync", this.path, () => fs.fdatasyncSync(this.#fd));
  }

  syncAsync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#fd, (error) => (error ? reject(failure("sync", this.path, error)) : resolve()));
    });
  }

  close(): void {
    if (this.#fd < 0) return;
    const fd = this.#fd;
    this.#fd = -1;
    attempt("close", this.path, () => fs.closeSync(fd));
  }
}

/** The real file system. */
export const nodeFiles: Files = {
  open: (file, mode) => new NodeFile(file, mode),
  stat(file) {
    const found = attempt("stat", file, () => fs.statSync(file, { throwIfNoEntry: false }));
    return found && { size: found.size, modifiedMs: found.mtimeMs, directory: found.isDirectory() };
  },
  list(folder) {
    return attempt("list", folder, () => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []));
  },
  makeDirectory(folder) {
    attempt("make folder", folder, () => fs.mkdirSync(folder, { recursive: true, mode: 0o700 }));
  },
  rename(from, to) {
    attempt("rename", from, () => fs.renameSync(from, to));
  },
  unlink(file) {
    attempt("remove", file, () => fs.rmSync(file, { force: true }));
  },
  removeTree(folder) {
    attempt("remove", folder, () => fs.rmSync(folder, { recursive: true, force: true }));
  },
  syncDirectory(folder) {
    // Windows can't open folders; its file systems order names themselves.
    if (process.platform === "win32") return;
    attempt("sync", folder, () => {
      const fd = fs.openSync(folder, "r");
      try {
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
    });
  },
  async syncDirectoryAsync(folder) {
    if (process.platform === "win32") return;
    try {
      const handle = await fs.promises.open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw failure("sync", folder, error);
    }
  },
};

function readPiece(fd: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, into, 0, into.length, position, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

function writePiece(fd: number, bytes: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(fd, bytes, 0, bytes.length, position, (error, count) => (error ? reject(error) : resolve(count)));
  });
}

async function attemptAsync<T>(operation: string, file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw failure(operation, file, error);
  }
}

function attempt<T>(operation: string, file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw failure(operation, file, error);
  }
}

function failure(operation: string, file: string, cause: unknown): EngineError {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
  const message = `cannot ${operation} ${path.resolve(file)}: ${(cause as Error).message}`;
  return new EngineError("io", message, { operation, path: file, errno: code }, { cause });
}
