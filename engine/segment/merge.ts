/**
 * Merging segments: the live documents of several, in order, become one new segment. Inputs must be given in ascending
 * order of their sequence numbers, so that the output's ascend too. A generator: it yields at least every few
 * milliseconds, and the caller decides when to go on. Inputs are in use only while a field of them is being read, so
 * that a merge needs the arena for one field at a time.
 */
import path from "node:path";
import { writeExists } from "../columns/exists.js";
import { mergeColumn } from "../columns/merge.js";
import { keptColumn } from "../columns/unsigned.js";
import type { Field } from "../mapping/field-table.js";
import { IdWriter } from "../source/id-writer.js";
import { writeNumbers } from "../source/numbers.js";
import { writeRouting } from "../source/routing.js";
import { mergeSources } from "../source/source-merge.js";
import { SourceWriter } from "../source/source-writer.js";
import { bitWords, isSet, setBit } from "../store/bits.js";
import { NO_FIELD, SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { mergeInverted } from "../text/merge.js";
import { mergeTrigrams } from "../trigrams/index.js";
import { mergeVectors } from "../vectors/merge.js";
import { SegmentFileWriter } from "./file-writer.js";
import { writeSegmentMeta } from "./meta.js";
import { type OpenSegment, segmentFileName } from "./reader.js";

/** A segment to merge and which of its documents to keep: its live docs at the moment the merge begins. */
export interface MergeInput {
  readonly segment: OpenSegment;
  /** Bit set: alive. null: all are. Must not change during the merge. */
  readonly live: Uint32Array | null;
}

/** In a document map: the document was dropped. */
export const DROPPED = 0xffffffff;

/** Where the merged segment goes: `<folder>/<name>.seg`. */
export interface MergeTarget {
  readonly folder: string;
  readonly name: string;
}

/** Documents between two yields. */
const SLICE_DOCS = 4096;
/** The same where hardly anything is done with each. */
const MAP_SLICE = 65_536;

/**
 * Writes the merged segment (not synced); `fields` are all fields the index knows. Returns per input the number of each
 * document in the merged segment, or DROPPED: documents that are deleted while the merge runs are to be deleted there.
 * Ended early (`return`) or by an error it leaves no file behind.
 */
export function* mergeSegments(
  storage: Storage,
  inputs: readonly MergeInput[],
  fields: readonly Field[],
  target: MergeTarget,
): Generator<void, Uint32Array[]> {
  const writer = new SegmentFileWriter(storage, path.join(target.folder, segmentFileName(target.name)));
  let finished = false;
  try {
    const { docMaps, docs } = yield* mapDocuments(inputs);
    const merge = { storage, inputs, docMaps, docs, sink: writer };
    for (const field of fields) {
      yield* using(inputs, mergeField(merge, field));
      yield;
    }
    yield* using(inputs, mergeIds(merge));
    yield* using(inputs, mergeNumbers(merge));
    yield* using(inputs, mergeSource(merge));
    writer.finish();
    finished = true;
    return docMaps;
  } finally {
    if (!finished) writer.abandon();
  }
}

interface Merge {
  storage: Storage;
  inputs: readonly MergeInput[];
  docMaps: readonly Uint32Array[];
  /** Documents of the merged segment. */
  docs: number;
  sink: SectionSink;
}

/** Runs work with all inputs in use. */
function* using<T>(inputs: readonly MergeInput[], work: Generator<void, T>): Generator<void, T> {
  let begun = 0;
  try {
    for (const { segment } of inputs) {
      segment.beginUse();
      begun++;
    }
    return yield* work;
  } finally {
    for (const { segment } of inputs.slice(0, begun)) segment.endUse();
  }
}

/** Numbers the documents to keep of all inputs from 0; also says how many they are. */
function* mapDocuments(inputs: readonly MergeInput[]): Generator<void, { docMaps: Uint32Array[]; docs: number }> {
  const docMaps: Uint32Array[] = [];
  let docs = 0;
  for (const { segment, live } of inputs) {
    const map = new Uint32Array(segment.docCount);
    for (let doc = 0; doc < map.length; doc++) {
      map[doc] = isSet(live, doc) ? docs++ : DROPPED;
      if (doc % MAP_SLICE === MAP_SLICE - 1) yield;
    }
    docMaps.push(map);
  }
  return { docMaps, docs };
}

function* mergeField(merge: Merge, field: Field): Generator<void, void> {
  const { storage, inputs, docMaps, docs, sink } = merge;
  const terms = inputs.map(({ segment }, i) => ({ source: segment.file, docMap: docMaps[i] }));
  const ordinals = yield* mergeInverted(storage, field, terms, { sink, docs });
  const columns = inputs.map(({ segment, live }, i) => ({
    docCount: segment.docCount,
    live,
    column: field.type === "unsigned_long" ? keptColumn(segment.column(field)) : segment.column(field),
    ordinals: ordinals.maps[i] ?? null,
  }));
  yield* mergeColumn(sink, field.ordinal, columns, ordinals.count);
  const vectors = inputs.map(({ segment, live }) => ({
    docCount: segment.docCount,
    live,
    vectors: segment.vectors(field),
  }));
  yield* mergeVectors(sink, field.ordinal, vectors);
  const texts = inputs.map(({ segment, live }) => ({
    docCount: segment.docCount,
    live,
    trigrams: segment.trigrams(field),
  }));
  yield* mergeTrigrams(storage, sink, field.ordinal, texts);
  yield* mergeExists(merge, field);
}

/** Where any input says more than its column does, the merged segment must too. */
function* mergeExists({ inputs, docMaps, docs, sink }: Merge, field: Field): Generator<void, void> {
  if (!inputs.some(({ segment }) => segment.file.sectionSize(SectionKind.exists, field.ordinal) >= 0)) return;
  const bits = new Uint32Array(bitWords(docs));
  for (let i = 0; i < inputs.length; i++) {
    const presence = inputs[i].segment.presence(field);
    if (presence === null) continue;
    const map = docMaps[i];
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc] !== DROPPED && isSet(presence.bits, doc)) setBit(bits, map[doc]);
    }
    yield;
  }
  writeExists(sink, field.ordinal, docs, bits);
}

