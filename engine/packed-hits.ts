/**
 * Hits on their way from a worker, when they show little beside lines: their numbers in one array and their ids in one string.
 * As objects a large page took longer to be copied than to be found.
 */
import type { FieldLines, LinePack } from "./packed-lines.js";
import type { Hit } from "./search.js";

/** For each hit in `numbers`: see NUMBERS_OF_A_HIT, then NUMBERS_OF_A_FIELD for each field of lines. `_source` is not among it. */
export interface PackedHits {
  readonly numbers: Float64Array;
  /** All ids, one after the other. */
  readonly ids: string;
  readonly indices: readonly string[];
  readonly fields: readonly string[];
  readonly packs: readonly LinePack[];
}

/** Place of the index, UTF-16 units of the id, score (NaN: none), sequence number, term, version, its one sort value (NaN: none), 1: its source is cut, fields of lines (-1: no lines). */
const NUMBERS_OF_A_HIT = 9;
/** Place of the field's name, total, count, at, textAt, place of the pack. */
const NUMBERS_OF_A_FIELD = 6;

/** Members that are packed, or travel apart. */
const PACKED: ReadonlySet<string> = new Set([
  "index",
  "id",
  "score",
  "seqNo",
  "primaryTerm",
  "version",
  "sort",
  "matchingLines",
  "source",
  "sourceIsCut",
]);

/** Packs hits; null: one of them has something else to show. */
export function packHits(hits: readonly Hit[]): PackedHits | null {
  const indices = new Places<string>();
  const fields = new Places<string>();
  const packs = new Places<LinePack>();
  const numbers: number[] = [];
  const ids: string[] = [];
  for (const hit of hits) {
    for (const member in hit) if (!PACKED.has(member)) return null;
    const sort = sortNumber(hit);
    if (sort === null) return null;
    const lines = hit.matchingLines === undefined ? null : Object.entries(hit.matchingLines);
    ids.push(hit.id);
    numbers.push(indices.of(hit.index), hit.id.length, hit.score ?? Number.NaN);
    numbers.push(hit.seqNo, hit.primaryTerm, hit.version, sort);
    numbers.push(hit.sourceIsCut === true ? 1 : 0, lines === null ? -1 : lines.length);
    if (lines === null) continue;
    for (const [name, { total, count, at, textAt, pack }] of lines) {
      numbers.push(fields.of(name), total, count, at, textAt, packs.of(pack));
    }
  }
  return {
    numbers: Float64Array.from(numbers),
    ids: ids.join(""),
    indices: indices.all,
    fields: fields.all,
    packs: packs.all,
  };
}

/** The number that a hit is sorted by, as by `_doc`; NaN: there is none; null: it is something else. */
function sortNumber({ sort }: Hit): number | null {
  if (sort === undefined) return Number.NaN;
  const [value] = sort;
  return sort.length === 1 && typeof value === "number" && !Number.isNaN(value) ? value : null;
}

const NO_BYTES = new Uint8Array(0);

/** The same hits; those that are to have a source, by `sourceLengths` (-1: none), have an empty one where it belongs among their members. */
export function unpackHits(
  { numbers, ids, indices, fields, packs }: PackedHits,
  sourceLengths: Int32Array | null = null,
): Hit[] {
  const hits: Hit[] = [];
  let idAt = 0;
  for (let at = 0; at < numbers.length; ) {
    const score = numbers[at + 2];
    const idEnd = idAt + numbers[at + 1];
    const hit: Hit = {
      index: indices[numbers[at]],
      id: ids.slice(idAt, idEnd),
      score: Number.isNaN(score) ? null : score,
      seqNo: numbers[at + 3],
      primaryTerm: numbers[at + 4],
      version: numbers[at + 5],
    };
    if (sourceLengths !== null && sourceLengths[hits.length] >= 0) hit.source = NO_BYTES;
    if (numbers[at + 7] === 1) hit.sourceIsCut = true;
    if (!Number.isNaN(numbers[at + 6])) hit.sort = [numbers[at + 6]];
    const count = numbers[at + 8];
    at += NUMBERS_OF_A_HIT;
    idAt = idEnd;
    if (count >= 0) {
      const lines: Record<string, FieldLines> = {};
      for (let field = 0; field < count; field++, at += NUMBERS_OF_A_FIELD) {
        lines[fields[numbers[at]]] = {
          total: numbers[at + 1],
          count: numbers[at + 2],
          at: numbers[at + 3],
          textAt: numbers[at + 4],
          pack: packs[numbers[at + 5]],
        };
      }
      hit.matchingLines = lines;
    }
    hits.push(hit);
  }
  return hits;
}

/** Different things, and the place of each; many that follow each other are the same. */
class Places<T> {
  readonly all: T[] = [];
  readonly #places = new Map<T, number>();
  #last: T | undefined;
  #lastPlace = -1;

  of(thing: T): number {
    if (thing === this.#last && this.#lastPlace >= 0) return this.#lastPlace;
    let place = this.#places.get(thing);
    if (place === undefined) {
      place = this.all.push(thing) - 1;
      this.#places.set(thing, place);
    }
    this.#last = thing;
    this.#lastPlace = place;
    return place;
  }
}
