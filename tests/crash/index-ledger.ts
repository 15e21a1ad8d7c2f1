/**
 * What was asked of one index, and what may be there of it after a crash:
 *
 * - everything acknowledged (with durability `async` and a power cut: everything up to the last flush, and of what was
 *   acknowledged since then a first part);
 * - of what was asked for and not acknowledged a first part, record by record, or nothing;
 * - nothing that was refused before something later was acknowledged.
 */
import type { EngineFace, Index, WriteOperation, WriteOutcome } from "../../engine/index.js";
import { type ShownDocument, shownNow } from "../../engine/testing/model/ask.js";
import { differences, expectedDocuments, listDifferences } from "../../engine/testing/model/differences.js";
import { IndexModel } from "../../engine/testing/model/index-model.js";

export type Crash = "process" | "power";

/** One index's ledger. */
export class IndexLedger {
  /** What must be there. */
  #sure = new IndexModel();
  /** Acknowledged since, without a promise that it survives a power cut. */
  #acknowledged: WriteOperation[] = [];
  /** Asked for after all that, and refused or never answered: each is what the log may hold instead of the others. */
  #open: WriteOperation[][] = [];
  /** The index as a running engine must show it. */
  #now = new IndexModel();

  /** `flush`: only what a flush covered is sure; damage may take the last of the log. */
  constructor(
    readonly name: string,
    readonly sureAfter: "acknowledgement" | "flush",
  ) {}

  get model(): IndexModel {
    return this.#now;
  }

  /** Writes batches at once, in this order; throws what the index answered wrongly, or the first refusal. */
  async write(index: Index, batches: readonly WriteOperation[][]): Promise<void> {
    const answers = await Promise.allSettled(batches.map((operations) => index.write(operations)));
    const refused: WriteOperation[][] = [];
    let refusal: unknown;
    answers.forEach((answer, i) => {
      if (answer.status === "fulfilled") {
        this.#acknowledge(batches[i], answer.value);
      } else {
        refusal ??= answer.reason;
        refused.push(batches[i]);
      }
    });
    // A batch may have failed before it came to the log: those after it may be there without it.
    refused.forEach((_, first) => {
      this.#open.push(refused.slice(first).flat());
    });
    if (refused.length > 0) throw refusal;
  }

  /** A flush that was asked for now and is acknowledged when the returned function is called covers what is written now. */
  flushBegins(): () => void {
    const covered = this.#acknowledged.length;
    return () => this.#makeSure(covered);
  }

  /** Compares a running engine with what it acknowledged. */
  async differences(engine: EngineFace): Promise<string[]> {
    return differences(engine, this.name, this.#now, "some questions");
  }

  /** Compares an index opened after a crash with all it may be; what it is becomes what is known. */
  async settle(engine: EngineFace, crash: Crash): Promise<string[]> {
    const index = engine.index(this.name);
    if (!index) return [`[${this.name}] is not there`];
    const shown = await shownNow(engine, this.name);
    const { maxSeqNo } = index.stats();
    let closest: string[] = [];
    for (const candidate of this.#possible(crash)) {
      const lines = listDifferences(shown, expectedDocuments(candidate));
      if (lines.length === 0 && maxSeqNo !== candidate.nextSeqNo - 1) {
        lines.push(`maxSeqNo is ${maxSeqNo}, expected ${candidate.nextSeqNo - 1}`);
      }
      if (lines.length === 0) return this.#become(engine, candidate, shown);
      if (closest.length === 0 || lines.length < closest.length) closest = lines;
    }
    return closest.map((line) => `[${this.name}] after the crash: ${line}`);
  }

  /** The same entries for an index that is brought back under this name from a backup of what is acknowledged now. */
  backup(name: string): IndexLedger {
    const twin = new IndexLedger(name, this.sureAfter);
    twin.#now = new IndexModel(this.#now);
    // What a backup knows of deletes is its own affair.
    twin.#now.reopened();
    twin.#sure = new IndexModel(twin.#now);
    return twin;
  }

  /** A ledger of its own with the same entries. */
  copy(): IndexLedger {
    const twin = new IndexLedger(this.name, this.sureAfter);
    twin.#sure = new IndexModel(this.#sure);
    twin.#acknowledged = [...this.#acknowledged];
    twin.#open = [...this.#open];
    twin.#now = new IndexModel(this.#now);
    return twin;
  }

  #acknowledge(operations: readonly WriteOperation[], outcomes: readonly WriteOutcome[]): void {
    operations.forEach((operation, i) => {
      const outcome = outcomes[i];
      // Refused alone, for want of a disk: it has no number, and never will.
      if (!outcome.ok && outcome.error.code === "io") return;
      this.#now.follow(operation, outcome);
      this.#acknowledged.push(withId(operation, outcome));
    });
    this.#open = [];
    if (this.sureAfter === "acknowledgement") this.#makeSure(this.#acknowledged.length);
  }

  #makeSure(operations: number): void {
    for (const operation of this.#acknowledged.splice(0, operations)) this.#sure.apply(operation);
  }

  *#possible(crash: Crash): Iterable<IndexModel> {
    const least = crash === "power" ? this.#sure : this.#now;
    const rest = crash === "power" ? this.#acknowledged : [];
    yield* prefixes(least, rest);
    for (const open of this.#open) yield* prefixes(this.#now, open);
  }

  /** Versions that the model cannot know are those that are there. */
  async #become(engine: EngineFace, candidate: IndexModel, shown: readonly ShownDocument[]): Promise<string[]> {
    for (const { id, version } of shown) {
      const document = candidate.documents.get(id);
      if (document && Number.isNaN(document.version)) candidate.documents.set(id, { ...document, version });
    }
    this.#now = candidate;
    this.#now.reopened();
    this.#sure = new IndexModel(this.#now);
    this.#acknowledged = [];
    this.#open = [];
    return this.differences(engine);
  }
}

/** The model after none, one, two... of the operations: the same object, that goes on when the next is asked for. */
function* prefixes(from: IndexModel, operations: readonly WriteOperation[]): Iterable<IndexModel> {
  const model = new IndexModel(from);
  yield model;
  for (const operation of operations) {
    const before = model.nextSeqNo;
    model.apply(operation);
    if (model.nextSeqNo > before) yield model;
  }
}

/** Under the id that the index gave it. */
function withId(operation: WriteOperation, outcome: WriteOutcome): WriteOperation {
  return operation.id === undefined ? { ...operation, id: outcome.id } : operation;
}