function* mergeIds({ inputs, docMaps, docs, sink }: Merge): Generator<void, void> {
  const writer = new IdWriter(sink, docs);
  for (let i = 0; i < inputs.length; i++) {
    const ids = inputs[i].segment.ids();
    const map = docMaps[i];
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc] !== DROPPED) {
        const { bytes, from, to } = ids.bytes(doc);
        writer.add(bytes, from, to);
      }
      if (doc % SLICE_DOCS === SLICE_DOCS - 1) yield;
    }
  }
  yield* writer.finishing();
}

function* mergeNumbers(merge: Merge): Generator<void, void> {
  const { docs, sink } = merge;
  const seqNos = yield* gather(merge, SectionKind.seqNos);
  writeNumbers(sink, SectionKind.seqNos, seqNos, 1);
  writeNumbers(sink, SectionKind.versions, yield* gather(merge, SectionKind.versions), 0);
  writeNumbers(sink, SectionKind.primaryTerms, yield* gather(merge, SectionKind.primaryTerms), 0);
  yield* mergeRouting(merge);
  writeSegmentMeta(sink, {
    docs,
    minSeqNo: docs === 0 ? 0 : seqNos[0],
    maxSeqNo: docs === 0 ? 0 : seqNos[docs - 1],
  });
}

function* gather({ inputs, docMaps, docs }: Merge, kind: SectionKind): Generator<void, Float64Array> {
  const values = new Float64Array(docs);
  for (let i = 0; i < inputs.length; i++) {
    const map = docMaps[i];
    const numbers = inputs[i].segment.numbers(kind);
    for (let doc = 0; doc < map.length; doc++) {
      if (map[doc] !== DROPPED) values[map[doc]] = numbers.get(doc);
      if (doc % SLICE_DOCS === SLICE_DOCS - 1) yield;
    }
  }
  return values;
}

function* mergeRouting({ inputs, docMaps, sink }: Merge): Generator<void, void> {
  const docs: number[] = [];
  const values: string[] = [];
  for (let i = 0; i < inputs.length; i++) {
    const { segment } = inputs[i];
    if (segment.file.sectionSize(SectionKind.routing, NO_FIELD) < 0) continue;
    docMaps[i].forEach((doc, old) => {
      const value = doc === DROPPED ? undefined : segment.routing(old);
      if (value === undefined) return;
      docs.push(doc);
      values.push(value);
    });
    yield;
  }
  writeRouting(sink, docs, values);
}

function* mergeSource({ storage, inputs, sink }: Merge): Generator<void, void> {
  const writer = new SourceWriter(storage, (bytes) => sink.append(bytes));
  try {
    sink.begin(SectionKind.sourceData, NO_FIELD);
    const shapes = yield* mergeSources(
      writer,
      inputs.map(({ segment, live }) => ({
        source: segment.sources(),
        live,
        document: (doc: number) => segment.source(doc),
      })),
    );
    sink.end();
    writer.finish(sink, shapes);
  } finally {
    writer.close();
  }
}
