/**
 * One index and its model under a run of operations: what was written, what a refresh made visible, and which states a
 * search may show in between: any that was there after a whole batch since the last refresh, and none before one that
 * was already seen.
 */
import type { EngineFace, Index, PinnedReaders } from "../../engine-types.js";
import type { WriteOperation, WriteOutcome } from "../../write.js";
import { type ShownDocument, shownBy } from "./ask.js";
import { documentDifferences, expectedDocuments, listDifferences } from "./differences.js";
import { IndexModel } from "./index-model.js";

type Batch = readonly (readonly [WriteOperation, WriteOutcome])[];

/** See the head of this file. */
export class IndexHistory {
  model = new IndexModel();
  #shown = new IndexModel();
  /** Batches since the state that was last seen. */
  #since: Batch[] = [];

  constructor(readonly name: string) {}

  /** Writes batches at once, in this order, and compares every outcome with the model. */
  async write(index: Index, batches: readonly WriteOperation[][]): Promise<void> {
    const all = await Promise.all(batches.map((operations) => index.write(operations)));
    batches.forEach((operations, i) => {
      this.#since.push(operations.map((operation, j) => [operation, all[i][j]] as const));
      operations.forEach((operation, j) => {
        this.model.follow(operation, all[i][j]);
      });
    });
  }

  async refresh(index: Index): Promise<void> {
    const covered = this.#since.length;
    await index.refresh();
    this.#seen(covered);
  }

  /** The index was opened anew: everything is shown. */
  reopened(): void {
    this.#seen(this.#since.length);
    this.model.reopened();
    this.#shown = new IndexModel(this.model);
  }

  /** Compares what searches show now with the states they may show. */
  async shownDifferences(engine: EngineFace): Promise<string[]> {
    const later = new IndexModel(this.#shown);
    let closest: string[] = [];
    for (let covered = 0; ; covered++) {
      const lines = await documentDifferences(engine, this.name, expectedDocuments(later));
      if (lines.length === 0) {
        this.#seen(covered);
        return [];
      }
      if (covered === 0 || lines.length < closest.length) closest = lines.map((line) => `after ${covered}: ${line}`);
      if (covered === this.#since.length) break;
      apply(later, this.#since[covered]);
    }
    return closest.map((line) => `[${this.name}] searches show no state since the last refresh; batch ${line}`);
  }

  #seen(batches: number): void {
    for (const batch of this.#since.splice(0, batches)) apply(this.#shown, batch);
  }
}

/** A reader that is held: it must go on showing what it showed. */
export class HeldReader {
  private constructor(
    private readonly engine: EngineFace,
    private readonly pin: PinnedReaders,
    private readonly documents: readonly ShownDocument[],
  ) {}

  static async of(engine: EngineFace, index: string): Promise<HeldReader> {
    const pin = engine.pin([{ index }]);
    return new HeldReader(engine, pin, await shownBy(engine, pin));
  }

  /** Lets it go; differences to what it showed when it was made. */
  async release(): Promise<string[]> {
    try {
      const lines = listDifferences(await shownBy(this.engine, this.pin), this.documents);
      return lines.map((line) => `a reader that was held changed: ${line}`);
    } finally {
      this.pin.release();
    }
  }
}

function apply(model: IndexModel, batch: Batch): void {
  for (const [operation, outcome] of batch) model.follow(operation, outcome);
}
