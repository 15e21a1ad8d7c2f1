/**
 * Files over others (a MemoryDisk, or the real ones) that count what is done to them and fail where a test wants it:
 * at the n-th operation, at random, or until the test says that the fault is over.
 */
import type { EngineError } from "../../errors.js";
import type { FileHandle, FileStatus, Files, OpenMode } from "../files.js";
import { type Chance, chanceOf } from "./chance.js";
import { failure, MemoryDisk } from "./memory-disk.js";

/** What can be done to files, and fail. */
export const FILE_STEPS = [
  "open",
  "read",
  "write",
  "truncate",
  "sync",
  "stat",
  "list",
  "make folder",
  "rename",
  "remove",
  "sync folder",
] as const;
export type FileStep = (typeof FILE_STEPS)[number];

/** Steps that need room on the disk. */
export const STEPS_THAT_FILL: readonly FileStep[] = ["open", "write", "truncate", "make folder", "rename"];

/** One operation, before it is done. */
export interface FileOperation {
  /** From 1, over all operations. */
  readonly number: number;
  readonly step: FileStep;
  readonly path: string;
  /** How many bytes would be written. */
  readonly bytes: number;
}

/** What goes wrong. A write may have written some of its bytes before it fails. */
export type Fault =
  | { readonly kind: "error"; readonly errno: "EIO" | "ENOSPC"; readonly written: number }
  /** This operation and all after it fail: the process or the machine is gone. */
  | { readonly kind: "off"; readonly written: number };

/** Decides which operations fail. */
export type FaultPlan = (operation: FileOperation) => Fault | undefined;

export interface FaultyFilesOptions {
  /** Only paths that contain it are counted and fail. */
  readonly pattern?: string;
  /** What a failing sync loses. */
  readonly chance?: Chance;
  /** `lose`, as Linux does where the disk itself failed (default): what was unsynced is not tried again; `keep`: it is. */
  readonly failedSyncs?: "lose" | "keep";
}

/** See the head of this file. `base` a MemoryDisk: a failing sync loses what was unsynced there. */
export class FaultyFiles implements Files {
  /** Asked before every operation. */
  plan: FaultPlan = () => undefined;
  /** Syncs wait for this, when set. */
  syncGate: Promise<void> | null = null;
  /** Called when a fault of kind `off` strikes, before anything else happens: the moment to look at the disk. */
  whenOff: () => void = () => {};
  readonly #counts = new Map<FileStep, number>();
  readonly #chance: Chance;
  readonly #touches: (path: string) => boolean;
  #operations = 0;
  #injected = 0;
  #off = false;

  constructor(
    readonly base: Files,
    private readonly options: FaultyFilesOptions = {},
  ) {
    const { pattern = "", chance = chanceOf(1) } = options;
    this.#chance = chance;
    this.#touches = (path) => path.includes(pattern);
  }

  /** Operations so far, those that failed included. */
  get operations(): number {
    return this.#operations;
  }

  /** Faults so far; everything after a power cut counts once. */
  get injected(): number {
    return this.#injected;
  }

  /** Operations of a kind so far. */
  count(step: FileStep): number {
    return this.#counts.get(step) ?? 0;
  }

  get isOff(): boolean {
    return this.#off;
  }

