/** An index beside a plain Map, under random operations: whatever happens to the index, both say the same. */
import { afterEach, describe, expect, it } from "vitest";
import type { Index } from "../engine-types.js";
import { definitionOf, type EngineFixture, engineFixture, shownDocuments } from "../testing/engine-fixture.js";
import type { WriteOperation, WriteOutcome } from "../write.js";

interface ModelDocument {
  seqNo: number;
  version: number;
  source: Record<string, unknown>;
  deleted: boolean;
}

const MAPPING = {
  properties: { n: { type: "long" }, text: { type: "text" }, tag: { type: "keyword" } },
} as const;
const STEPS = 250;
const seeds = process.env.PINAKES_SEED ? [Number(process.env.PINAKES_SEED)] : [1, 2, 3, Date.now() % 1_000_000];

let fixture: EngineFixture | undefined;
afterEach(() => fixture?.remove());

describe("an index under random operations", () => {
  it.each(seeds)("says what a Map says (seed %i)", async (seed) => {
    fixture = await engineFixture({ memtableBytes: 600_000 });
    const run = new Run(fixture, randomNumbers(seed));
    await run.start();
    for (let step = 0; step < STEPS; step++) await run.step();
    await Promise.all(run.background);
    await run.checkAll();
  });
});

class Run {
  readonly model = new Map<string, ModelDocument>();
  readonly background: Promise<void>[] = [];
  nextSeqNo = 0;
  index!: Index;

  constructor(
    readonly fixture: EngineFixture,
    readonly random: (below: number) => number,
  ) {}

  async start(): Promise<void> {
    this.index = await this.fixture.engine.createIndex("x", definitionOf(MAPPING));
  }

  async step(): Promise<void> {
    const kind = this.random(20);
    if (kind === 0) await this.index.refresh();
    else if (kind === 1) await this.index.flush();
    else if (kind === 2)
      this.inBackground(this.index.forceMerge({ maxSegments: 1 + this.random(3), onlyDeletes: false }));
    else if (kind === 5) this.inBackground(this.index.flush());
    else if (kind === 3) await this.reopen();
    else if (kind === 4) await this.checkAll();
    else await this.write();
    this.checkOne();
  }

  /** What goes on while the next steps are taken. */
  inBackground(work: Promise<void>): void {
    this.background.push(work);
  }

  async reopen(): Promise<void> {
    await Promise.all(this.background.splice(0));
    const engine = await this.fixture.reopen();
    this.index = engine.index("x") as Index;
    // Tombstones live in the log and in memory only: a version starts anew after a flush and a restart.
    for (const [id, document] of this.model) if (document.deleted) this.model.delete(id);
  }

  async write(): Promise<void> {
    const operations = Array.from({ length: 1 + this.random(8) }, () => this.operation());
    const outcomes = await this.index.write(operations);
    operations.forEach((operation, i) => {
      this.apply(operation, outcomes[i]);
    });
  }

  operation(): WriteOperation {
    const id = `id${this.random(40)}`;
    const source = {
      n: this.random(1000),
      text: `word${this.random(50)} word${this.random(50)}`,
      tag: `t${this.random(5)}`,
    };
    const known = this.model.get(id);
    const bytes = Buffer.from(JSON.stringify(source));
    const condition =
      known && this.random(8) === 0 ? { ifSeqNo: known.seqNo + (this.random(2) ? 0 : 7), ifPrimaryTerm: 1 } : {};
    switch (this.random(6)) {
      case 0:
        return { kind: "delete", id, ...condition };
      case 1:
        return { kind: "create", id, source: bytes };
      case 2:
        return this.update(id);
      default:
        return { kind: "index", id, source: bytes, ...condition };
    }
  }

  update(id: string): WriteOperation {
    const doc =
      this.random(3) === 0
        ? { tag: "t1" }
        : { n: this.random(1000), extra: { [`k${this.random(3)}`]: this.random(5) } };
    const docAsUpsert = this.random(3) === 0;
    return { kind: "update", id, doc, docAsUpsert, detectNoop: true, retryOnConflict: 0 };
  }

  /** What must have come of an operation, and the model after it. */
  apply(operation: WriteOperation, outcome: WriteOutcome): void {
    const id = operation.id as string;
    const before = this.model.get(id);
    const alive = before && !before.deleted ? before : undefined;
    const refusal = refusalOf(operation, alive);
    if (refusal) {
      expect(outcome).toMatchObject({ ok: false, error: { code: refusal } });
      return;
    }
    if (!outcome.ok) throw outcome.error;
    const source = sourceAfter(operation, alive);
    if (operation.kind === "update" && alive && JSON.stringify(source) === JSON.stringify(alive.source)) {
      expect(outcome).toMatchObject({ result: "noop", seqNo: alive.seqNo, version: alive.version });
      return;
    }
    const document = {
      seqNo: this.nextSeqNo++,
      version: (before?.version ?? 0) + 1,
      source,
      deleted: operation.kind === "delete",
    };
    this.model.set(id, document);
    const [there, absent] = document.deleted ? ["deleted", "not_found"] : ["updated", "created"];
    const result = alive ? there : absent;
    expect(outcome).toMatchObject({ id, result, seqNo: document.seqNo, version: document.version });
  }

  checkOne(): void {
    const id = `id${this.random(40)}`;
    const expected = this.model.get(id);
    const found = this.index.get(id);
    if (!expected || expected.deleted) {
      expect(found).toBeUndefined();
      return;
    }
    expect(found).toMatchObject({ id, seqNo: expected.seqNo, version: expected.version });
    expect(JSON.parse(Buffer.from(found?.source ?? []).toString())).toEqual(expected.source);
  }

  /** Everything is searchable after a refresh, in the order of the sequence numbers. */
  async checkAll(): Promise<void> {
    await this.index.refresh();
    const expected = [...this.model]
      .filter(([, document]) => !document.deleted)
      .map(([id, { seqNo, version, source }]) => ({ id, seqNo, version, source }))
      .sort((a, b) => a.seqNo - b.seqNo);
    expect(shownDocuments(this.fixture.engine, "x")).toEqual(expected);
    expect(this.index.stats()).toMatchObject({ docs: { count: expected.length }, maxSeqNo: this.nextSeqNo - 1 });
  }
}

function sourceAfter(operation: WriteOperation, alive: ModelDocument | undefined): Record<string, unknown> {
  if (operation.kind === "delete") return {};
  if (operation.kind !== "update")
    return JSON.parse(Buffer.from(operation.source).toString()) as Record<string, unknown>;
  const doc = (operation.doc ?? {}) as Record<string, unknown>;
  const merged: Record<string, unknown> = { ...alive?.source, ...doc };
  const extra = { ...(alive?.source.extra as object | undefined), ...(doc.extra as object | undefined) };
  return Object.keys(extra).length > 0 ? { ...merged, extra } : merged;
}

/** The error that an operation must fail with, if it must. */
function refusalOf(operation: WriteOperation, alive: ModelDocument | undefined): string | null {
  const { kind, ifSeqNo } = operation;
  if (kind === "update") return alive || operation.docAsUpsert ? null : "document_missing";
  if (ifSeqNo !== undefined && alive?.seqNo !== ifSeqNo) return "version_conflict";
  return kind === "create" && alive ? "version_conflict" : null;
}

/** Marsaglia's xorshift32: whole numbers below a bound. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
