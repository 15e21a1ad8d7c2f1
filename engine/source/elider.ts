/**
 * Leaves out of documents what their columns print back: the write side of shapes (shape.ts). What is made here are
 * records as source-format.ts says.
 *
 * Nothing is left out that was not compared, byte for byte, with what the very values print that go into the columns.
 * A document is followed through the shape that is expected next, by a kernel as far as that goes; where it has another
 * shape that is inferred.
 */
import { Followed, FollowState } from "../kernels/follow-shape.js";
import type { Field } from "../mapping/field-table.js";
import type { Storage } from "../store/storage.js";
import { SLOT_END } from "./assemble.js";
import { ByteOutput } from "./byte-output.js";
import { FieldPaths } from "./field-paths.js";
import { ShapeInference } from "./infer-shape.js";
import { closing, stringEnd, valueEnd } from "./json-scan.js";
import { RecordValues } from "./record-values.js";
import { decodeShape } from "./shape.js";
import { type ShapeProgram, ShapePrograms } from "./shape-program.js";
import { ShapeTable } from "./shape-table.js";
import { type Form, SlotFinder } from "./slot-finder.js";
import { isKept, SlotKind } from "./slots.js";
import { MAX_HEAD_BYTES } from "./source-format.js";
import type { SourceWriter } from "./source-writer.js";

/** A shape that was met, and the one that followed it last: sources are often written in turns. */
interface Known {
  readonly id: number;
  readonly program: ShapeProgram;
  next: Known | null;
}

/** Shapes of late that are tried before a document's own is inferred, which takes ten times as long. */
const RECENT_SHAPES = 8;
/** Larger documents are not worth a region of the arena; the second: what of it is kept from one segment to the next. */
const MAX_SPARE = 4 * 2 ** 20;
const KEPT_SPARE = 256 * 1024;

/** Where a document is in the arena: its prepared records are [start, end), 16 bytes behind its source are readable. */
export interface DocumentPlace {
  readonly start: number;
  readonly end: number;
  readonly source: number;
  readonly length: number;
}

/** Most documents that are stored whole without another look after looks that found nothing. */
const MAX_PAUSE = 256;

/** Writes the `_source` of one segment's documents. Owns memory until `close()`. */
export class Elider {
  readonly shapes = new ShapeTable();
  readonly #storage: Storage;
  readonly #writer: SourceWriter;
  readonly #programs: ShapePrograms;
  readonly #values: RecordValues;
  readonly #record = new ByteOutput();
  readonly #finder = new SlotFinder();
  readonly #inference = new ShapeInference();
  readonly #known = new Map<number, Known>();
  readonly #fields: readonly Field[];
  readonly #paths: FieldPaths;
  #last: Known | null = null;
  /** The latest first, none twice. */
  readonly #recent: Known[] = [];
  #documentBytes = 0;
  /** Documents to store whole before the next look, and how many it will be if that one finds nothing either. */
  #pause = 0;
  #nextPause = 1;

  /** `fields`: all of the index, by ordinal. */
  constructor(storage: Storage, writer: SourceWriter, fields: readonly Field[]) {
    this.#fields = fields;
    this.#paths = new FieldPaths(fields);
    this.#storage = storage;
    this.#writer = writer;
    this.#programs = new ShapePrograms(storage.arena);
    this.#values = new RecordValues(storage);
  }

  /** Writes a document's record. */
  add(place: DocumentPlace): void {
    this.#documentBytes += place.length;
    this.#values.begin(place, this.#fields);
    if (this.#followKnown(place)) return;
    const source = this.#storage.arena.bytes(place.source, place.length);
    if (this.#pause > 0) {
      this.#pause--;
      this.#addWhole(source);
    } else this.#addInferred(source);
  }

  close(): void {
    this.#programs.close();
    this.#values.close();
    this.#storage.scratch.trim("record", KEPT_SPARE);
  }

  #addWhole(source: Uint8Array): void {
    const record = this.#record;
    record.at = 0;
    record.byte(0);
    record.append(source, 0, source.length);
    this.#writer.add(record.bytes.subarray(0, record.at));
  }

