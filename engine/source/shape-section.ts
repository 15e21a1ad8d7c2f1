/** The section sourceShapes (source-format.ts): which shapes there are, and which of them a block means. */
import { CorruptionError } from "../errors.js";
import { LZ4_TABLE_BYTES } from "../kernels/lz4.js";
import { readVarint } from "../kernels/varint.js";
import { NO_FIELD, SectionKind, type SectionSink, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { ByteOutput } from "./byte-output.js";
import { decodeShape, type Shape } from "./shape.js";
import { SHAPES_HEADER, WHOLE } from "./source-format.js";

/** Shapes that are kept ready for use. */
const READY_SHAPES = 256;

/** Blocks from `block` on have this base. */
export interface Run {
  readonly block: number;
  readonly base: number;
}

export function writeShapes(
  sink: SectionSink,
  storage: Storage,
  runs: readonly Run[],
  shapes: readonly Uint8Array[],
): void {
  const raw = new ByteOutput();
  for (const shape of shapes) {
    raw.varint(shape.length);
    raw.append(shape, 0, shape.length);
  }
  const words = Uint32Array.from([
    runs.length,
    shapes.length,
    raw.at,
    ...runs.flatMap(({ block, base }) => [block, base]),
  ]);
  sink.begin(SectionKind.sourceShapes, NO_FIELD);
  sink.append(new Uint8Array(words.buffer));
  appendPacked(sink, storage, raw.bytes.subarray(0, raw.at));
  sink.end();
}

function appendPacked(sink: SectionSink, { arena, kernels, scratch }: Storage, raw: Uint8Array): void {
  const room = raw.length + Math.ceil(raw.length / 255) + 16;
  const from = arena.alloc(raw.length + 16 + room + 16);
  try {
    const out = from + raw.length + 16;
    arena.u8.set(raw, from);
    const size = kernels.lz4Compress(from, raw.length, out, scratch.region("table", LZ4_TABLE_BYTES));
    sink.append(size < raw.length ? arena.bytes(out, size) : raw);
  } finally {
    arena.free(from);
  }
}

/** What is needed of shapes to merge them: all there are. */
export interface ShapeList {
  readonly runs: readonly Run[];
  /** Number of shapes. */
  readonly count: number;
  /** A shape's bytes. */
  encoded(number: number): Uint8Array;
}

/** The shapes of a segment. Holds no memory of the segment's; unpacks them when the first is wanted. */
export class SourceShapes implements ShapeList {
  readonly runs: readonly Run[];
  readonly count: number;
  readonly #read: () => Uint8Array;
  #encoded: readonly Uint8Array[] | null = null;
  readonly #ready = new Map<number, Shape>();

  constructor(
    readonly source: SectionSource,
    storage: Storage,
    readonly name: string,
  ) {
    const size = source.sectionSize(SectionKind.sourceShapes, NO_FIELD);
    const header = size < 0 ? Uint32Array.of(1, 0, 0, 0, WHOLE) : wordsAt(source, 0, SHAPES_HEADER);
    const [runs, shapes, rawBytes] = header;
    const words = size < 0 ? header : wordsAt(source, 0, SHAPES_HEADER + 2 * runs);
    this.runs = Array.from({ length: runs }, (_, i) => ({
      block: words[SHAPES_HEADER + 2 * i],
      base: words[SHAPES_HEADER + 2 * i + 1],
    }));
    this.count = shapes;
    const from = 4 * words.length;
    this.#read = () => unpack(source, storage, { from, packedBytes: size - from, rawBytes, name });
  }

  /** The base of a block. */
  baseOf(block: number): number {
    const { runs } = this;
    let last = runs.length - 1;
    while (last > 0 && runs[last].block > block) last--;
    return runs[last].base;
  }

  encoded(number: number): Uint8Array {
    if (number >= this.count) throw this.#damaged(`a shape below ${this.count}`, `${number}`);
    this.#encoded ??= this.#split(this.#read());
    return this.#encoded[number];
  }

  /** A shape ready for use. */
  shape(number: number): Shape {
    const ready = this.#ready.get(number);
    if (ready !== undefined) return ready;
    const shape = decodeShape(this.encoded(number));
    if (this.#ready.size === READY_SHAPES) this.#ready.clear();
    this.#ready.set(number, shape);
    return shape;
  }

  #split(raw: Uint8Array): Uint8Array[] {
    const shapes: Uint8Array[] = [];
    for (let at = 0; at < raw.length; ) {
      const { value, next } = readVarint(raw, at);
      at = next + value;
      shapes.push(raw.subarray(next, at));
    }
    if (shapes.length !== this.count) throw this.#damaged(`${this.count} shapes`, `${shapes.length}`);
    return shapes;
  }

  #damaged(expected: string, found: string): CorruptionError {
    return new CorruptionError(`${this.name} (_source)`, 0, expected, found);
  }
}

function wordsAt(source: SectionSource, from: number, count: number): Uint32Array {
  return new Uint32Array(source.read(SectionKind.sourceShapes, NO_FIELD, from, 4 * count).slice().buffer);
}

/** The raw bytes of all shapes. */
function unpack(
  source: SectionSource,
  { arena, kernels }: Storage,
  part: { from: number; packedBytes: number; rawBytes: number; name: string },
): Uint8Array {
  const { from, packedBytes, rawBytes, name } = part;
  const packed = source.read(SectionKind.sourceShapes, NO_FIELD, from, packedBytes);
  if (packedBytes === rawBytes) return packed;
  const address = arena.alloc(packedBytes + 16 + rawBytes + 16);
  try {
    const out = address + packedBytes + 16;
    arena.u8.set(packed, address);
    const size = kernels.lz4Decompress(address, packedBytes, out, rawBytes);
    if (size !== rawBytes) {
      throw new CorruptionError(`${name} (_source)`, from, `shapes of ${rawBytes} bytes`, `${size}`);
    }
    return arena.u8.slice(out, out + rawBytes);
  } finally {
    arena.free(address);
  }
}
