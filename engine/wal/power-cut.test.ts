/**
 * The power is cut at any moment, again and again, while the log is written, synced, pruned, rolled, and sometimes fails:
 * of what was not synced anything may survive (store/testing/memory-disk.ts). Whatever is left opens without a complaint about damage and
 * has everything that was acknowledged.
 */
import { describe, expect, it } from "vitest";
import { type Chance, chanceOf, newSeed } from "../store/testing/chance.js";
import { type FaultPlan, FaultyFiles } from "../store/testing/faulty-files.js";
import { MemoryDisk, randomPowerCut } from "../store/testing/memory-disk.js";
import { Log } from "./log.js";
import { LogOp } from "./record.js";

const FOLDER = "/data/log";
const CUTS = 12;
const RUNS = 25;

/** What a test knows of a log: what it must have, and what it may have. */
class Model {
  /** Payloads by sequence that were acknowledged durably. */
  readonly kept = new Map<number, string>();
  /** Payloads by sequence that were ever asked for since the last acknowledged one. */
  readonly asked = new Map<number, Set<string>>();
  next = 0;
  pruned = -1;

  check(found: ReadonlyMap<number, string>, label: string): void {
    const sequences = [...found.keys()];
    const first = sequences[0] ?? this.next;
    expect(sequences, label).toEqual(sequences.map((_, i) => first + i));
    for (const [sequence, payload] of this.kept) {
      if (sequence <= this.pruned) continue;
      expect(found.get(sequence) === payload, `${label}: ${sequence} was acknowledged`).toBe(true);
    }
    for (const [sequence, payload] of found) {
      const allowed = this.kept.get(sequence) === payload || this.asked.get(sequence)?.has(payload);
      expect(allowed, `${label}: ${sequence} is what was asked for`).toBe(true);
    }
  }

  /** Whatever survived is acknowledged from now on: it is in the log of the next life. */
  restart(found: ReadonlyMap<number, string>): void {
    this.asked.clear();
    for (const [sequence, payload] of found) this.kept.set(sequence, payload);
    this.next = Math.max(this.pruned, ...this.kept.keys()) + 1;
  }
}

class Life {
  readonly log: Log;
  readonly found = new Map<number, string>();
  readonly warnings: string[] = [];
  readonly #waiting = new Set<Promise<void>>();
  /** Acknowledged, but not known to be synced (durability async). */
  readonly #unsynced = new Map<number, string>();

  constructor(
    readonly files: FaultyFiles,
    readonly model: Model,
    readonly durability: "request" | "async",
    readonly random: Chance,
  ) {
    const warn = (message: string) => this.warnings.push(message);
    const options = {
      files,
      folder: FOLDER,
      durability,
      syncIntervalMs: 1e9,
      maxFileBytes: 9000 + random(20_000),
      warn,
    };
    this.log = Log.open(options, ({ sequence, payload }) =>
      this.found.set(sequence, Buffer.from(payload).toString("latin1")),
    );
  }

  async step(): Promise<void> {
    const kind = this.random(20);
    if (this.log.failure) await this.#reopen();
    else if (kind === 0) await this.#prune();
    else if (kind === 1) await this.#sync();
    else if (kind === 2) this.files.plan = this.random(2) === 0 ? NO_FAULTS : this.#failing();
    else this.#append();
    if (this.random(3) > 0) await Promise.all(this.#waiting);
    else for (let turn = this.random(4); turn > 0; turn--) await new Promise(setImmediate);
  }

  /** Begins something that is not done when this resolves. */
  async hurry(): Promise<void> {
    if (this.log.failure) return;
    for (let i = this.random(4); i >= 0; i--) this.#append();
    for (let turn = this.random(6); turn > 0; turn--) await new Promise(setImmediate);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#waiting);
    await this.log.close().catch(() => {});
  }

  #failing(): FaultPlan {
    let left = this.random(12);
    return ({ step, bytes }) => {
      if (!CHANGING.includes(step) || left-- !== 0) return undefined;
      return { kind: "error", errno: "EIO", written: this.random(bytes + 1) };
    };
  }

