/**
 * What a segment says of itself: section segmentMeta, 32 bytes.
 *
 *   offset  bytes  name      meaning
 *   0       4      docs      documents, deleted ones included
 *   4       4      zero
 *   8       8      minSeqNo  f64, of all documents; 0 when there are none
 *   16      8      maxSeqNo  f64
 *   24      8      zero
 *
 * Example, 2 documents, 5 to 6: 02000000 00000000 0000000000001440 0000000000001840 0000000000000000
 */
import { InternalError } from "../errors.js";
import { NO_FIELD, SectionKind, type SectionSink, type SectionSource } from "../store/section.js";

const META_BYTES = 32;

export interface SegmentMeta {
  docs: number;
  minSeqNo: number;
  maxSeqNo: number;
}

export function encodeSegmentMeta(meta: SegmentMeta): Uint8Array {
  const bytes = new Uint8Array(META_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, meta.docs, true);
  view.setFloat64(8, meta.minSeqNo, true);
  view.setFloat64(16, meta.maxSeqNo, true);
  return bytes;
}

export function writeSegmentMeta(sink: SectionSink, meta: SegmentMeta): void {
  sink.begin(SectionKind.segmentMeta, NO_FIELD);
  sink.append(encodeSegmentMeta(meta));
  sink.end();
}

export function readSegmentMeta(source: SectionSource): SegmentMeta {
  if (source.sectionSize(SectionKind.segmentMeta, NO_FIELD) !== META_BYTES) throw new InternalError("no segment meta");
  const bytes = source.read(SectionKind.segmentMeta, NO_FIELD, 0, META_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, META_BYTES);
  return { docs: view.getUint32(0, true), minSeqNo: view.getFloat64(8, true), maxSeqNo: view.getFloat64(16, true) };
}
