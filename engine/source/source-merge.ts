/** Merging `_source`: blocks whose documents are all alive are copied as they are, others are unpacked and packed anew. */
import { isSet } from "../store/bits.js";
import { COPY_BLOCK } from "./source-format.js";
import type { SourceReader } from "./source-reader.js";
import type { SourceWriter } from "./source-writer.js";

export interface SourceInput {
  readonly source: SourceReader;
  /** Bit set: alive. null: all are. */
  readonly live: Uint32Array | null;
}

/** Raw bytes handled between two yields. */
const SLICE_BYTES = 512 * 1024;

/** Adds the live documents of all inputs to the writer, in order, and ends the last block. Yields after some work. */
export function* mergeSources(writer: SourceWriter, inputs: readonly SourceInput[]): Generator<void, void> {
  let work = 0;
  for (const { source, live } of inputs) {
    let block = 0;
    let start = 0;
    for (let doc = 0; doc < source.docs; ) {
      while (source.blocks[2 * block + 2] <= start && 2 * block + 4 < source.blocks.length) block++;
      const run = runAt(source, { doc, start, block }, live);
      if (run !== null && (writer.pending === 0 || writer.pending >= COPY_BLOCK)) {
        writer.endBlock();
        const from = source.blocks[2 * block + 1];
        writer.addBlock(source.packed(from, source.blocks[2 * block + 3] - from), run);
        doc += run.length;
        start = source.blocks[2 * block + 2];
        work += COPY_BLOCK;
      } else {
        const length = source.length(doc);
        if (isSet(live, doc)) writer.add(source.view(doc));
        doc++;
        start += length;
        work += length;
      }
      if (work > SLICE_BYTES) {
        work = 0;
        yield;
      }
    }
  }
  writer.endBlock();
}

/** Lengths of the documents of the block that begins at `start`, if it can be copied whole: else null. */
function runAt(
  source: SourceReader,
  at: { doc: number; start: number; block: number },
  live: Uint32Array | null,
): number[] | null {
  const from = source.blocks[2 * at.block];
  const to = source.blocks[2 * at.block + 2];
  if (at.start !== from || to - from < COPY_BLOCK) return null;
  const lengths: number[] = [];
  let end = from;
  for (let doc = at.doc; end < to && doc < source.docs; doc++) {
    if (!isSet(live, doc)) return null;
    const length = source.length(doc);
    lengths.push(length);
    end += length;
  }
  return end === to ? lengths : null;
}
