/**
 * An engine on a disk in memory that can be killed, lose its power, and be opened again on what is left. The folder on
 * the real disk holds its lock only.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openEngine } from "../../engine.js";
import type { EngineFace, EngineOptions } from "../../engine-types.js";
import { chanceOf } from "../../store/testing/chance.js";
import { FaultyFiles } from "../../store/testing/faulty-files.js";
import { MemoryDisk, type PowerCut, PROCESS_KILLED } from "../../store/testing/memory-disk.js";

const ARENA_BYTES = 64 * 2 ** 20;
/** Time stands still unless a test moves it. */
export const NOON = Date.UTC(2024, 5, 1, 12);

/** See the head of this file. */
export class MemoryEngine {
  readonly folder: string;
  readonly warnings: string[] = [];
  disk: MemoryDisk;
  /** What stands between the engine and the disk, until the power goes. */
  files: FaultyFiles;
  /** How often it was opened. */
  opened = 0;
  #engine: EngineFace | undefined;
  #now = NOON;

  /** On a disk with nothing on it, or on another host's, or what is left of that. */
  constructor(
    private readonly options: EngineOptions = {},
    from?: { folder: string; disk: MemoryDisk },
  ) {
    this.folder = from?.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-memory-"));
    this.disk = from?.disk ?? emptyDisk(this.folder);
    this.files = new FaultyFiles(this.disk);
  }

  get engine(): EngineFace {
    if (!this.#engine) throw new Error("no engine is open");
    return this.#engine;
  }

  get isOpen(): boolean {
    return this.#engine !== undefined;
  }

  /** Opens on the disk as it is. */
  async open(): Promise<EngineFace> {
    fs.mkdirSync(this.folder, { recursive: true });
    const random = chanceOf(7);
    this.#engine = await openEngine(this.folder, {
      arenaBytes: ARENA_BYTES,
      clock: { now: () => this.#now++, random: () => random(2 ** 30) / 2 ** 30 },
      warn: (message) => this.warnings.push(message),
      ...this.options,
      // A disk in memory is this thread's alone.
      ...{ files: this.files, workers: 0 },
    });
    this.opened++;
    return this.#engine;
  }

  async reopen(): Promise<EngineFace> {
    await this.close();
    return this.open();
  }

  async close(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await engine?.close();
  }

  /** The process or the machine is gone at once; what it had on its way fails. `open` finds what is left of the disk. */
  async kill(cut: PowerCut | typeof PROCESS_KILLED = PROCESS_KILLED): Promise<void> {
    const left = this.disk.copy();
    this.files.switchOff();
    await this.abandon();
    left.crash(cut);
    this.disk = left;
    this.files = new FaultyFiles(left);
  }

  /** Lets go of an engine whose files fail. */
  async abandon(): Promise<void> {
    await this.close().catch(() => {});
    fs.rmSync(path.join(this.folder, "node.lock"), { force: true });
  }

  async remove(): Promise<void> {
    await this.abandon();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Has the folder's parent, as a machine has its temporary folder. */
function emptyDisk(folder: string): MemoryDisk {
  const disk = new MemoryDisk();
  const parent = path.dirname(folder);
  disk.makeDirectory(parent);
  for (let at = parent; at !== path.dirname(at); at = path.dirname(at)) disk.syncDirectory(path.dirname(at));
  return disk;
}
