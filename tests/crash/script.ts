/**
 * The workload whose every point is tried: all that an engine does to a disk, in a fixed order, small enough to be run
 * thousands of times. A step may be refused while faults last; whatever it acknowledged is in the ledger.
 */
import type { Index, WriteOperation } from "../../engine/index.js";
import { repositoryAt } from "../../engine/snapshot/testing.js";
import { type Chance, chanceOf } from "../../engine/store/testing/chance.js";
import { definitionOf } from "../../engine/testing/engine-fixture.js";
import { match, request } from "../../engine/testing/model/ask.js";
import type { MemoryEngine } from "../../engine/testing/model/memory-engine.js";
import { MODEL_MAPPING, randomSource, randomWrite } from "../../engine/testing/model/random-writes.js";
import type { IndexLedger } from "./index-ledger.js";
import type { Ledger } from "./ledger.js";

/** What a step works with. */
export interface Stage {
  readonly host: MemoryEngine;
  readonly ledger: Ledger;
  readonly chance: Chance;
}

export interface Step {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<unknown>;
}

const SEED = 42;
const IDS = { prefix: "d", count: 40 };

/** A stage to begin on. The script does the same on each of them. */
export function newStage(host: MemoryEngine, ledger: Ledger): Stage {
  return { host, ledger, chance: chanceOf(SEED) };
}

function indexOf({ host }: Stage, name: string): Index {
  const index = host.engine.index(name);
  // A step before this one was refused.
  if (!index) throw new StepSkipped(`there is no index ${name}`);
  return index;
}

/** A step has nothing to work on because one before it was refused. */
export class StepSkipped extends Error {}

function ledgerOf({ ledger }: Stage, name: string): IndexLedger {
  const found = ledger.find(name);
  if (!found) throw new StepSkipped(`nobody asked for an index ${name}`);
  return found;
}

/** Documents without conditions: of a size that log groups of several pages need. */
function bulk({ chance }: Stage, from: number, count: number, padding = 0): WriteOperation[] {
  return Array.from({ length: count }, (_, i) => {
    const source = { ...randomSource(chance), pad: "y".repeat(padding) };
    return { kind: "create", id: `b${from + i}`, source: Buffer.from(JSON.stringify(source)) };
  });
}

/** Every kind of write, under ids that are known before the index answers. */
function mixed(stage: Stage, name: string, count: number): WriteOperation[] {
  const { model } = ledgerOf(stage, name);
  return Array.from({ length: count }, () => {
    const operation = randomWrite(stage.chance, model, IDS);
    return { ...operation, id: operation.id ?? `n${stage.chance(1_000_000)}` };
  });
}

const write = (name: string, batches: (stage: Stage) => WriteOperation[][]): Step["run"] => {
  return async (stage) => {
    // Drawn before anything can be refused: all runs draw the same.
    const drawn = batches(stage);
    await ledgerOf(stage, name).write(indexOf(stage, name), drawn);
  };
};

const flush = (name: string): Step["run"] => {
  return async (stage) => {
    const done = ledgerOf(stage, name).flushBegins();
    await indexOf(stage, name).flush();
    done();
  };
};

const refresh = (name: string): Step["run"] => {
  return (stage) => indexOf(stage, name).refresh();
};

const merge = (name: string, maxSegments: number): Step["run"] => {
  return async (stage) => {
    const done = ledgerOf(stage, name).flushBegins();
    await indexOf(stage, name).forceMerge({ maxSegments, onlyDeletes: false });
    done();
  };
};

const search = (name: string): Step["run"] => {
  return async (stage) => {
    indexOf(stage, name);
    await stage.host.engine.search([{ index: name }], request(match("alpha beta"), { size: 20 }));
  };
};

/** Without the time that an automatic refresh would come at: runs must not differ. */
const DEFINITION = definitionOf({
  properties: { ...MODEL_MAPPING.properties, pad: { type: "keyword", index: false } },
});

/** What is there then is compared by whoever runs the script. Closing flushes, and says in a warning when it can't. */
const reopen: Step["run"] = async ({ host }) => {
  await host.close();
  await host.open();
};

