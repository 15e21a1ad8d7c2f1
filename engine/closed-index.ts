/** An index that was closed: its files lie on the disk and nothing of it is in memory. */
import { checkMappingAnalysis, createAnalyzerRegistry } from "./analysis/index.js";
import type { IndexStats } from "./engine-types.js";
import { EngineError } from "./errors.js";
import {
  type ChangeableSettings,
  type DefinitionStore,
  type HeldCommit,
  SegmentFolder,
  type StoredDefinition,
} from "./shard/index.js";
import type { Storage } from "./store/storage.js";
import { UnusableIndex } from "./unusable-index.js";

/** Where the index lies. */
export interface ClosedFiles {
  readonly storage: Storage;
  readonly folder: string;
  readonly warn: (message: string) => void;
}

/** What there is on the disk. */
type Contents = Pick<IndexStats, "docs" | "storeBytes" | "unloadedSegments" | "commit" | "maxSeqNo">;

export class ClosedIndex extends UnusableIndex {
  readonly damage = undefined;
  readonly #files: ClosedFiles;
  #contents: Contents | undefined;

  /** `closedAt`: epoch milliseconds. */
  constructor(
    definitions: DefinitionStore,
    files: ClosedFiles,
    readonly closedAt: number,
  ) {
    super(definitions);
    this.#files = files;
  }

  refusal(): EngineError {
    return indexClosed(this.name, this.definition.uuid);
  }

  /** Analysis may change too: no document is analysed meanwhile. Throws analysis_unknown. */
  override updateSettings(change: ChangeableSettings): Promise<void> {
    if (change.analysis !== undefined) {
      checkMappingAnalysis(this.definition.mapping.properties, createAnalyzerRegistry(change.analysis));
    }
    return super.updateSettings(change);
  }

  /** Its size is true; everything that only an open index counts is zero. */
  override stats(): IndexStats {
    this.#contents ??= this.#read();
    const none = super.stats();
    const { storeBytes, unloadedSegments } = this.#contents;
    const opening = { ...none.opening, startedAt: this.closedAt, files: unloadedSegments, bytes: storeBytes };
    return { ...none, ...this.#contents, opening };
  }

  /**
   * Holds the commit that closing made, for as long as the index stays closed; whoever brings it back gets an open index.
   * Throws CorruptionError.
   */
  holdCommit(): HeldCommit & StoredDefinition {
    const { storage, folder, warn } = this.#files;
    const opened = SegmentFolder.open(storage, folder, warn);
    for (const holder of opened.holders) holder.release();
    const { closed: _closed, ...definition } = this.definitions.stored.definition;
    return { ...opened.folder.hold(), definition, fields: this.definitions.stored.fields };
  }

  #read(): Contents {
    const { storage, folder, warn } = this.#files;
    try {
      const opened = SegmentFolder.open(storage, folder, warn);
      const segments = opened.holders.map(({ segment, live }) => ({
        bytes: segment.sizeBytes,
        docs: segment.docCount,
        live: live.currentCount,
      }));
      for (const holder of opened.holders) holder.release();
      const sum = (of: (one: (typeof segments)[number]) => number) => segments.reduce((all, one) => all + of(one), 0);
      const count = sum(({ live }) => live);
      return {
        docs: { count, deleted: sum(({ docs }) => docs) - count },
        storeBytes: sum(({ bytes }) => bytes),
        unloadedSegments: segments.length,
        commit: opened.folder.lastCommit,
        maxSeqNo: opened.marks.maxSeqNo,
      };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // What is wrong with it is told when it is opened.
      warn(`what closed index [${this.name}] holds could not be read: ${error.message}`);
      const { docs, storeBytes, unloadedSegments, commit, maxSeqNo } = super.stats();
      return { docs, storeBytes, unloadedSegments, commit, maxSeqNo };
    }
  }
}

/** What every use of the documents of a closed index is refused with; the word is Elasticsearch's. */
export function indexClosed(index: string, uuid: string): EngineError {
  return new EngineError("index_closed", "closed", { index, uuid });
}
