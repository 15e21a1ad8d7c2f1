/**
 * How often a phrase occurs in a document, from the positions of its terms. Exact: Lucene `ExactPhraseMatcher`; with slop:
 * `SloppyPhraseMatcher`, whose result depends on the order in which it tries positions, so the order is the same here.
 */
import { NO_MORE_DOCS, type PostingsIterator } from "../../../segment/types.js";

/** The terms that may stand at places of a phrase, in one leaf. Places with the same terms share them. */
export class PhraseTerms {
  readonly cost: number;
  doc = -1;
  /** Positions in the document last loaded, ascending. */
  positions = new Int32Array(16);
  count = 0;
  #loaded = -1;
  #raw = new Uint32Array(16);
  readonly #postings: readonly PostingsIterator[];

  constructor(postings: readonly PostingsIterator[]) {
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

  /** Occurrences in the current document. */
  freq(): number {
    let freq = 0;
    for (const one of this.#postings) if (one.doc === this.doc) freq += one.freq();
    return freq;
  }

  /** Reads the positions in the current document, once. */
  load(): void {
    if (this.#loaded === this.doc) return;
    this.#loaded = this.doc;
    let count = 0;
    let sources = 0;
    for (const one of this.#postings) {
      if (one.doc !== this.doc) continue;
      const freq = one.freq();
      this.#grow(count + freq);
      one.positions(this.#raw);
      for (let i = 0; i < freq; i++) this.positions[count + i] = this.#raw[i];
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
}

/** One place of a phrase, and where the sloppy matcher stands with it in the current document. */
export class PhrasePlace {
  /** Current position less the offset. */
  position = 0;
  #at = 0;

  constructor(
    readonly offset: number,
    readonly terms: PhraseTerms,
    readonly group: number,
  ) {}

  /** Where the current occurrence stands in the document. */
  get occurrence(): number {
    return this.position + this.offset;
  }

  /** Goes to a position by its number; false when there are not so many. */
  goTo(at: number): boolean {
    this.#at = at;
    if (at >= this.terms.count) return false;
    this.position = this.terms.positions[at] - this.offset;
    return true;
  }

  /** Goes to the next position; false at the end. */
  nextPosition(): boolean {
    return this.goTo(this.#at + 1);
  }
}

let starts = new Int32Array(64);

/** Number of positions at which every place agrees. */
export function exactFrequency(places: readonly PhrasePlace[]): number {
  const [first] = places;
  first.terms.load();
  let count = first.terms.count;
  if (count > starts.length) starts = new Int32Array(count * 2);
  for (let i = 0; i < count; i++) starts[i] = first.terms.positions[i] - first.offset;
  for (let p = 1; p < places.length && count > 0; p++) {
    const place = places[p];
    place.terms.load();
    count = keepCommon(starts, count, place);
  }
  return count;
}

/** Keeps, in place, those of the first `count` starts that `place` has too; returns how many. */
function keepCommon(into: Int32Array, count: number, { terms, offset }: PhrasePlace): number {
  const others = terms.positions;
  let kept = 0;
  let i = 0;
  let j = 0;
  while (i < count && j < terms.count) {
    const other = others[j] - offset;
    if (into[i] === other) {
      into[kept++] = into[i++];
      j++;
    } else if (into[i] < other) i++;
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
  /** Sorted by position, then offset: the least first. */
  readonly #queue: PhrasePlace[] = [];
  /** By group: which of its places stands on an occurrence. No two do, but while collisions are resolved. */
  readonly #standing = new Map<number, Map<number, PhrasePlace>>();
  #end = Number.NEGATIVE_INFINITY;
  #positioned: boolean;

  constructor(places: readonly PhrasePlace[]) {
    this.#positioned = this.#spread(places);
    for (const place of places) this.#end = Math.max(this.#end, place.position);
    this.#queue.push(...places);
    this.#queue.sort(comparePlaces);
  }

  /** Repeated terms start at different occurrences: the j-th of a group at the j-th. */
  #spread(places: readonly PhrasePlace[]): boolean {
    for (const place of places) {
      place.terms.load();
      const standing = this.#groupOf(place);
      if (!place.goTo(standing?.size ?? 0)) return false;
      standing?.set(place.occurrence, place);
    }
    return true;
  }

  #groupOf({ group }: PhrasePlace): Map<number, PhrasePlace> | undefined {
    if (group < 0) return undefined;
    let standing = this.#standing.get(group);
    if (standing === undefined) {
      standing = new Map();
      this.#standing.set(group, standing);
    }
    return standing;
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
    const standing = this.#groupOf(place);
    if (standing?.get(place.occurrence) === place) standing.delete(place.occurrence);
    if (!place.nextPosition()) return false;
    this.#end = Math.max(this.#end, place.position);
    return true;
  }

  /** While two places of a group stand on the same occurrence, the lesser moves on. False: one is exhausted. */
  #resolveCollisions(moved: PhrasePlace): boolean {
    const standing = this.#groupOf(moved) as Map<number, PhrasePlace>;
    let place = moved;
    let changed = false;
    for (let other = standing.get(place.occurrence); other !== undefined; other = standing.get(place.occurrence)) {
      if (before(other, place)) {
        standing.set(place.occurrence, place);
        place = other;
      }
      if (!this.#advance(place)) return false;
      changed ||= place !== moved;
    }
    standing.set(place.occurrence, place);
    // Others of the group stand in the queue: put them where they now belong.
    if (changed) this.#queue.sort(comparePlaces);
    return true;
  }

  #add(place: PhrasePlace): void {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(this.#queue[middle], place)) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, place);
  }
}

function before(a: PhrasePlace, b: PhrasePlace): boolean {
  return comparePlaces(a, b) < 0;
}

function comparePlaces(a: PhrasePlace, b: PhrasePlace): number {
  return a.position - b.position || a.offset - b.offset;
}
