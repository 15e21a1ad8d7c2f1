import { FollowState, VALUE_BYTES } from "../kernels/follow-shape.js";
import type { Field } from "../mapping/field-table.js";
// The records' contract; constants and types only.
import { RECORD_HEADER_BYTES, RecordKind } from "../memtable/prepared.js";
import type { Storage } from "../store/storage.js";
import type { ByteOutput } from "./byte-output.js";
import type { DocumentValues } from "./document-values.js";
import { printText } from "./print-text.js";
import { valueNumber } from "./shape-program.js";

const TWO_32 = 2 ** 32;
const words = new Uint32Array(2);
const doubles = new Float64Array(words.buffer);
const longs = new BigInt64Array(words.buffer);

/**
 * The values of the document being added, as its prepared records have them: what its columns will hold. Records must
 * stay where they are until the next document begins. Also owns the state of the kernel that follows shapes by them.
 */
export class RecordValues implements DocumentValues {
  /** Address of the kernel's state (kernels/follow-shape.ts), values and stamp filled in. */
  readonly state: number;
  readonly #storage: Storage;
  #table = 0;
  #tableBytes = 0;
  #stamp = 0;
  #fields: readonly Field[] = [];
  #end = 0;
  /** Addresses of the records of the field that was looked at last, where it has several; the field. */
  readonly #several: number[] = [];
  #severalOf = -1;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.state = storage.arena.alloc(FollowState.bytes);
  }

  /** Begins a document; `fields` by ordinal. */
  begin(records: { readonly start: number; readonly end: number }, fields: readonly Field[]): void {
    const { arena, kernels } = this.#storage;
    if (this.#tableBytes < 2 * VALUE_BYTES * fields.length || this.#stamp === 0xffffffff)
      this.#growTable(fields.length);
    this.#stamp++;
    this.#fields = fields;
    this.#end = records.end;
    this.#severalOf = -1;
    arena.u32[(this.state + FollowState.values) >>> 2] = this.#table;
    arena.u32[(this.state + FollowState.stamp) >>> 2] = this.#stamp;
    kernels.noteValues(records.start, records.end, this.#table, this.#stamp);
  }

  count(field: number): number {
    const first = this.#entry(field);
    if (first < 0) return 0;
    if (first > 0) return 1;
    return this.#inOrder(field) ? this.#several.length : 0;
  }

  long(field: number, index: number): number | bigint {
    const at = (this.#address(field, index) + RECORD_HEADER_BYTES) >>> 2;
    const { u32 } = this.#storage.arena;
    const number = (u32[at + 1] | 0) * TWO_32 + u32[at];
    if (Number.isSafeInteger(number)) return number;
    words[0] = u32[at];
    words[1] = u32[at + 1];
    return longs[0];
  }

  double(field: number, index: number): number {
    const { u32 } = this.#storage.arena;
    const at = (this.#address(field, index) + RECORD_HEADER_BYTES) >>> 2;
    words[0] = u32[at];
    words[1] = u32[at + 1];
    return doubles[0];
  }

  term(field: number, index: number, output: ByteOutput): void {
    const { u8, u32 } = this.#storage.arena;
    const at = this.#address(field, index) + RECORD_HEADER_BYTES;
    output.append(u8, at + 4, at + 4 + u32[at >>> 2]);
  }

  text(field: number, index: number, output: ByteOutput): void {
    const { u8, u32 } = this.#storage.arena;
    const at = this.#address(field, index) + RECORD_HEADER_BYTES;
    printText(u8, at + 4, u32[at >>> 2], output);
  }

  close(): void {
    const { arena } = this.#storage;
    if (this.#table !== 0) arena.free(this.#table);
    arena.free(this.state);
    this.#table = 0;
    this.#tableBytes = 0;
  }

  #growTable(fields: number): void {
    const { arena } = this.#storage;
    if (this.#table !== 0) arena.free(this.#table);
    this.#table = arena.alloc(4 * VALUE_BYTES * fields);
    this.#tableBytes = arena.sizeOf(this.#table);
    arena.u8.fill(0, this.#table, this.#table + this.#tableBytes);
    this.#stamp = 0;
  }

  /** Address of the only record of a field; 0: there are several, -1: there is none. */
  #entry(field: number): number {
    const { u32 } = this.#storage.arena;
    const entry = this.#noted(field);
    if (u32[entry] !== this.#stamp) return -1;
    return u32[entry + 2] === 1 ? u32[entry + 1] : 0;
  }

  /** Where the entry of a field's value is, in words. */
  #noted(field: number): number {
    const { column, trigrams } = this.#fields[field];
    const terms = column === "ordinals" || trigrams;
    return (this.#table + VALUE_BYTES * valueNumber(field, terms)) >>> 2;
  }

  #address(field: number, index: number): number {
    return this.#entry(field) || this.#several[index];
  }

  /** Whether several values stand in the order in which the column will have them, no term twice. */
  #inOrder(field: number): boolean {
    if (this.#severalOf !== field) this.#gather(field);
    const several = this.#several;
    const { column, trigrams } = this.#fields[field];
    // Texts stay in the order of the document.
    if (trigrams) return true;
    for (let i = 1; i < several.length; i++) {
      const inOrder =
        column === "ordinals"
          ? this.#compareTerms(several[i - 1], several[i]) < 0
          : column === "double"
            ? this.double(field, i - 1) <= this.double(field, i)
            : this.long(field, i - 1) <= this.long(field, i);
      if (!inOrder) return false;
    }
    return true;
  }

  #gather(field: number): void {
    const { u32 } = this.#storage.arena;
    const head = (field << 8) | recordKind(this.#fields[field]);
    this.#several.length = 0;
    this.#severalOf = field;
    for (let at = u32[this.#noted(field) + 1]; at < this.#end; at += u32[(at + 4) >>> 2]) {
      if (u32[at >>> 2] === head >>> 0) this.#several.push(at);
    }
  }

  #compareTerms(a: number, b: number): number {
    const { u8, u32 } = this.#storage.arena;
    const [from, to] = [a + RECORD_HEADER_BYTES + 4, b + RECORD_HEADER_BYTES + 4];
    const [length, other] = [u32[(from - 4) >>> 2], u32[(to - 4) >>> 2]];
    for (let i = 0; i < Math.min(length, other); i++) if (u8[from + i] !== u8[to + i]) return u8[from + i] - u8[to + i];
    return length - other;
  }
}

/** The kind of record that a field's values come in. */
function recordKind({ column, trigrams }: Field): number {
  if (trigrams) return RecordKind.text;
  if (column === "ordinals") return RecordKind.term;
  return column === "double" ? RecordKind.double : RecordKind.long;
}
