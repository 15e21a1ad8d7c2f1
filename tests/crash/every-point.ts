/**
 * Runs the script with a fault at the n-th operation on its files, then compares what the engine says, and what one
 * opened on what is left of the disk says, with the ledger. The kinds of faults:
 *
 *   kill       the process ends before the operation, half-way through a write
 *   power cut  the same, and of what was not synced anything may be lost; several disks may come of it: each is tried
 *   error      EIO, once; after a failed sync what was unsynced may be lost, as on Linux
 *   full       from that operation on nothing can be written, for some steps; then there is room again
 */
import { EngineError } from "../../engine/index.js";
import { type Chance, chanceOf } from "../../engine/store/testing/chance.js";
import { type FileOperation, faultAt, fullFrom } from "../../engine/store/testing/faulty-files.js";
import {
  type MemoryDisk,
  type PowerCut,
  PROCESS_KILLED,
  randomPowerCut,
} from "../../engine/store/testing/memory-disk.js";
import { MemoryEngine } from "../../engine/testing/model/memory-engine.js";
import { Ledger } from "./ledger.js";
import { newStage, SCRIPT, type Stage, type Step, StepSkipped } from "./script.js";

export const FAULTS = ["kill", "power cut", "error", "full"] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Point {
  readonly kind: FaultKind;
  /** The operation, from 1. */
  readonly at: number;
  readonly seed: number;
}

/** What a disk that fails may lead to; a backup says what of it is in question. */
const REFUSALS = ["io", "repository_failed", "repository_missing", "snapshot_failed", "snapshot_missing"];
const POWER_CUTS = 3;
const FULL_STEPS = 3;
const PATIENCE_MS = 30_000;

/** How many operations the script does to files when nothing fails; throws when even that goes wrong. */
export async function countOperations(): Promise<number> {
  const run = new Run({ kind: "error", at: Number.POSITIVE_INFINITY, seed: 1 });
  const findings = await run.all();
  if (findings.length > 0) throw new Error(findings.join("\n"));
  return run.operations;
}

/** What became of a point. */
export interface Tried {
  /** What was found wrong. */
  readonly findings: string[];
  /** Faults that came to pass. */
  readonly injected: number;
  /** Whether the run had the point's operation: requests may come together into fewer groups than in the counted run. */
  readonly reached: boolean;
  readonly title: string;
}

/** Tries one point. */
export async function tryPoint(point: Point): Promise<Tried> {
  const run = new Run(point);
  const findings = await run.all();
  const where = run.struck ? `${run.struck.step} ${run.struck.path.slice(run.folder.length)}` : "nothing";
  const title = `${point.kind} at operation ${point.at} (${where}, seed ${point.seed}, in step "${run.stepAtFault}")`;
  const { injected, operations } = run;
  return {
    findings: findings.map((finding) => `${title}: ${finding}`),
    injected,
    reached: operations >= point.at,
    title,
  };
}

class Run {
  struck: FileOperation | undefined;
  stepAtFault = "";
  operations = 0;
  injected = 0;
  readonly folder: string;
  readonly #host = new MemoryEngine();
  readonly #ledger = new Ledger();
  readonly #stage: Stage = newStage(this.#host, this.#ledger);
  readonly #chance: Chance;
  #image: MemoryDisk | undefined;
  #now = "";
  /** Number of the opening that was looked at last. */
  #looked = 0;
  /** Steps until there is room again. */
  #fullSteps = FULL_STEPS;

  constructor(readonly point: Point) {
    this.#chance = chanceOf(point.seed * 7919 + point.at);
    this.folder = this.#host.folder;
    this.#plan();
  }

  async all(): Promise<string[]> {
    try {
      const findings = await this.#script();
      this.operations = this.#host.files.operations;
      this.injected = this.#host.files.injected;
      if (findings.length > 0) return findings;
      return this.#image ? await this.#afterCrash(this.#image) : await this.#afterFaults();
    } catch (error) {
      return [`in step "${this.#now}": ${error instanceof Error ? error.stack : String(error)}`];
    } finally {
      await this.#host.remove();
    }
  }