  #addInferred(source: Uint8Array): void {
    const found = this.#infer(source);
    if (found === null) {
      this.#pause = this.#nextPause;
      this.#nextPause = Math.min(2 * this.#nextPause, MAX_PAUSE);
      this.#addWhole(source);
      return;
    }
    const { kept } = this.#inference;
    const record = this.#record;
    record.at = 0;
    record.varint(found.id);
    record.append(kept.bytes, 0, kept.at);
    this.#writer.add(record.bytes.subarray(0, record.at));
    this.#nextPause = 1;
    this.#met(found);
  }

  /** Writes the record if the document has the shape that is due, or another of late. */
  #followKnown(place: DocumentPlace): boolean {
    const expected = this.#last?.next ?? this.#last;
    if (expected === null) return false;
    const found = this.#follow(expected, place)
      ? expected
      : this.#recent.find((known) => known !== expected && this.#follow(known, place));
    if (found === undefined) return false;
    this.#met(found);
    return true;
  }

  #met(found: Known): void {
    if (this.#last !== null) this.#last.next = found;
    this.#last = found;
    const recent = this.#recent;
    if (recent[0] === found) return;
    const at = recent.indexOf(found);
    if (at >= 0) recent.splice(at, 1);
    else if (recent.length === RECENT_SHAPES) recent.pop();
    recent.unshift(found);
  }

  #infer(source: Uint8Array): Known | null {
    const { encoder, kept } = this.#inference;
    if (!this.#inference.infer(source, this.#values, this.#paths) || kept.at + 1 >= source.length) return null;
    const id = this.shapes.idOf(encoder.bytes, this.#documentBytes);
    if (id === 0) return null;
    let known = this.#known.get(id);
    if (known === undefined) {
      const program = this.#programs.add(decodeShape(encoder.bytes), this.#inference.columns);
      known = { id, program, next: null };
      this.#known.set(id, known);
    }
    return known;
  }

  /** Writes the record if the document has this shape. */
  #follow({ id, program }: Known, { source, length }: DocumentPlace): boolean {
    const { arena, kernels } = this.#storage;
    const reserved = this.#writer.reserve(length + MAX_HEAD_BYTES);
    const out = reserved || this.#spare(length + MAX_HEAD_BYTES);
    if (out === 0) return false;
    const state = this.#values.state >>> 2;
    const { u32 } = arena;
    const start = this.#programs.address;
    u32[state + FollowState.program / 4] = start + program.offset;
    u32[state + FollowState.slot / 4] = 0;
    u32[state + FollowState.literal / 4] = start + program.literals;
    u32[state + FollowState.at / 4] = source;
    u32[state + FollowState.end / 4] = source + length;
    u32[state + FollowState.out / 4] = writeHead(arena.u8, out, id);
    let result = kernels.followShape(4 * state);
    if (result === Followed.help) result = this.#followSlowly(program, arena.bytes(source, length));
    if (result !== Followed.done) return false;
    const bytes = u32[state + FollowState.out / 4] - out;
    if (out === reserved) this.#writer.commit(bytes);
    else this.#writer.add(arena.bytes(out, bytes));
    return true;
  }

  /** Where the record of a document may be made that has no room in the block; 0: it is too large. */
  #spare(bytes: number): number {
    return bytes > MAX_SPARE ? 0 : this.#storage.scratch.region("record", bytes);
  }

  /** Goes on where the kernel needs help, with its help where it does not. */
  #followSlowly(program: ShapeProgram, source: Uint8Array): number {
    const { kernels } = this.#storage;
    for (;;) {
      if (!this.#help(program, source)) return Followed.no;
      const result = kernels.followShape(this.#values.state);
      if (result !== Followed.help) return result;
    }
  }

  /** Does a slot that the kernel leaves to us; false: the document has another shape. */
  #help({ shape, columns }: ShapeProgram, source: Uint8Array): boolean {
    const { u8, u32 } = this.#storage.arena;
    const state = this.#values.state >>> 2;
    const slot = u32[state + FollowState.slot / 4];
    const from = u32[state + FollowState.at / 4] - source.byteOffset;
    const kind = shape.kinds[slot];
    let to: number;
    if (isKept(kind)) {
      to = keptEnd(kind, source, from);
      if (to < 0) return false;
      const part = { form: kind as Form, source, from, to };
      if (columns[slot].length > 0 && this.#finder.find(part, columns[slot], this.#values)) return false;
      const out = u32[state + FollowState.out / 4];
      u8.set(source.subarray(from, to), out);
      u8[out + to - from] = SLOT_END;
      u32[state + FollowState.out / 4] = out + to - from + 1;
    } else {
      to = this.#finder.endOf(kind, shape.fields[slot], this.#values, source, from);
      if (to < 0) return false;
    }
    u32[state + FollowState.at / 4] = source.byteOffset + to;
    u32[state + FollowState.slot / 4] = slot + 1;
    return true;
  }
}

/** Writes a record's shape; returns where the rest goes. */
function writeHead(u8: Uint8Array, at: number, id: number): number {
  let next = at;
  let rest = id;
  for (; rest > 127; rest >>>= 7) u8[next++] = (rest & 127) | 128;
  u8[next++] = rest;
  return next;
}

function keptEnd(kind: number, source: Uint8Array, from: number): number {
  if (kind === SlotKind.text) return stringEnd(source, from);
  return kind === SlotKind.items ? closing(source, from) : valueEnd(source, from);
}
