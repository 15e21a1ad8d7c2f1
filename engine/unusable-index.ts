/**
 * An index whose documents can't be had now: damaged (damaged-index.ts) or closed (closed-index.ts). It is there: its
 * name, its definition and its fields are known and can be changed, it can be deleted; whatever needs its documents is
 * refused.
 */
import type { AnalysisExplanation, AnalyzedToken, Damage, Index, IndexDefinition, IndexStats } from "./engine-types.js";
import type { EngineError } from "./errors.js";
import { mappedFields } from "./mapping/field-table.js";
import type { FieldMapping, Mapping, ObjectMapping } from "./mapping/mapping.js";
import { type ChangeableSettings, type DefinitionStore, newCounters } from "./shard/index.js";
import type { StoredDocument, WriteOutcome } from "./write.js";

/** See Index; what is refused is refused with `refusal()`. */
export abstract class UnusableIndex implements Index {
  abstract readonly damage: Damage | undefined;

  constructor(readonly definitions: DefinitionStore) {}

  /** What every use of its documents is refused with. */
  abstract refusal(): EngineError;

  get name(): string {
    return this.definitions.name;
  }

  get definition(): Readonly<IndexDefinition> {
    return this.definitions.definition;
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

  explainAnalysis(): AnalysisExplanation {
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
      unloadedSegments: 0,
      log: { operations: 0, sizeBytes: 0, uncommittedOperations: 0, uncommittedBytes: 0, oldestWriteMs: undefined },
      memtableBytes: 0,
      maxSeqNo: -1,
      lastWriteAt: 0,
      commit: { generation: 0, maxSeqNo: -1, docCount: 0 },
      queryCache: { bytes: 0, entries: 0, kept: 0, hits: 0, misses: 0 },
      fielddata: { bytes: 0, evictions: 0, byField: {} },
      completion: {},
      refreshListeners: 0,
      counters: newCounters(),
      searchGroups: {},
      opening: { source: "existing", startedAt: 0, milliseconds: 0, bytes: 0, files: 0, replayed: 0 },
    };
  }

  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping> {
    const { fields, objects } = this.definitions.table;
    const all = new Map<string, FieldMapping | ObjectMapping>(objects);
    for (const { path, mapping } of mappedFields(fields)) all.set(path, mapping);
    return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
