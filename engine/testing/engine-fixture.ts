/** For tests: engines in temporary folders, and what stands in an index. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openEngine } from "../engine.js";
import type { EngineFace, EngineOptions, IndexDefinition } from "../engine-types.js";
import type { Mapping } from "../mapping/mapping.js";
import type { IndexShard } from "../shard/index-shard.js";
import { isSet } from "../store/bits.js";
import type { Files } from "../store/files.js";
import type { WriteOperation, WriteOutcome } from "../write.js";

/** Small, so that tests do not take the machine's memory. */
export const TEST_ARENA_BYTES = 64 * 2 ** 20;

/** The analysis settings of an index with none of its own. */
export const NO_ANALYSIS = { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} };

/** A definition with this mapping; refreshes only when asked. */
export function definitionOf(
  mapping: Mapping,
  more: Partial<IndexDefinition> = {},
): Omit<IndexDefinition, "uuid" | "createdAt"> {
  return {
    mapping,
    analysis: NO_ANALYSIS,
    refreshIntervalMs: -1,
    durability: "request",
    totalFieldsLimit: 1000,
    maxResultWindow: 10_000,
    settings: {},
    ...more,
  };
}

/** An engine that can be closed and opened again on the same folder. */
export interface EngineFixture {
  readonly folder: string;
  engine: EngineFace;
  readonly warnings: string[];
  reopen(options?: EngineOptions & { files?: Files }): Promise<EngineFace>;
  /** Closes and removes the folder. */
  remove(): Promise<void>;
}

/**
 * An engine in a new temporary folder, without worker threads unless the options say so; `warnings` gathers what it warns of.
 */
export async function engineFixture(options: EngineOptions & { files?: Files } = {}): Promise<EngineFixture> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-engine-"));
  const warnings: string[] = [];
  const open = (more: EngineOptions & { files?: Files } = {}) =>
    openEngine(folder, {
      arenaBytes: TEST_ARENA_BYTES,
      workers: 0,
      warn: (text) => warnings.push(text),
      ...options,
      ...more,
    });
  const fixture: EngineFixture = {
    folder,
    engine: await open(),
    warnings,
    async reopen(more) {
      await fixture.engine.close();
      fixture.engine = await open(more);
      return fixture.engine;
    },
    async remove() {
      await fixture.engine.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}

/** An index operation of a plain object. */
export function indexOf(id: string | undefined, source: unknown): WriteOperation {
  return { kind: "index", id, source: Buffer.from(JSON.stringify(source)) };
}

/** The outcomes, all of which must be good. */
export function good(outcomes: readonly WriteOutcome[]): Extract<WriteOutcome, { ok: true }>[] {
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw outcome.error;
    return outcome;
  });
}

/** A document as a reader shows it, its source parsed. */
export interface ShownDocument {
  id: string;
  seqNo: number;
  version: number;
  source: unknown;
}

/** Every living document of the newest reader, in its order. */
export function shownDocuments(engine: EngineFace, index: string): ShownDocument[] {
  const handle = (engine.index(index) as IndexShard).acquireReader();
  const found: ShownDocument[] = [];
  try {
    for (const { segment, live } of handle.reader.leaves) {
      segment.beginUse();
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (!isSet(live, doc)) continue;
        const source: unknown = JSON.parse(Buffer.from(segment.source(doc)).toString());
        found.push({ id: segment.id(doc), seqNo: segment.seqNo(doc), version: segment.version(doc), source });
      }
      segment.endUse();
    }
  } finally {
    handle.release();
  }
  return found;
}
