/**
 * What was asked of an engine, and what must and may be there of it after faults and crashes: its indices
 * (index-ledger.ts), whether they exist, their settings and fields, and the records others keep in its metadata.
 */
import type { EngineFace, Index, IndexDefinition } from "../../engine/index.js";
import { type Crash, IndexLedger } from "./index-ledger.js";

/** A value that is replaced as a whole: what was acknowledged last, and what was asked for since in vain. */
class Possible<T> {
  #open: T[] = [];

  constructor(public sure: T) {}

  async change(value: T, action: () => Promise<unknown>): Promise<void> {
    this.#open.push(value);
    await action();
    this.become(value);
  }

  become(value: T): void {
    this.sure = value;
    this.#open = [];
  }

  /** Whether it may be this. `refused`: what was refused and may be there all the same is allowed too. */
  check(what: string, found: T, refused: "allowed" | "wrong"): string[] {
    const possible = refused === "allowed" ? [this.sure, ...this.#open] : [this.sure];
    const allowed = possible.map((value) => JSON.stringify(value));
    const text = JSON.stringify(found);
    return allowed.includes(text) ? [] : [`${what} is ${text}, expected ${allowed.join(" or ")}`];
  }

  copy(): Possible<T> {
    const twin = new Possible(this.sure);
    twin.#open = [...this.#open];
    return twin;
  }
}

/** What a script changes of a definition. */
interface Changeable {
  refreshIntervalMs: number;
  note: string;
  fields: string[];
}

/** An index as it was backed up. */
interface Backup {
  readonly copy: IndexLedger;
  readonly definition: Changeable;
}

type Definition = Omit<IndexDefinition, "uuid" | "createdAt">;

/** Everything of one data folder. */
export class Ledger {
  readonly #indices = new Map<string, IndexLedger>();
  readonly #exists = new Map<string, Possible<boolean>>();
  readonly #definitions = new Map<string, Possible<Changeable>>();
  /** By the name that they would be brought back under. */
  readonly #backups = new Map<string, Backup>();
  #records = new Possible<Record<string, unknown>>({});

  /** `nothing`: bytes on the disk may change by themselves. */
  constructor(readonly trust: "the disk" | "nothing" = "the disk") {}

  /** undefined: nobody asked for such an index. */
  find(name: string): IndexLedger | undefined {
    return this.#indices.get(name);
  }

  async create(engine: EngineFace, name: string, definition: Definition): Promise<void> {
    const sureAfter = this.trust === "the disk" && definition.durability === "request" ? "acknowledgement" : "flush";
    this.#indices.set(name, new IndexLedger(name, sureAfter));
    const exists = this.#exists.get(name) ?? new Possible(false);
    this.#exists.set(name, exists);
    this.#definitions.set(name, new Possible(changeableOf(definition)));
    await exists.change(true, () => engine.createIndex(name, definition));
  }

  /** An index is backed up as it is now; the function it returns says that the backup is complete. */
  backUp(source: string, target: string): () => void {
    const copy = this.#indices.get(source)?.backup(target);
    const definition = this.#definitions.get(source)?.sure;
    return () => {
      if (copy && definition) this.#backups.set(target, { copy, definition });
    };
  }

  /** Whether there is a backup that an index of this name can be brought back from. */
  hasBackup(target: string): boolean {
    return this.#backups.has(target);
  }

  /** Brings an index back. */
  async restore(target: string, action: () => Promise<unknown>): Promise<void> {
    const { copy, definition } = this.#backups.get(target) as Backup;
    this.#indices.set(target, copy);
    this.#definitions.set(target, new Possible(definition));
    const exists = this.#exists.get(target) ?? new Possible(false);
    this.#exists.set(target, exists);
    await exists.change(true, action);
  }

  async remove(engine: EngineFace, name: string): Promise<void> {
    await this.#exists.get(name)?.change(false, () => engine.deleteIndex(name));
  }

  async put(engine: EngineFace, changes: Record<string, unknown>): Promise<void> {
    await this.#records.change(merged(this.#records.sure, changes), () => engine.metadata.put(changes));
  }

