/**
 * Files that lose, at a simulated power cut, what was not synced: bytes written since a file's last sync, and names
 * made, moved or removed since their folder's last sync. Over the real file system, so that what is left can be opened.
 */
import path from "node:path";
import type { FileHandle, Files } from "../../engine/store/files.js";
import { nodeFiles } from "../../engine/store/files.js";

/** What the disk surely has of a file; null: no such name. */
type Durable = Buffer | null;

export class LosingFiles {
  /** Contents that a power cut would leave, by path, for files where that differs from what is there. */
  readonly #durable = new Map<string, Durable>();
  /** Names changed since their folder was synced. */
  readonly #unsyncedNames = new Map<string, Durable>();
  #off = false;

  readonly files: Files = {
    open: (file, mode) => {
      this.#check();
      const fresh = nodeFiles.stat(file) === undefined;
      if (mode !== "read" && fresh) this.#nameChanges(file, null);
      if (mode === "create" && !fresh) this.#contentChanges(file);
      return this.#wrap(nodeFiles.open(file, mode));
    },
    stat: (file) => nodeFiles.stat(file),
    list: (folder) => nodeFiles.list(folder),
    makeDirectory: (folder) => nodeFiles.makeDirectory(folder),
    rename: (from, to) => {
      this.#check();
      this.#nameChanges(to, readIfThere(to));
      // Under its new name the file is as durable as it was under the old one.
      const content = this.#durable.has(from) ? (this.#durable.get(from) as Durable) : readIfThere(from);
      nodeFiles.rename(from, to);
      this.#durable.delete(from);
      this.#unsyncedNames.delete(from);
      this.#durable.set(to, content);
    },
    unlink: (file) => {
      this.#check();
      const content = readIfThere(file);
      if (content) this.#nameChanges(file, this.#durable.has(file) ? (this.#durable.get(file) as Durable) : content);
      this.#durable.delete(file);
      nodeFiles.unlink(file);
    },
    removeTree: (folder) => {
      this.#check();
      nodeFiles.removeTree(folder);
    },
    syncDirectory: (folder) => {
      this.#check();
      for (const file of [...this.#unsyncedNames.keys()]) {
        if (path.dirname(file) === folder) this.#unsyncedNames.delete(file);
      }
    },
  };

  /** From now on every operation fails, and the disk has only what was synced. */
  cutPower(): void {
    this.#off = true;
    for (const [file, content] of this.#durable) restore(file, content ?? Buffer.alloc(0));
    for (const [file, content] of this.#unsyncedNames) restore(file, content);
  }

  #check(): void {
    if (this.#off) throw new Error("the power is off");
  }

  #nameChanges(file: string, before: Durable): void {
    if (!this.#unsyncedNames.has(file)) this.#unsyncedNames.set(file, before);
  }

  #contentChanges(file: string): void {
    if (!this.#durable.has(file)) this.#durable.set(file, readIfThere(file));
  }

  #wrap(handle: FileHandle): FileHandle {
    const changing = <T>(action: () => T): T => {
      this.#check();
      this.#contentChanges(handle.path);
      return action();
    };
    const synced = () => {
      this.#check();
      this.#durable.delete(handle.path);
    };
    return {
      path: handle.path,
      readAt: (into, position) => handle.readAt(into, position),
      size: () => handle.size(),
      close: () => handle.close(),
      writeAt: (bytes, position) => changing(() => handle.writeAt(bytes, position)),
      writev: (parts, position) => changing(() => handle.writev(parts, position)),
      truncate: (length) => changing(() => handle.truncate(length)),
      sync: synced,
      // A turn of the event loop later, so that a cut can come between asking and syncing.
      syncAsync: () => new Promise<void>((resolve) => setImmediate(resolve)).then(synced),
    };
  }
}

function readIfThere(file: string): Durable {
  const status = nodeFiles.stat(file);
  if (!status) return null;
  const handle = nodeFiles.open(file, "read");
  const bytes = Buffer.alloc(status.size);
  handle.readAt(bytes, 0);
  handle.close();
  return bytes;
}

function restore(file: string, content: Durable): void {
  if (content === null) {
    nodeFiles.unlink(file);
    return;
  }
  const handle = nodeFiles.open(file, "create");
  handle.writeAt(content, 0);
  handle.close();
}
