/**
 * Files in memory that can lose their power: bytes since a file's last sync and names since their folder's last sync
 * survive or not, as the system happened to write them. Fast enough for thousands of crashes a minute.
 *
 * What is modelled: pages of 4 KB written back in any order and torn at sectors; a file's length written back apart
 * from its pages; creations, renames and removals of names one by one in order (a journaling file system), or in any
 * order, a rename always whole. Syncing a file does not make its name durable, syncing a folder not what is in its files.
 */
import path from "node:path";
import { EngineError } from "../../errors.js";
import type { FileHandle, FileStatus, Files, OpenMode } from "../files.js";
import { type Chance, chanceOf } from "./chance.js";
import { MemoryFile, type SurvivingBytes } from "./memory-file.js";
import { MemoryFolder, type NameChange } from "./memory-folder.js";

/** What a power cut leaves. `prefix`: names changed until some moment, as a journal keeps them. */
export interface PowerCut {
  readonly bytes: SurvivingBytes;
  readonly names: "none" | "all" | "prefix" | "some";
  readonly chance: Chance;
}

/** Only what was synced survives. */
export const SYNCED_ONLY: PowerCut = { bytes: "none", names: "none", chance: chanceOf(1) };
/** A process is killed: the system goes on, nothing is lost, and nothing is more durable than it was. */
export const PROCESS_KILLED = "process killed";

/** One of the power cuts there can be. */
export function randomPowerCut(chance: Chance): PowerCut {
  const bytes = (["some", "some", "some", "none", "all"] as const)[chance(5)];
  const names = (["some", "prefix", "none", "all"] as const)[chance(4)];
  return { bytes, names, chance };
}

/** A disk. A handle is of the disk as it was when it was opened: after a crash it is good for nothing. */
export class MemoryDisk implements Files {
  #root = new MemoryFolder();
  #crashes = 0;
  #nameChanges = 0;

  /** The machine loses its power and starts again, or the process that has files open is gone. */
  crash(cut: PowerCut | typeof PROCESS_KILLED = SYNCED_ONLY): void {
    this.#crashes++;
    if (cut === PROCESS_KILLED) return;
    const changes = new Set<NameChange>();
    for (const folder of this.#root.everyFolder()) for (const change of folder.pending) changes.add(change);
    const kept = keptChanges([...changes], cut);
    this.#root = this.#root.survivor(kept, (file) => file.survivor(cut.bytes, cut.chance));
  }

  /** A disk of its own with the same on it, what is unsynced included. */
  copy(): MemoryDisk {
    const twin = new MemoryDisk();
    twin.#root = this.#root.copy();
    twin.#nameChanges = this.#nameChanges;
    return twin;
  }

  /** Paths of all files, sorted. */
  paths(): string[] {
    return [...this.#root.everyFile(path.sep)].map(([file]) => file).sort();
  }

  flipBit(file: string, position: number, bit: number): void {
    this.#file("open", file).flipBit(position, bit);
  }

  /** What a failing sync of this file does to it. */
  failSync(file: string, chance: Chance): void {
    this.#file("sync", file).failSync(chance);
  }

  open(file: string, mode: OpenMode): FileHandle {
    const [folder, name] = this.#place("open", file);
    let found = folder.entries.get(name);
    if (found instanceof MemoryFolder) throw failure("open", file, "EISDIR");
    if (found === undefined && (mode === "read" || mode === "update")) throw failure("open", file, "ENOENT");
    if (found !== undefined && mode === "exclusive") throw failure("open", file, "EEXIST");
    if (found === undefined) {
      found = new MemoryFile();
      this.#change([folder, name, found]);
    } else if (mode === "create") {
      found.resize(0);
    }
    const crashes = this.#crashes;
    return new MemoryHandle(file, found, () => crashes === this.#crashes);
  }

  stat(file: string): FileStatus | undefined {
    const found = this.#root.find(namesOf(file));
    if (found === undefined) return undefined;
    const directory = found instanceof MemoryFolder;
    return { size: directory ? 0 : found.size, modifiedMs: 0, directory };
  }

  list(folder: string): string[] {
    const found = this.#root.find(namesOf(folder));
    if (found === undefined) return [];
    if (!(found instanceof MemoryFolder)) throw failure("list", folder, "ENOTDIR");
    return [...found.entries.keys()].sort();
  }

  makeDirectory(folder: string): void {
    let at = this.#root;
    for (const name of namesOf(folder)) {
      const next = at.entries.get(name);
      if (next instanceof MemoryFile) throw failure("make folder", folder, "EEXIST");
      const made = next ?? new MemoryFolder();
      if (next === undefined) this.#change([at, name, made]);
      at = made;
    }
  }

  rename(from: string, to: string): void {
    const [fromFolder, fromName] = this.#place("rename", from);
    const [toFolder, toName] = this.#place("rename", to);
    const moved = fromFolder.entries.get(fromName);
    if (moved === undefined) throw failure("rename", from, "ENOENT");
    this.#change([fromFolder, fromName, null], [toFolder, toName, moved]);
  }

  unlink(file: string): void {
    const parent = this.#root.find(namesOf(path.dirname(path.resolve(file))));
    const name = path.basename(file);
    if (!(parent instanceof MemoryFolder) || !parent.entries.has(name)) return;
    if (parent.entries.get(name) instanceof MemoryFolder) throw failure("remove", file, "EISDIR");
    this.#change([parent, name, null]);
  }

  /** Name by name, as the system does it. */
  removeTree(folder: string): void {
    const found = this.#root.find(namesOf(folder));
    if (found === undefined) return;
    if (found instanceof MemoryFolder) {
      for (const name of [...found.entries.keys()]) this.removeTree(path.join(folder, name));
    }
    const [parent, name] = this.#place("remove", folder);
    this.#change([parent, name, null]);
  }

  syncDirectory(folder: string): void {
    const found = this.#root.find(namesOf(folder));
    if (!(found instanceof MemoryFolder)) throw failure("sync", folder, "ENOENT");
    found.sync();
  }

  async syncDirectoryAsync(folder: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.syncDirectory(folder);
  }

  #change(...parts: NameChange["parts"][number][]): void {
    const change = { order: this.#nameChanges++, parts };
    for (const [folder, name, node] of parts) {
      if (node === null) folder.entries.delete(name);
      else folder.entries.set(name, node);
      folder.pending.add(change);
    }
  }

  #file(operation: string, file: string): MemoryFile {
    const found = this.#root.find(namesOf(file));
    if (!(found instanceof MemoryFile)) throw failure(operation, file, "ENOENT");
    return found;
  }

  #place(operation: string, file: string): [MemoryFolder, string] {
    const folder = this.#root.find(namesOf(path.dirname(path.resolve(file))));
    if (!(folder instanceof MemoryFolder)) throw failure(operation, file, "ENOENT");
    return [folder, path.basename(file)];
  }
}

class MemoryHandle implements FileHandle {
  #closed = false;

