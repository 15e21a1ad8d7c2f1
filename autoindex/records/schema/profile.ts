import { DateReader, type Moment, readSlashed, slashedMillis } from "./dates.js";
import { EntityFinder } from "./entities.js";
import { DistinctSketch } from "./sketch.js";

/** Examples kept of a field, and characters of each. */
const EXAMPLES = 3;
const EXAMPLE_CHARS = 80;
/** Spellings of dates that one field may mix. */
const MAX_FORMATS = 8;
/** Values whose words are counted: beyond, one in sixteen. */
const WORDS_COUNTED = 4096;

/** Everything that is found out about a field's numbers. */
export class NumberFacts {
  count = 0;
  fractions = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  isSorted = true;
  #last = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    this.count++;
    // Beyond 2^63 no `long` holds it.
    if (!Number.isInteger(value) || Math.abs(value) >= 9.2e18) this.fractions++;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    if (value < this.#last) this.isSorted = false;
    this.#last = value;
  }
}

/** What is found out about a field's texts as dates, until one of them is none. */
export class DateFacts {
  readonly formats = new Set<string>();
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  isAlive = true;
  readonly #reader = new DateReader();
  /** Dates whose order of day and month is open: the largest number at either place, and the texts' extremes. */
  #slashed = { first: 0, second: 0, times: new Set<string>(), texts: new Set<string>() };
  #hasOther = false;

  add(text: string): void {
    if (!this.isAlive) return;
    const moment = this.#reader.read(text);
    if (moment) this.#take(moment);
    else this.#takeSlashed(text);
  }

  /** Elasticsearch's format for all the values, nothing when they are no dates or could be read in two ways. */
  settle(): { format: string; min: number; max: number } | undefined {
    if (!this.isAlive || this.#hasOther === this.#slashed.first > 0) return undefined;
    if (this.#hasOther) return { format: [...this.formats].sort().join("||"), min: this.min, max: this.max };
    const { first, second, times, texts } = this.#slashed;
    if (first > 12 === second > 12) return undefined;
    const order = first > 12 ? "day first" : "month first";
    const date = order === "day first" ? "dd/MM/yyyy" : "MM/dd/yyyy";
    const millis = [...texts].map((text) => slashedMillis(text, order));
    if (millis.includes(undefined)) return undefined;
    const sorted = (millis as number[]).sort((a, b) => a - b);
    return {
      format: [...times]
        .sort()
        .map((time) => date + time)
        .join("||"),
      min: sorted[0]!,
      max: sorted.at(-1)!,
    };
  }

  /** Whether all are dates of which nothing tells if the day or the month comes first. */
  get isAmbiguous(): boolean {
    const { first, second } = this.#slashed;
    return this.isAlive && !this.#hasOther && first > 0 && first <= 12 && second <= 12;
  }

  #take({ format, millis }: Moment): void {
    this.#hasOther = true;
    this.formats.add(format);
    if (this.formats.size > MAX_FORMATS) this.isAlive = false;
    if (millis < this.min) this.min = millis;
    if (millis > this.max) this.max = millis;
  }

  #takeSlashed(text: string): void {
    const date = readSlashed(text);
    if (!date) {
      this.isAlive = false;
      return;
    }
    const slashed = this.#slashed;
    slashed.first = Math.max(slashed.first, date.first);
    slashed.second = Math.max(slashed.second, date.second);
    slashed.times.add(date.time);
    slashed.texts.add(text);
    // Different texts of one field are bounded: a range of 270 years has 100,000 days.
    if (slashed.texts.size > 100_000) this.isAlive = false;
  }
}

/** What is found out about a field's texts. */
export class TextFacts {
  count = 0;
  longest = 0;
  chars = 0;
  #words = 0;
  #counted = 0;
  readonly dates = new DateFacts();
  readonly entities = new EntityFinder();
  min: string | undefined;
  max: string | undefined;

  add(text: string): void {
    this.count++;
    this.chars += text.length;
    if (text.length > this.longest) this.longest = text.length;
    if (this.dates.isAlive) this.dates.add(text);
    this.entities.add(text);
    if (this.count <= WORDS_COUNTED || this.count % 16 === 0) {
      this.#counted++;
      this.#words += wordsOf(text);
    }
  }

  get meanLength(): number {
    return this.count === 0 ? 0 : this.chars / this.count;
  }

  get meanWords(): number {
    return this.#counted === 0 ? 0 : this.#words / this.#counted;
  }
}

/** All that is known of one field. */
export class FieldProfile {
  count = 0;
  booleans = 0;
  objects = 0;
  /** Numbers that JSON has no word for: infinite ones, and what is called a number without being one (NaN). */
  unprintable = 0;
  /** An object that lies too deep to be searched. */
  isClosed = false;
  numbers: NumberFacts | undefined;
  texts: TextFacts | undefined;
  readonly distinct = new DistinctSketch();
  readonly examples: string[] = [];

  /** A value that is neither null nor an object. */
  add(value: unknown): void {
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.unprintable++;
      return;
    }
    this.count++;
    if (typeof value === "string") {
      this.texts ??= new TextFacts();
      this.texts.add(value);
      this.#remember(value);
    } else if (typeof value === "number") {
      this.numbers ??= new NumberFacts();
      this.numbers.add(value);
      this.#remember(String(value));
    } else {
      this.booleans++;
      this.#remember(String(value));
    }
  }

  #remember(text: string): void {
    this.distinct.add(text);
    if (this.examples.length < EXAMPLES && text !== "") {
      const example = text.length > EXAMPLE_CHARS ? `${text.slice(0, EXAMPLE_CHARS)}…` : text;
      if (!this.examples.includes(example)) this.examples.push(example);
    }
  }
}

/** Runs of characters between blanks. */
function wordsOf(text: string): number {
  let words = 0;
  let isInside = false;
  const length = Math.min(text.length, 1000);
  for (let at = 0; at < length; at++) {
    const isBlank = text.charCodeAt(at) <= 32;
    if (!isBlank && !isInside) words++;
    isInside = !isBlank;
  }
  return text.length > length ? (words * text.length) / length : words;
}