/** Backs `a` up; a repository that was registered by a step before is registered again. */
const backUp: Step["run"] = async (stage) => {
  const { snapshots } = stage.host.engine;
  indexOf(stage, "a");
  await snapshots.putRepository("r", repositoryAt("backups"), {}, false);
  const complete = stage.ledger.backUp("a", "restored");
  const running = await snapshots.create("r", {
    name: "first",
    indices: [{ name: "a", attachment: null }],
    globalState: null,
    partial: false,
    note: null,
  });
  // A backup that could not read an index is there, and says that it failed.
  if ((await running.done).state === "success") complete();
};

const restore: Step["run"] = async (stage) => {
  if (!stage.ledger.hasBackup("restored")) throw new StepSkipped("there is no backup");
  const { snapshots } = stage.host.engine;
  const { contents } = await snapshots.details("r", "first");
  const { refreshIntervalMs, durability, settings, totalFieldsLimit, maxResultWindow, gcDeletesMs } =
    contents[0].definition;
  const kept = { refreshIntervalMs, durability, settings, totalFieldsLimit, maxResultWindow, gcDeletesMs };
  const indices = [{ source: "a", target: "restored", settings: kept }];
  await stage.ledger.restore("restored", async () => {
    const running = await snapshots.restore("r", "first", { indices, partial: false, records: () => ({}) });
    await running.done;
  });
};

export const SCRIPT: readonly Step[] = [
  { name: "open", run: ({ host }) => host.open() },
  { name: "create a", run: ({ host, ledger }) => ledger.create(host.engine, "a", DEFINITION) },
  { name: "put metadata", run: ({ host, ledger }) => ledger.put(host.engine, { alias: { a: 1 }, key: "one" }) },
  { name: "first bulk", run: write("a", (stage) => [bulk(stage, 0, 20)]) },
  { name: "refresh", run: refresh("a") },
  { name: "all kinds of writes", run: write("a", (stage) => [mixed(stage, "a", 30)]) },
  { name: "three at once", run: write("a", (stage) => [1, 12, 5].map((count) => mixed(stage, "a", count))) },
  { name: "flush", run: flush("a") },
  {
    name: "create b",
    run: ({ host, ledger }) => ledger.create(host.engine, "b", { ...DEFINITION, durability: "async" }),
  },
  { name: "writes to b", run: write("b", (stage) => [mixed(stage, "b", 15), mixed(stage, "b", 4)]) },
  { name: "add a field", run: (stage) => stage.ledger.addField(indexOf(stage, "a"), "added") },
  { name: "a large bulk", run: write("a", (stage) => [bulk(stage, 100, 40, 700), mixed(stage, "a", 3)]) },
  { name: "change settings", run: (stage) => stage.ledger.setNote(indexOf(stage, "a"), "changed") },
  { name: "refresh with deletes", run: refresh("a") },
  { name: "search", run: search("a") },
  {
    name: "deletes",
    run: write("a", () => [Array.from({ length: 8 }, (_, i) => ({ kind: "delete", id: `b${2 * i}` }))]),
  },
  { name: "refresh again", run: refresh("a") },
  { name: "merge to one", run: merge("a", 1) },
  {
    name: "flush while writing",
    run: (stage) => {
      const writing = write("a", (drawing) => [mixed(drawing, "a", 10), mixed(drawing, "a", 10)])(stage);
      return both(writing, flush("a")(stage));
    },
  },
  { name: "restart", run: reopen },
  { name: "more to b", run: write("b", (stage) => [mixed(stage, "b", 10)]) },
  { name: "flush b", run: flush("b") },
  { name: "last of b", run: write("b", (stage) => [mixed(stage, "b", 10)]) },
  { name: "change metadata", run: ({ host, ledger }) => ledger.put(host.engine, { key: undefined, other: [2] }) },
  { name: "create c", run: ({ host, ledger }) => ledger.create(host.engine, "c", DEFINITION) },
  { name: "writes to c", run: write("c", (stage) => [mixed(stage, "c", 5)]) },
  { name: "remove c", run: (stage) => stage.ledger.remove(stage.host.engine, indexOf(stage, "c").name) },
  { name: "back up", run: backUp },
  { name: "writes after a restart", run: write("a", (stage) => [mixed(stage, "a", 20)]) },
  { name: "merge to two", run: merge("a", 2) },
  { name: "restore", run: restore },
  { name: "last writes", run: write("a", (stage) => [mixed(stage, "a", 6)]) },
];

/** Waits for both, whatever becomes of the first. */
async function both(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled([one, other]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