  constructor(
    readonly path: string,
    private readonly file: MemoryFile,
    private readonly isPowered: () => boolean,
  ) {}

  readAt(into: Uint8Array, position: number): number {
    this.#check("read");
    return this.file.read(into, position);
  }

  writeAt(bytes: Uint8Array, position: number): void {
    this.#check("write");
    this.file.write(bytes, position);
  }

  writev(parts: readonly Uint8Array[], position: number): void {
    let at = position;
    for (const part of parts) {
      this.writeAt(part, at);
      at += part.length;
    }
  }

  truncate(length: number): void {
    this.#check("truncate");
    this.file.resize(length);
  }

  size(): number {
    this.#check("stat");
    return this.file.size;
  }

  sync(): void {
    this.#check("sync");
    this.file.beginSync()();
  }

  /** A turn of the event loop later, so that others write, and the power fails, between asking and syncing. */
  async syncAsync(): Promise<void> {
    this.#check("sync");
    const finish = this.file.beginSync();
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.isPowered()) throw failure("sync", this.path, "EIO");
    finish();
  }

  close(): void {
    this.#closed = true;
  }

  #check(operation: string): void {
    if (this.#closed) throw failure(operation, this.path, "EBADF");
    if (!this.isPowered()) throw failure(operation, this.path, "EIO");
  }
}

function keptChanges(changes: NameChange[], { names, chance }: PowerCut): Set<NameChange> {
  changes.sort((a, b) => a.order - b.order);
  switch (names) {
    case "none":
      return new Set();
    case "all":
      return new Set(changes);
    case "prefix":
      return new Set(changes.slice(0, chance(changes.length + 1)));
    default:
      return new Set(changes.filter(() => chance(2) === 0));
  }
}

function namesOf(file: string): string[] {
  return path.resolve(file).split(path.sep).filter(Boolean);
}

/** An error as the real files throw it. */
export function failure(operation: string, file: string, errno: string): EngineError {
  return new EngineError("io", `cannot ${operation} ${path.resolve(file)}: ${errno}`, { operation, path: file, errno });
}
