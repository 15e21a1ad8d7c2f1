/**
 * Random operations on several indices of one engine, each beside a model: writes of every kind, alone and at once,
 * refreshes, flushes and merges awaited or in the background, restarts, kills, readers that are held. Whatever happens,
 * engine and models say the same. Throws at the first difference, with the seed and the last steps.
 */
import type { EngineFace, Index } from "../../engine-types.js";
import { type Chance, chanceOf } from "../../store/testing/chance.js";
import type { WriteOperation } from "../../write.js";
import { definitionOf } from "../engine-fixture.js";
import { differences, getDifference } from "./differences.js";
import { HeldReader, IndexHistory } from "./index-history.js";
import { describe } from "./index-model.js";
import type { MemoryEngine } from "./memory-engine.js";
import { MODEL_MAPPING, randomWrite } from "./random-writes.js";

export interface RandomRunOptions {
  readonly seed: number;
  /** Operations on documents to be done. */
  readonly operations: number;
}

/** Names of the indices, and how many ids each of them has: many deletes in one, large segments in another. */
const INDICES: Record<string, number> = { few: 15, some: 120, many: 600 };
const SHOWN_STEPS = 40;
/** Kinds of steps that are no writes. */
const KINDS = 10;

/** Runs; returns what was done. */
export async function randomRun(host: MemoryEngine, options: RandomRunOptions): Promise<Record<string, number>> {
  const run = new RandomRun(host, options);
  try {
    await run.start();
    await run.tour();
    while (run.operations < options.operations) await run.step();
    await run.settle();
    await run.checkAll();
  } catch (error) {
    const steps = run.log.slice(-SHOWN_STEPS).map((line) => `  ${line}`);
    const message = error instanceof Error ? error.message : String(error);
    throw new Error([message, `${run.chance.label}, after these steps:`, ...steps].join("\n"), { cause: error });
  }
  return { operations: run.operations, ...Object.fromEntries(run.done) };
}

class RandomRun {
  readonly chance: Chance;
  readonly log: string[] = [];
  readonly done = new Map<string, number>();
  operations = 0;
  readonly #histories: IndexHistory[] = [];
  readonly #background: Promise<void>[] = [];
  readonly #held: HeldReader[] = [];

  constructor(
    readonly host: MemoryEngine,
    options: RandomRunOptions,
  ) {
    this.chance = chanceOf(options.seed);
  }

  get engine(): EngineFace {
    return this.host.engine;
  }

  async start(): Promise<void> {
    await this.host.open();
    for (const name of Object.keys(INDICES)) {
      await this.engine.createIndex(name, definitionOf(MODEL_MAPPING));
      this.#histories.push(new IndexHistory(name));
    }
  }

  /** Every kind of step once, each after a write. */
  async tour(): Promise<void> {
    for (let kind = 0; kind < KINDS; kind++) {
      await this.step(KINDS);
      await this.step(kind, "always");
    }
  }

  async step(kind = this.chance(24), rare: "always" | "rarely" = "rarely"): Promise<void> {
    const history = this.#histories[this.chance(this.#histories.length)];
    const index = this.#index(history.name);
    const oneIn = (n: number) => rare === "always" || this.chance(n) === 0;
    switch (kind) {
      case 0:
        return this.#do(`refresh ${history.name}`, () => history.refresh(index));
      case 1:
        return this.#do(`flush ${history.name}`, () => index.flush());
      case 2:
        return this.#inBackground(`flush ${history.name}`, () => index.flush());
      case 3:
        return this.#inBackground(`refresh ${history.name}`, () => index.refresh());
      case 4:
        return this.#inBackground(`merge ${history.name}`, () => index.forceMerge(this.#merge()));
      case 5:
        return oneIn(4) ? this.#do(`check ${history.name}`, () => this.#check(history)) : undefined;
      case 6:
        return oneIn(3) ? this.#do("restart", () => this.#restart()) : undefined;
      case 7:
        return oneIn(3) ? this.#do("kill", () => this.#kill()) : undefined;
      case 8:
        return this.#do(`hold a reader of ${history.name}`, () => this.#hold(history.name));
      case 9:
        return this.#do(`look at ${history.name}`, async () => expectNone(await history.shownDifferences(this.engine)));
      default:
        return this.#write(history, index);
    }
  }

  /** Waits for what goes on in the background. */
  async settle(): Promise<void> {
    await Promise.all(this.#background.splice(0));
    for (const held of this.#held.splice(0)) expectNone(await held.release());
  }

  async checkAll(): Promise<void> {
    for (const history of this.#histories) await this.#check(history);
  }

  async #check(history: IndexHistory): Promise<void> {
    await history.refresh(this.#index(history.name));
    expectNone(await differences(this.engine, history.name, history.model));
    expectNone(await history.shownDifferences(this.engine));
  }

  async #write(history: IndexHistory, index: Index): Promise<void> {
    const batches = Array.from({ length: this.chance(5) === 0 ? 2 + this.chance(4) : 1 }, () => this.#batch(history));
    for (const batch of batches) this.#note(`write ${history.name}: ${batch.slice(0, 8).map(describe).join("; ")}`);
    await history.write(index, batches);
    const [first] = batches[0];
    if (first.id !== undefined) expectNone(getDifference(index, first.id, history.model.documents.get(first.id)));
  }

  #batch(history: IndexHistory): WriteOperation[] {
    const length = [1, 2, 5, 20, 150][this.chance(5)];
    this.operations += length;
    const ids = { prefix: "d", count: INDICES[history.name] };
    return Array.from({ length }, () => randomWrite(this.chance, history.model, ids));
  }

  #merge(): { maxSegments: number; onlyDeletes: boolean } {
    return { maxSegments: 1 + this.chance(3), onlyDeletes: this.chance(3) === 0 };
  }

  async #restart(): Promise<void> {
    await this.settle();
    await this.host.reopen();
    for (const history of this.#histories) history.reopened();
  }

  /** Everything acknowledged is there again, from the log and what of the segments was committed. */
  async #kill(): Promise<void> {
    const dying = this.#background.splice(0).map((work) => work.catch(() => {}));
    for (const held of this.#held.splice(0)) await held.release();
    await this.host.kill();
    await Promise.all(dying);
    await this.host.open();
    for (const history of this.#histories) history.reopened();
  }

  async #hold(name: string): Promise<void> {
    if (this.#held.length > 3) expectNone((await this.#held.shift()?.release()) ?? []);
    this.#held.push(await HeldReader.of(this.engine, name));
  }

  #index(name: string): Index {
    return this.engine.index(name) as Index;
  }

  async #do(what: string, action: () => Promise<unknown>): Promise<void> {
    this.#note(what);
    await action();
  }

  async #inBackground(what: string, action: () => Promise<void>): Promise<void> {
    this.#note(`${what} in the background`);
    const work = action();
    // Whoever settles looks at it; until then it is not unhandled.
    work.catch(() => {});
    this.#background.push(work);
    if (this.#background.length > 5) await this.#background.shift();
  }

  #note(step: string): void {
    this.log.push(step.length > 300 ? `${step.slice(0, 300)}...` : step);
    if (this.log.length > 10 * SHOWN_STEPS) this.log.splice(0, 9 * SHOWN_STEPS);
    const kind = step.split(" ")[0];
    this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
  }
}

function expectNone(lines: readonly string[]): void {
  if (lines.length > 0) throw new Error(lines.slice(0, 10).join("\n"));
}