  #plan(): void {
    const { kind, at } = this.point;
    const { files } = this.#host;
    const plans = {
      kill: faultAt(at, { kind: "off", written: this.#chance(3000) }),
      "power cut": faultAt(at, { kind: "off", written: this.#chance(3000) }),
      error: faultAt(at, { kind: "error", errno: "EIO", written: this.#chance(3000) }),
      full: fullFrom(at),
    };
    files.plan = (operation) => {
      const fault = plans[kind](operation);
      if (fault && !this.struck) {
        this.struck = operation;
        this.stepAtFault = this.#now;
      }
      return fault;
    };
    files.whenOff = () => {
      this.#image = this.#host.disk.copy();
    };
  }

  async #script(): Promise<string[]> {
    for (const step of SCRIPT) {
      if (this.#host.files.isOff) return [];
      await this.#openIfClosed();
      const findings = await this.#lookIfOpened();
      if (this.#host.isOpen || step === SCRIPT[0]) await this.#attempt(step);
      findings.push(...(await this.#lookIfOpened()));
      if (findings.length > 0) return findings;
      if (this.struck && this.#fullSteps-- === 0) this.#makeSound();
    }
    return [];
  }

  /** An opening may have been refused. */
  async #openIfClosed(): Promise<void> {
    if (this.#host.isOpen || this.struck === undefined) return;
    try {
      await this.#host.open();
    } catch (error) {
      if (!this.#isRefusal(error)) throw error;
    }
  }

  /** Whenever an engine was opened, what is there is compared with what may be there. */
  async #lookIfOpened(): Promise<string[]> {
    const { opened, isOpen, files } = this.#host;
    if (!isOpen || files.isOff || opened === this.#looked) return [];
    try {
      const findings = await this.#ledger.settle(this.#host.engine, "process");
      this.#looked = opened;
      return findings;
    } catch (error) {
      // An index that could not be read when it was opened says so until it is opened anew.
      if (!this.#isRefusal(error)) throw error;
      if (!this.#host.files.isOff) await this.#host.close();
      return [];
    }
  }

  async #attempt(step: Step): Promise<void> {
    this.#now = step.name;
    try {
      await inTime(step.run(this.#stage));
    } catch (error) {
      if (!(error instanceof StepSkipped) && !this.#isRefusal(error)) throw error;
    }
  }

  /** What an engine may say while its files fail, and only then. */
  #isRefusal(error: unknown): boolean {
    if (this.struck === undefined || !(error instanceof EngineError)) return false;
    return REFUSALS.includes(error.code) || this.#isLostSegment(error);
  }

  /** After a failed sync a segment's bytes may be gone: that is said, and opening anew makes it again from the log. */
  #isLostSegment(error: unknown): boolean {
    const { step = "", path = "" } = this.struck ?? {};
    const lost = step === "sync" && path.endsWith(".seg");
    return (
      lost &&
      error instanceof EngineError &&
      /^(corrupt|index_damaged)$/.test(error.code) &&
      error.message.includes(path)
    );
  }

  #makeSound(): void {
    this.#host.files.plan = NO_FAULTS;
  }

  /** The disk is sound again: everything works, without opening anew, and everything acknowledged is there. */
  async #afterFaults(): Promise<string[]> {
    this.#makeSound();
    this.#now = "after the faults";
    for (let tries = 0; this.#looked !== this.#host.opened || !this.#host.isOpen; tries++) {
      if (tries === 3) return ["an index does not open"];
      await this.#openIfClosed();
      const findings = await this.#lookIfOpened();
      if (findings.length > 0) return findings;
    }
    const findings = await this.#worksAgain();
    if (findings.length > 0) return findings;
    this.#now = "after a last crash";
    const cut = this.#chance(2) === 0 ? PROCESS_KILLED : randomPowerCut(this.#chance);
    await this.#host.kill(cut);
    await this.#host.open();
    return this.#ledger.settle(this.#host.engine, cut === PROCESS_KILLED ? "process" : "power");
  }

  async #worksAgain(): Promise<string[]> {
    if (!this.#everyIndexIsOpen()) {
      await this.#host.reopen();
      const findings = await this.#ledger.settle(this.#host.engine, "process");
      if (findings.length > 0) return findings;
    }
    try {
      await inTime(writeEverywhere(this.#host, this.#ledger));
      return await this.#ledger.differences(this.#host.engine);
    } catch (error) {
      if (!this.#isLostSegment(error)) throw error;
      await this.#host.reopen();
      return this.#ledger.settle(this.#host.engine, "process");
    }
  }

  /** An index that could not be read when it was opened or restored says so until it is opened anew. */
  #everyIndexIsOpen(): boolean {
    const { engine } = this.#host;
    try {
      for (const name of engine.indexNames()) engine.index(name);
      return true;
    } catch (error) {
      if (!this.#isRefusal(error)) throw error;
      return false;
    }
  }

  async #afterCrash(image: MemoryDisk): Promise<string[]> {
    await this.#host.abandon();
    const cuts = this.point.kind === "kill" ? 1 : POWER_CUTS;
    for (let i = 0; i < cuts; i++) {
      const cut = this.point.kind === "kill" ? PROCESS_KILLED : randomPowerCut(this.#chance);
      const findings = await this.#recover(image.copy(), cut);
      if (findings.length > 0) return findings.map((line) => `${describeCut(cut)}: ${line}`);
    }
    return [];
  }

  /** Opens what a crash left, goes on writing, and loses the power a second time. */
  async #recover(disk: MemoryDisk, cut: PowerCut | typeof PROCESS_KILLED): Promise<string[]> {
    disk.crash(cut);
    const host = new MemoryEngine({}, { folder: this.folder, disk });
    const ledger = this.#ledger.copy();
    try {
      await host.open();
      const findings = await ledger.settle(host.engine, this.point.kind === "kill" ? "process" : "power");
      if (findings.length > 0) return findings;
      await writeEverywhere(host, ledger);
      await host.kill(randomPowerCut(this.#chance));
      await host.open();
      return (await ledger.settle(host.engine, "power")).map((line) => `after a second cut: ${line}`);
    } finally {
      await host.abandon();
    }
  }
}

const NO_FAULTS = () => undefined;

async function writeEverywhere({ engine }: MemoryEngine, ledger: Ledger): Promise<void> {
  for (const name of engine.indexNames()) {
    const index = engine.index(name);
    if (!index) continue;
    const source = Buffer.from('{"n":1,"x":1,"tag":"t1","text":"alpha"}');
    await ledger.find(name)?.write(index, [[{ kind: "index", id: "after", source }], [{ kind: "delete", id: "b1" }]]);
  }
}

function describeCut(cut: PowerCut | typeof PROCESS_KILLED): string {
  return cut === PROCESS_KILLED ? "all written is there" : `${cut.bytes} bytes and ${cut.names} names kept`;
}

/** Work that hangs is as bad as work that fails. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came of it in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