  #append(): void {
    const { model } = this;
    const batch = new Map<number, string>();
    for (let i = this.random(5); i >= 0; i--) {
      const size = [10, 300, 5000, 20_000][this.random(4)];
      batch.set(model.next++, String.fromCharCode(97 + this.random(26)).repeat(1 + this.random(size)));
    }
    for (const [sequence, payload] of batch) {
      if (!model.asked.has(sequence)) model.asked.set(sequence, new Set());
      model.asked.get(sequence)?.add(payload);
    }
    const appended = this.log
      .append((buffer) => {
        for (const [sequence, payload] of batch)
          buffer.appendOperation(LogOp.index, sequence, METADATA, Buffer.from(payload));
      })
      .then(() => this.#acknowledged(batch))
      .catch(() => {});
    this.#track(appended);
  }

  #track(promise: Promise<void>): void {
    this.#waiting.add(promise);
    void promise.finally(() => this.#waiting.delete(promise));
  }

  #acknowledged(batch: ReadonlyMap<number, string>): void {
    const into = this.durability === "request" ? this.model.kept : this.#unsynced;
    for (const [sequence, payload] of batch) into.set(sequence, payload);
  }

  async #sync(): Promise<void> {
    const before = new Map(this.#unsynced);
    try {
      await this.log.sync();
      for (const [sequence, payload] of before) this.model.kept.set(sequence, payload);
    } catch {}
  }

  async #prune(): Promise<void> {
    const known = [...this.model.kept.keys()].filter((sequence) => sequence > this.model.pruned);
    if (known.length === 0) return;
    this.model.pruned = Math.min(...known) + this.random(known.length);
    await this.log.prune(this.model.pruned);
  }

  async #reopen(): Promise<void> {
    await Promise.all(this.#waiting);
    this.files.plan = NO_FAULTS;
    await this.log.reopen().catch(() => {});
    if (this.log.failure) return;
    // The numbers of what failed are free again.
    const acknowledged = [...this.model.kept.keys(), ...this.#unsynced.keys()];
    this.model.next = Math.max(this.model.pruned, ...acknowledged) + 1;
  }
}

const NO_FAULTS: FaultPlan = () => undefined;
const CHANGING = ["write", "truncate", "sync", "rename", "remove", "sync folder"];
const METADATA = { id: "a", version: 1, primaryTerm: 1, mappingVersion: 1, routing: undefined };

async function run(durability: "request" | "async", random: Chance): Promise<number> {
  const model = new Model();
  let disk = new MemoryDisk();
  let torn = 0;
  for (let cut = 0; cut < CUTS; cut++) {
    const label = `${random.label}, cut ${cut}`;
    // Acknowledged without a sync, and lost by a sync that fails: a flush must save it before the log can be read again.
    const failedSyncs = durability === "request" ? "lose" : "keep";
    const life = opened(
      () => new Life(new FaultyFiles(disk, { chance: random, failedSyncs }), model, durability, random),
      label,
    );
    model.check(life.found, label);
    torn += life.warnings.length;
    model.restart(life.found);
    for (let steps = random(25); steps > 0; steps--) await life.step();
    await life.hurry();
    const left = disk.copy();
    life.files.switchOff();
    await life.settle();
    left.crash(randomPowerCut(random));
    disk = left;
  }
  return torn;
}

/** What was left must always open: damage is never made by a power cut. */
function opened(open: () => Life, label: string): Life {
  try {
    return open();
  } catch (error) {
    throw new Error(`${label}: ${String(error)}`);
  }
}

describe("power cuts", () => {
  it.each(["request", "async"] as const)(
    "lose nothing that was durably acknowledged (durability %s)",
    async (durability) => {
      const random = chanceOf(newSeed());
      let torn = 0;
      for (let i = 0; i < RUNS; i++) torn += await run(durability, random);
      // They did tear something.
      expect(torn).toBeGreaterThan(RUNS);
    },
  );
});