  /** From now on every operation fails. */
  switchOff(): void {
    if (this.#off) return;
    this.#off = true;
    this.whenOff();
  }

  open(file: string, mode: OpenMode): FileHandle {
    return this.#step("open", file, () => {
      const handle = this.base.open(file, mode);
      return this.#touches(file) ? this.#wrap(handle) : handle;
    });
  }

  stat(file: string): FileStatus | undefined {
    return this.#step("stat", file, () => this.base.stat(file));
  }

  list(folder: string): string[] {
    return this.#step("list", folder, () => this.base.list(folder));
  }

  makeDirectory(folder: string): void {
    this.#step("make folder", folder, () => this.base.makeDirectory(folder));
  }

  rename(from: string, to: string): void {
    this.#step("rename", from, () => this.base.rename(from, to));
  }

  unlink(file: string): void {
    this.#step("remove", file, () => this.base.unlink(file));
  }

  removeTree(folder: string): void {
    this.#step("remove", folder, () => this.base.removeTree(folder));
  }

  syncDirectory(folder: string): void {
    this.#step("sync folder", folder, () => this.base.syncDirectory(folder));
  }

  async syncDirectoryAsync(folder: string): Promise<void> {
    await this.#step("sync folder", folder, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#off) throw failure("sync", folder, "EIO");
      this.base.syncDirectory(folder);
    });
  }

  #wrap(handle: FileHandle): FileHandle {
    const { path } = handle;
    return {
      path,
      readAt: (into, position) => this.#step("read", path, () => handle.readAt(into, position)),
      writeAt: (bytes, position) => this.#write(handle, [bytes], position),
      writev: (parts, position) => this.#write(handle, parts, position),
      truncate: (length) => this.#step("truncate", path, () => handle.truncate(length)),
      size: () => this.#step("stat", path, () => handle.size()),
      sync: () => this.#step("sync", path, () => handle.sync()),
      syncAsync: () => this.#syncAsync(handle),
      // Closing is never refused: whoever lost the disk must be able to let go.
      close: () => handle.close(),
    };
  }

  async #syncAsync(handle: FileHandle): Promise<void> {
    const operation = this.#begin("sync", handle.path);
    if (this.syncGate) await this.syncGate;
    const fault = this.#decide(operation);
    if (fault) throw this.#fail("sync", handle.path, fault);
    await handle.syncAsync();
    if (this.#off) throw failure("sync", handle.path, "EIO");
  }

  #write(handle: FileHandle, parts: readonly Uint8Array[], position: number): void {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    const fault = this.#faultOf("write", handle.path, bytes);
    if (!fault) {
      if (parts.length === 1) handle.writeAt(parts[0], position);
      else handle.writev(parts, position);
      return;
    }
    const written = Math.min(bytes, fault.written);
    if (written > 0) handle.writeAt(Buffer.concat(parts).subarray(0, written), position);
    throw this.#fail("write", handle.path, fault);
  }

  #step<T>(step: FileStep, file: string, action: () => T): T {
    const fault = this.#faultOf(step, file);
    if (fault) throw this.#fail(step, file, fault);
    return action();
  }

  #faultOf(step: FileStep, path: string, bytes = 0): Fault | undefined {
    return this.#decide(this.#begin(step, path, bytes));
  }

  /** Counts an operation; undefined for one that is none of ours. */
  #begin(step: FileStep, path: string, bytes = 0): FileOperation | undefined {
    if (!this.#touches(path)) return undefined;
    if (!this.#off) this.#counts.set(step, this.count(step) + 1);
    return { number: this.#off ? this.#operations : ++this.#operations, step, path, bytes };
  }

  #decide(operation: FileOperation | undefined): Fault | undefined {
    if (!operation) return undefined;
    if (this.#off) return { kind: "off", written: 0 };
    const fault = this.plan(operation);
    if (fault) this.#injected++;
    return fault;
  }

  #fail(step: FileStep, path: string, fault: Fault): EngineError {
    if (fault.kind === "off") {
      this.switchOff();
      return failure(step, path, "EIO");
    }
    const loses = this.options.failedSyncs !== "keep";
    if (step === "sync" && loses && this.base instanceof MemoryDisk) this.base.failSync(path, this.#chance);
    return failure(step, path, fault.errno);
  }
}

/** The n-th operation fails so. */
export function faultAt(number: number, fault: Fault): FaultPlan {
  return (operation) => (operation.number === number ? fault : undefined);
}

/** The disk is full from the n-th operation on; half of what that one would write is written. */
export function fullFrom(number: number): FaultPlan {
  return ({ number: now, step, bytes }) => {
    if (now < number || !STEPS_THAT_FILL.includes(step)) return undefined;
    return { kind: "error", errno: "ENOSPC", written: now === number ? bytes >> 1 : 0 };
  };
}
