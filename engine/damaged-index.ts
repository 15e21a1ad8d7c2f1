/**
 * An index that can't be used: bytes of it are not what was written, or the system could not read them. It is there: its name, its definition and its
 * fields are known and can be changed, it can be deleted; whatever needs its documents is refused.
 */
import type { AnalyzedToken, Damage, Index, IndexDefinition, IndexStats } from "./engine-types.js";
import { EngineError } from "./errors.js";
import { mappedFields } from "./mapping/field-table.js";
import type { FieldMapping, Mapping, ObjectMapping } from "./mapping/mapping.js";
import { type ChangeableSettings, type DefinitionStore, newCounters } from "./shard/index.js";
import type { StoredDocument, WriteOutcome } from "./write.js";

export class DamagedIndex implements Index {
  constructor(
    readonly definitions: DefinitionStore,
    readonly damage: Damage,
  ) {}

  get name(): string {
    return this.definitions.name;
  }

  get definition(): Readonly<IndexDefinition> {
    return this.definitions.definition;
  }

  /** What every use of its documents is refused with. */
  refusal(): EngineError {
    const { file, offset, message } = this.damage;
    if (this.damage.kind === "unreadable") {
      const words = `index [${this.name}] could not be opened: ${message}; it is tried again at the next use`;
      return new EngineError("io", words, { index: this.name, file });
    }
    const words = `index [${this.name}] is damaged and can't be used: ${message}; stop the node, and see what pinakes verify and pinakes repair say`;
    return new EngineError("index_damaged", words, { index: this.name, file, offset });
  }

  async write(): Promise<WriteOutcome[]> {
    throw this.refusal();
  }

  get(): StoredDocument | undefined {
    throw this.refusal();
  }

  analyze(): AnalyzedToken[] {
    throw this.refusal();
  }

  // What there is to show, to flush and to merge is nothing; whoever asks all indices for it gets the others'.
  async refresh(): Promise<void> {}
  async nextRefresh(): Promise<void> {}
  async flush(): Promise<void> {}
  async forceMerge(): Promise<void> {}

  updateMapping(change: Partial<Mapping>): Promise<void> {
    return this.definitions.grow(change);
  }

  updateSettings(change: ChangeableSettings): Promise<void> {
    return this.definitions.updateSettings(change);
  }

  /** All zero: nothing is known. */
  stats(): IndexStats {
    return {
      docs: { count: 0, deleted: 0 },
      storeBytes: 0,
      segments: [],
      log: { operations: 0, sizeBytes: 0, uncommittedOperations: 0, uncommittedBytes: 0, oldestWriteMs: undefined },
      memtableBytes: 0,
      maxSeqNo: -1,
      lastWriteAt: 0,
      commit: { generation: 0, maxSeqNo: -1, docCount: 0 },
      queryCache: { bytes: 0, entries: 0, kept: 0, hits: 0, misses: 0 },
      fielddata: { bytes: 0, evictions: 0, byField: {} },
      refreshListeners: 0,
      counters: newCounters(),
      searchGroups: {},
    };
  }

  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping> {
    const { fields, objects } = this.definitions.table;
    const all = new Map<string, FieldMapping | ObjectMapping>(objects);
    for (const { path, mapping } of mappedFields(fields)) all.set(path, mapping);
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** What an error that was thrown while an index was opened or read says of its damage. */
export function damageOf(error: EngineError, foundAtMs: number): Damage {
  const { file, offset } = error.details;
  const kind = error.code === "io" ? "unreadable" : "damaged";
  const where = String(file ?? error.details.path ?? "");
  return { kind, file: where, offset: Number(offset ?? 0), message: error.message, foundAtMs };
}
