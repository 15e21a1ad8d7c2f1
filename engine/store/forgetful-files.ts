/**
 * Files in memory that can crash: what was not synced is forgotten, as a machine without power may do, and any step
 * can be made to fail. For tests of what must survive; stands beside the real ones because both keep one contract.
 */
import path from "node:path";
import { EngineError } from "../errors.js";
import type { FileHandle, FileStatus, Files, OpenMode } from "./files.js";

/** A step as told to `before`. */
export type FileStep = "open" | "write" | "truncate" | "sync" | "rename" | "unlink" | "sync folder";

/** A file's bytes as the program sees them and as they would survive. */
class Contents {
  bytes = new Uint8Array(0);
  durable = new Uint8Array(0);

  write(part: Uint8Array, position: number): void {
    if (position + part.length > this.bytes.length) this.resize(position + part.length);
    this.bytes.set(part, position);
  }

  resize(length: number): void {
    const resized = new Uint8Array(length);
    resized.set(this.bytes.subarray(0, length));
    this.bytes = resized;
  }
}

export class ForgetfulFiles implements Files {
  /** Called before every step that changes something; may throw to make it fail. */
  before: (step: FileStep, path: string) => void = () => {};
  #names = new Map<string, Contents>();
  #durableNames = new Map<string, Contents>();

  /**
   * The machine loses power and starts again: unsynced bytes and names are gone. With `torn`, a file keeps the first
   * part of what was appended since its last sync (the share of it, 0 to 1, for each path).
   */
  crash(torn: (path: string) => number = () => 0): void {
    this.#names = new Map(this.#durableNames);
    for (const [name, contents] of this.#names) {
      const kept = contents.durable.length + Math.floor((contents.bytes.length - contents.durable.length) * torn(name));
      const survived = new Uint8Array(Math.max(contents.durable.length, kept));
      survived.set(contents.bytes.subarray(0, survived.length));
      survived.set(contents.durable);
      contents.bytes = survived;
      contents.durable = survived.slice();
    }
  }

  open(file: string, mode: OpenMode): FileHandle {
    const name = path.resolve(file);
    let contents = this.#names.get(name);
    if ((mode === "read" || mode === "update") && contents === undefined) throw failure("open", file, "ENOENT");
    if (mode === "exclusive" && contents !== undefined) throw failure("open", file, "EEXIST");
    if (contents === undefined) {
      this.before("open", name);
      contents = new Contents();
      this.#names.set(name, contents);
    } else if (mode === "create") {
      this.before("truncate", name);
      contents.resize(0);
    }
    return new ForgetfulFile(file, contents, this);
  }

  stat(file: string): FileStatus | undefined {
    const name = path.resolve(file);
    const contents = this.#names.get(name);
    if (contents !== undefined) return { size: contents.bytes.length, modifiedMs: 0, directory: false };
    const isFolder = [...this.#names.keys()].some((other) => other.startsWith(name + path.sep));
    return isFolder ? { size: 0, modifiedMs: 0, directory: true } : undefined;
  }

  list(folder: string): string[] {
    const prefix = path.resolve(folder) + path.sep;
    const inside = [...this.#names.keys()].filter((name) => name.startsWith(prefix));
    return [...new Set(inside.map((name) => name.slice(prefix.length).split(path.sep)[0]))].sort();
  }

  makeDirectory(): void {}

  rename(from: string, to: string): void {
    this.before("rename", path.resolve(to));
    const contents = this.#names.get(path.resolve(from));
    if (contents === undefined) throw failure("rename", from, "ENOENT");
    this.#names.delete(path.resolve(from));
    this.#names.set(path.resolve(to), contents);
  }

  unlink(file: string): void {
    this.before("unlink", path.resolve(file));
    this.#names.delete(path.resolve(file));
  }

  removeTree(folder: string): void {
    const prefix = path.resolve(folder) + path.sep;
    for (const name of [...this.#names.keys()]) if (name.startsWith(prefix)) this.unlink(name);
  }

  syncDirectory(folder: string): void {
    const name = path.resolve(folder);
    this.before("sync folder", name);
    const inFolder = (file: string) => path.dirname(file) === name;
    for (const file of [...this.#durableNames.keys()]) if (inFolder(file)) this.#durableNames.delete(file);
    for (const [file, contents] of this.#names) if (inFolder(file)) this.#durableNames.set(file, contents);
  }
}

class ForgetfulFile implements FileHandle {
  readonly #contents: Contents;
  readonly #files: ForgetfulFiles;
  #closed = false;

  constructor(
    readonly path: string,
    contents: Contents,
    files: ForgetfulFiles,
  ) {
    this.#contents = contents;
    this.#files = files;
  }

  readAt(into: Uint8Array, position: number): number {
    this.#check("read");
    const part = this.#contents.bytes.subarray(position, position + into.length);
    into.set(part);
    return part.length;
  }

  writeAt(bytes: Uint8Array, position: number): void {
    this.#step("write");
    this.#contents.write(bytes, position);
  }

  writev(parts: readonly Uint8Array[], position: number): void {
    let at = position;
    for (const part of parts) {
      this.writeAt(part, at);
      at += part.length;
    }
  }

  truncate(length: number): void {
    this.#step("truncate");
    this.#contents.resize(length);
  }

  size(): number {
    this.#check("stat");
    return this.#contents.bytes.length;
  }

  sync(): void {
    this.#step("sync");
    this.#contents.durable = this.#contents.bytes.slice();
  }

  async syncAsync(): Promise<void> {
    this.sync();
  }

  close(): void {
    this.#closed = true;
  }

  #step(step: FileStep): void {
    this.#check(step);
    this.#files.before(step, path.resolve(this.path));
  }

  #check(operation: string): void {
    if (this.#closed) throw failure(operation, this.path, "EBADF");
  }
}

function failure(operation: string, file: string, errno: string): EngineError {
  return new EngineError("io", `cannot ${operation} ${file}: ${errno}`, { operation, path: file, errno });
}