  async addField(index: Index, field: string): Promise<void> {
    const definition = this.#definitions.get(index.name) as Possible<Changeable>;
    const fields = [...definition.sure.fields, field].sort();
    const change = { properties: { [field]: { type: "keyword" as const } } };
    await definition.change({ ...definition.sure, fields }, () => index.updateMapping(change));
  }

  async setNote(index: Index, note: string): Promise<void> {
    const definition = this.#definitions.get(index.name) as Possible<Changeable>;
    await definition.change({ ...definition.sure, note }, () => index.updateSettings({ settings: { note } }));
  }

  /** A running engine beside what it acknowledged. */
  async differences(engine: EngineFace): Promise<string[]> {
    const lines = this.#metadataDifferences(engine, "wrong");
    for (const ledger of this.#there(engine)) lines.push(...(await ledger.differences(engine)));
    return lines;
  }

  /** An engine that was opened after a crash beside all it may be; what it is becomes what is known. */
  async settle(engine: EngineFace, crash: Crash): Promise<string[]> {
    const lines = this.#metadataDifferences(engine, "allowed");
    if (lines.length > 0) return lines;
    this.#learnMetadata(engine);
    for (const ledger of this.#there(engine)) lines.push(...(await ledger.settle(engine, crash)));
    return lines;
  }

  copy(): Ledger {
    const twin = new Ledger(this.trust);
    for (const [name, ledger] of this.#indices) twin.#indices.set(name, ledger.copy());
    for (const [name, exists] of this.#exists) twin.#exists.set(name, exists.copy());
    for (const [name, definition] of this.#definitions) twin.#definitions.set(name, definition.copy());
    for (const [name, { copy, definition }] of this.#backups) {
      twin.#backups.set(name, { copy: copy.copy(), definition });
    }
    twin.#records = this.#records.copy();
    return twin;
  }

  #there(engine: EngineFace): IndexLedger[] {
    return [...this.#indices.values()].filter(({ name }) => engine.index(name) !== undefined);
  }

  #metadataDifferences(engine: EngineFace, refused: "allowed" | "wrong"): string[] {
    const lines = this.#records.check("metadata", recordsOf(engine), refused);
    const names = engine.indexNames();
    for (const [name, exists] of this.#exists) {
      // Half made or half removed, an index may be there or not until the engine is opened anew.
      lines.push(...exists.check(`existence of [${name}]`, names.includes(name), "allowed"));
      const index = names.includes(name) ? engine.index(name) : undefined;
      if (!index) continue;
      const definition = this.#definitions.get(name) as Possible<Changeable>;
      lines.push(...definition.check(`definition of [${name}]`, changeableOf(index.definition), refused));
    }
    const unknown = names.filter((name) => !this.#exists.has(name));
    if (unknown.length > 0) lines.push(`nobody made these indices: ${unknown.join()}`);
    return lines;
  }

  #learnMetadata(engine: EngineFace): void {
    this.#records.become(recordsOf(engine));
    for (const [name, exists] of this.#exists) {
      const index = engine.indexNames().includes(name) ? engine.index(name) : undefined;
      exists.become(index !== undefined);
      if (index) this.#definitions.get(name)?.become(changeableOf(index.definition));
    }
  }
}

function recordsOf(engine: EngineFace): Record<string, unknown> {
  const { metadata } = engine;
  return merged({}, Object.fromEntries(metadata.keys("").map((key) => [key, metadata.get(key)])));
}

/** Fields that documents added may be there or not as their documents are; those are compared by searches. */
function changeableOf(definition: Definition): Changeable {
  const { refreshIntervalMs, settings, mapping } = definition;
  const fields = Object.keys(mapping.properties).filter((field) => field !== "extra");
  return { refreshIntervalMs, note: settings.note ?? "", fields: fields.sort() };
}

/** Keys sorted, so that equal records print the same. */
function merged(into: Record<string, unknown>, changes: Record<string, unknown>): Record<string, unknown> {
  const all = Object.entries({ ...into, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}
