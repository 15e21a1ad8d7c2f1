/** Whole numbers beyond 2^53 as keys, which doubles would run together. */
import type { Field } from "../mapping/field-table.js";
import type { Charge } from "../memory/index.js";
import { hasBit } from "../query/exec/bits.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import { columnOf } from "../query/exec/uninverted.js";
import type { LongColumn } from "../segment/types.js";
import { longRow } from "../sort/index.js";
import type { Batch } from "./aggregator.js";
import type { BatchValues } from "./column-values.js";
import { docAt } from "./sub-batch.js";
import type { ValueSource } from "./value-source.js";

/** Whether a field has values that numbers cannot hold. */
export function hasUnsafe(contexts: readonly ReaderContext[], source: ValueSource): boolean {
  return contexts.some((context) => {
    const field = source.of(context);
    if (field === undefined) return false;
    return context.leaves.some((leaf) => {
      const column = columnOf(leaf, field);
      return column?.kind === "long" && !column.safe;
    });
  });
}

/** A big integer, as key and in the list. */
const KEY_BYTES = 100;

/** Numbers exact values in the order in which they are first seen. */
export class ExactKeys {
  readonly values: bigint[] = [];
  readonly #ids = new Map<bigint, number>();
  #ranks: number[] = [];

  constructor(private readonly charge: Charge) {}

  /** Reader of the keys of a leaf's documents, each once per document; `missing` stands for no value. */
  reader(
    leaf: LeafContext,
    field: Field | undefined,
    missing: bigint | null,
  ): (batch: Batch) => BatchValues<Uint32Array> {
    const column = field === undefined ? null : columnOf(leaf, field);
    const long = column?.kind === "long" ? column : null;
    const instead = missing === null ? [] : [missing];
    return (batch) => {
      const keys: number[] = [];
      const index: number[] = [];
      for (let i = 0; i < batch.count; i++) {
        const own = long === null ? [] : valuesOf(long, docAt(batch, i));
        for (const key of new Set((own.length === 0 ? instead : own).map((value) => this.#id(value)))) {
          keys.push(key);
          index.push(i);
        }
      }
      return { values: Uint32Array.from(keys), index: Uint32Array.from(index), count: keys.length };
    };
  }

  /** Place of a key among all keys seen, ascending. */
  rank(key: number): number {
    if (this.#ranks.length !== this.values.length) {
      const order = this.values.map((_, id) => id).sort((a, b) => (this.values[a] < this.values[b] ? -1 : 1));
      this.#ranks = new Array<number>(order.length);
      order.forEach((id, rank) => {
        this.#ranks[id] = rank;
      });
    }
    return this.#ranks[key];
  }

  #id(value: bigint): number {
    let id = this.#ids.get(value);
    if (id === undefined) {
      this.charge(KEY_BYTES);
      id = this.values.push(value) - 1;
      this.#ids.set(value, id);
    }
    return id;
  }
}

function valuesOf(column: LongColumn, doc: number): bigint[] {
  const { presence, offsets } = column;
  if (presence.bits !== null && !hasBit(presence.bits, doc)) return [];
  const from = offsets === null ? doc : offsets[doc];
  const to = offsets === null ? doc + 1 : offsets[doc + 1];
  return Array.from({ length: to - from }, (_, i) => longRow(column, from + i));
}
