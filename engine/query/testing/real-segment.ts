/** Real segments of a test's documents: prepared records, a memtable, sealed into a file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../clock.js";
import { loadKernels } from "../../kernels/load.js";
import type { Field } from "../../mapping/field-table.js";
import { numericValue, termBytes } from "../../mapping/values.js";
import { RECORD_HEADER_BYTES, RecordKind, TOKEN_ENTRY_BYTES, TOKENS_HEADER_BYTES } from "../../memtable/prepared.js";
import { SegmentBuilder } from "../../memtable/segment-builder.js";
import { TestRows } from "../../memtable/testing.js";
import { OpenSegment } from "../../segment/reader.js";
import { Arena } from "../../store/arena.js";
import { nodeFiles } from "../../store/files.js";
import { createStorage, type Storage } from "../../store/storage.js";
import type { SearchEnvironment, SearchReader } from "../exec/context.js";
import { textAnalysis } from "../exec/text-analysis.js";
import { sourceValues } from "../highlight/source-values.js";
import { readerOf, type TestIndex, testResources } from "./memory-reader.js";
import type { TestDocument } from "./memory-segment.js";

const RECORD_BYTES = 1 << 20;
const POSITION_GAP = 100;
/** Bytes that must be readable past a text. */
const SLACK = 16;

/** A folder of segments with the memory they are read through. */
export interface RealSegments {
  readonly environment: SearchEnvironment;
  reader(index: TestIndex, documents: readonly TestDocument[], options: RealOptions): SearchReader;
  close(): void;
}

interface RealOptions {
  segments?: readonly number[];
  deleted?: ReadonlySet<string>;
  name?: string;
}

/** Opens a fresh folder; `close` removes it. */
export function realSegments(): RealSegments {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-query-"));
  const arena = Arena.create(256 << 20);
  const kernels = loadKernels(arena.memory);
  const storage = createStorage(nodeFiles, arena, kernels);
  const opened: OpenSegment[] = [];
  return {
    environment: { ...testResources(), kernels, arena },
    reader(index, documents, options) {
      const sizes = options.segments ?? [documents.length];
      let from = 0;
      const segments = sizes.map((size) => {
        const segment = writeSegment(storage, folder, index, documents.slice(from, from + size), from, opened.length);
        opened.push(segment);
        from += size;
        return segment;
      });
      for (const segment of segments) segment.beginUse();
      const reader = readerOf(options.name ?? "test", index.fields, segments, options.deleted ?? new Set());
      for (const segment of segments) segment.endUse();
      return { reader, analyzers: index.analyzers };
    },
    close() {
      for (const segment of opened) segment.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeSegment(
  storage: Storage,
  folder: string,
  index: TestIndex,
  documents: readonly TestDocument[],
  firstSeqNo: number,
  number: number,
): OpenSegment {
  const records = new Records(storage, index);
  const fields: Field[] = [];
  for (const field of index.fields.values()) fields[field.ordinal] = field;
  const builder = new SegmentBuilder(storage, fields);
  const rows = documents.map((document, i) => {
    const { start, end } = records.write(document);
    builder.add(start, end);
    const source = Buffer.from(JSON.stringify(document.source));
    return { id: document.id, seqNo: firstSeqNo + i, primaryTerm: 1, version: 1, source };
  });
  for (const steps = builder.write(folder, `s${number}`, new TestRows(storage, rows)); !steps.next().done; );
  builder.close();
  records.close();
  return OpenSegment.open(storage, folder, `s${number}`);
}

/** Writes the records of prepared.ts, one document at a time. */
class Records {
  readonly #storage: Storage;
  readonly #index: TestIndex;
  readonly #address: number;
  #at = 0;

  constructor(storage: Storage, index: TestIndex) {
    this.#storage = storage;
    this.#index = index;
    this.#address = storage.arena.alloc(RECORD_BYTES);
  }

  close(): void {
    this.#storage.arena.free(this.#address);
  }

  write({ source }: TestDocument): { start: number; end: number } {
    this.#at = this.#address;
    for (const field of this.#index.fields.values()) {
      const own = sourceValues(source, field.path);
      const texts = own.length > 0 ? own : sourceValues(source, field.path.replace(/\.[^.]*$/, ""));
      if (field.type === "dense_vector") this.#vector(field, source[field.path]);
      else if (field.type === "text") this.#tokens(field, texts);
      else for (const text of texts) this.#value(field, text);
    }
    return { start: this.#address, end: this.#at };
  }

  #value(field: Field, text: string): void {
    const { arena } = this.#storage;
    const payload = this.#at + RECORD_HEADER_BYTES;
    if (field.column === "ordinals" || field.column === null || field.type === "boolean") {
      const analysis = textAnalysis(this.#index.analyzers);
      const term = termBytes(field, analysis.normalize(field, text));
      arena.u32[payload / 4] = term.length;
      arena.u8.set(term, payload + 4);
      this.#end(field, RecordKind.term, 4 + term.length + SLACK);
    }
    if (field.column === "ordinals" || field.column === null) return;
    this.#number(field, text);
  }

  #number(field: Field, text: string): void {
    const { arena } = this.#storage;
    const payload = this.#at + RECORD_HEADER_BYTES;
    const value = numericValue(field, text, systemClock);
    if (typeof value === "bigint") arena.view.setBigInt64(payload, value, true);
    else arena.view.setFloat64(payload, value ?? 0, true);
    this.#end(field, field.column === "long" ? RecordKind.long : RecordKind.double, 8);
  }

  #tokens(field: Field, texts: readonly string[]): void {
    const { arena, kernels } = this.#storage;
    const analysis = textAnalysis(this.#index.analyzers);
    const tokens: { term: Uint8Array; position: number }[] = [];
    let base = 0;
    for (const text of texts) {
      const own = analysis.indexTokens(field, text);
      for (const { term, position } of own) tokens.push({ term, position: base + position });
      base += (own.at(-1)?.position ?? -1) + 1 + POSITION_GAP;
    }
    if (tokens.length === 0) {
      if (texts.length > 0) this.#end(field, RecordKind.exists, 0);
      return;
    }
    const payload = this.#at + RECORD_HEADER_BYTES;
    const entries = payload + TOKENS_HEADER_BYTES;
    const textAt = entries + tokens.length * TOKEN_ENTRY_BYTES;
    let start = 0;
    tokens.forEach(({ term, position }, i) => {
      arena.u32.set([start, term.length, position, 0], (entries + i * TOKEN_ENTRY_BYTES) / 4);
      arena.u8.set(term, textAt + start);
      start += term.length;
    });
    arena.u32.set([tokens.length, tokens.length, start, 0], payload / 4);
    kernels.hashTokens(textAt, entries, tokens.length);
    this.#end(field, RecordKind.tokens, textAt + start + SLACK - payload);
  }

  #vector(field: Field, value: unknown): void {
    if (!Array.isArray(value)) return;
    this.#storage.arena.f32.set(value, (this.#at + RECORD_HEADER_BYTES) / 4);
    this.#end(field, RecordKind.vector, 4 * value.length);
  }

  #end(field: Field, kind: number, payloadBytes: number): void {
    const size = RECORD_HEADER_BYTES + Math.ceil(payloadBytes / 4) * 4;
    this.#storage.arena.u32.set([(field.ordinal << 8) | kind, size], this.#at / 4);
    this.#at += size;
  }
}
