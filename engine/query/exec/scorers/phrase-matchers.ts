/**
 * How often a phrase occurs in a document, from the positions of its terms. Exact: Lucene `ExactPhraseMatcher`; with slop:
 * `SloppyPhraseMatcher`, whose result depends on the order in which it tries positions, so the order is the same here.
 */
import { NO_MORE_DOCS, type PostingsIterator } from "../../../segment/types.js";

/** One place of a phrase: the terms that may stand there, their positions in the current document less the place's offset. */
export class PhrasePlace {
  readonly cost: number;
  doc = -1;
  /** Current position less the offset; used by the sloppy matcher. */
  position = 0;
  count = 0;
  positions = new Int32Array(16);
  #at = 0;
  #raw = new Uint32Array(16);
  readonly #postings: readonly PostingsIterator[];

  constructor(
    readonly offset: number,
    postings: readonly PostingsIterator[],
    readonly group: number,
  ) {
    this.#postings = postings;
    this.cost = postings.reduce((sum, one) => sum + one.docFreq, 0);
  }

  advance(target: number): number {
    let first = NO_MORE_DOCS;
    for (const one of this.#postings) {
      if (one.doc < target) one.advance(target);
      if (one.doc < first) first = one.doc;
    }
    this.doc = first;
    return first;
  }

  /** Occurrences of the place's terms in the current document. */
  freq(): number {
    let freq = 0;
    for (const one of this.#postings) if (one.doc === this.doc) freq += one.freq();
    return freq;
  }

  /** Reads the positions in the current document, ascending. */
  load(): void {
    let count = 0;
    let sources = 0;
    for (const one of this.#postings) {
      if (one.doc !== this.doc) continue;
      const freq = one.freq();
      this.#grow(count + freq);
      one.positions(this.#raw);
      for (let i = 0; i < freq; i++) this.positions[count + i] = this.#raw[i] - this.offset;
      count += freq;
      sources++;
    }
    this.count = count;
    if (sources > 1) this.positions.subarray(0, count).sort();
  }

  #grow(size: number): void {
    if (size > this.positions.length) {
      const larger = new Int32Array(size * 2);
      larger.set(this.positions);
      this.positions = larger;
      this.#raw = new Uint32Array(size * 2);
    }
  }

  /** Goes to the first position. */
  first(): void {
    this.#at = 0;
    this.position = this.positions[0];
  }

  /** Goes to the next position; false at the end. */
  nextPosition(): boolean {
    if (++this.#at >= this.count) return false;
    this.position = this.positions[this.#at];
    return true;
  }
}

/** Number of positions at which every place agrees. */
export function exactFrequency(places: readonly PhrasePlace[]): number {
  places[0].load();
  const starts = places[0].positions;
  let count = places[0].count;
  for (let p = 1; p < places.length && count > 0; p++) {
    const place = places[p];
    place.load();
    count = keepCommon(starts, count, place);
  }
  return count;
}

/** Keeps, in place, those of the first `count` starts that `place` has too; returns how many. */
function keepCommon(starts: Int32Array, count: number, place: PhrasePlace): number {
  const others = place.positions;
  let kept = 0;
  let i = 0;
  let j = 0;
  while (i < count && j < place.count) {
    if (starts[i] === others[j]) {
      starts[kept++] = starts[i++];
      j++;
    } else if (starts[i] < others[j]) i++;
    else j++;
  }
  return kept;
}

/** Sum over matches of 1 / (1 + length), float32, where length <= slop is how far the places lie apart. */
export function sloppyFrequency(places: readonly PhrasePlace[], slop: number): number {
  const match = new SloppyMatch(places);
  let freq = 0;
  for (let length = match.next(slop); length >= 0; length = match.next(slop)) {
    freq = Math.fround(freq + Math.fround(1 / (1 + length)));
  }
  return freq;
}

/** The matches of one document, in Lucene's order. */
class SloppyMatch {
  /** Sorted by position, then offset: the least first. Phrases are short, so a sorted array serves as queue. */
  readonly #queue: PhrasePlace[] = [];
  readonly #groups = new Map<number, PhrasePlace[]>();
  #end = Number.NEGATIVE_INFINITY;
  #positioned: boolean;

  constructor(places: readonly PhrasePlace[]) {
    for (const place of places) {
      place.load();
      place.first();
      if (place.group >= 0) this.#groups.set(place.group, [...(this.#groups.get(place.group) ?? []), place]);
    }
    this.#positioned = this.#spreadGroups();
    for (const place of places) {
      this.#end = Math.max(this.#end, place.position);
      this.#add(place);
    }
  }

  /** Repeated terms start at different occurrences: the j-th of a group at the j-th. */
  #spreadGroups(): boolean {
    for (const group of this.#groups.values()) {
      for (let j = 1; j < group.length; j++) {
        for (let k = 0; k < j; k++) if (!group[j].nextPosition()) return false;
      }
    }
    return true;
  }

  /** Length of the next match that is not longer than `slop`; -1: no more. */
  next(slop: number): number {
    if (!this.#positioned) return -1;
    let place = this.#queue.shift() as PhrasePlace;
    let length = this.#end - place.position;
    let following = this.#queue[0].position;
    while (this.#advance(place)) {
      if (place.group >= 0 && !this.#resolveCollisions(place)) break;
      if (place.position > following) {
        this.#add(place);
        if (length <= slop) return length;
        place = this.#queue.shift() as PhrasePlace;
        following = this.#queue[0].position;
        length = this.#end - place.position;
      } else {
        length = Math.min(length, this.#end - place.position);
      }
    }
    this.#positioned = false;
    return length <= slop ? length : -1;
  }

  #advance(place: PhrasePlace): boolean {
    if (!place.nextPosition()) return false;
    this.#end = Math.max(this.#end, place.position);
    return true;
  }

  /** While two places of a group stand on the same occurrence, the lesser moves on. False: one is exhausted. */
  #resolveCollisions(moved: PhrasePlace): boolean {
    const group = this.#groups.get(moved.group) as PhrasePlace[];
    let place = moved;
    let changed = false;
    for (let other = collision(group, place); other !== undefined; other = collision(group, place)) {
      place = before(other, place) ? other : place;
      if (!this.#advance(place)) return false;
      changed ||= place !== moved;
    }
    // Others of the group stand in the queue: put them where they now belong.
    if (changed) this.#queue.sort((a, b) => (before(a, b) ? -1 : 1));
    return true;
  }

  #add(place: PhrasePlace): void {
    let at = 0;
    while (at < this.#queue.length && before(this.#queue[at], place)) at++;
    this.#queue.splice(at, 0, place);
  }
}

function before(a: PhrasePlace, b: PhrasePlace): boolean {
  return a.position !== b.position ? a.position < b.position : a.offset < b.offset;
}

function collision(group: readonly PhrasePlace[], place: PhrasePlace): PhrasePlace | undefined {
  const occurrence = place.position + place.offset;
  return group.find((other) => other !== place && other.position + other.offset === occurrence);
}
