import { isIP } from "node:net";

/** What a field's texts are, beside their type. */
export type Entity =
  | "email"
  | "url"
  | "uuid"
  | "ip"
  | "mac"
  | "phone"
  | "version"
  | "hash"
  | "currency"
  | "latitude"
  | "longitude";

interface EntityRow {
  entity: Entity;
  longest: number;
  test(text: string): boolean;
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** Patterns are anchored and read a text once. */
const ROWS: readonly EntityRow[] = [
  { entity: "ip", longest: 45, test: (text) => text.length >= 2 && isIP(text) !== 0 },
  { entity: "uuid", longest: 38, test: matches(/^\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?$/i) },
  { entity: "email", longest: 254, test: matches(/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d-]+(\.[a-z\d-]+)+$/i) },
  { entity: "url", longest: 4096, test: matches(/^(https?|ftps?|s3|git|ssh|file):\/\/\S+$/i) },
  { entity: "mac", longest: 17, test: matches(/^([\da-f]{2}[:-]){5}[\da-f]{2}$/i) },
  { entity: "hash", longest: 128, test: matches(/^([\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{128})$/i) },
  { entity: "version", longest: 64, test: matches(/^v?\d+\.\d+\.\d+(\.\d+)?([-+.][\w.+-]+)?$/i) },
  {
    entity: "currency",
    longest: 32,
    test: matches(/^([$€£¥₹]|(USD|EUR|GBP|CHF|JPY) )\s?-?\d[\d.,]*$|^-?\d[\d.,]*\s?([$€£¥₹]|(USD|EUR|GBP|CHF|JPY))$/),
  },
  { entity: "phone", longest: 24, test: matches(/^(\+|00)\d{1,3}[\d ()/.-]{5,18}\d$|^\(\d{3}\) ?\d{3}-\d{4}$/) },
];

/** Of the values: that many must be of the kind, and at least so many of them. */
const SHARE = 0.95;
const MIN_VALUES = 3;
/** After so many values a kind that fits less than half of them is given up. */
const PATIENCE = 16;

/** Finds out what the texts of a field are, value by value. */
export class EntityFinder {
  #rows = ROWS.map((row) => ({ row, hits: 0 }));
  #count = 0;

  add(text: string): void {
    if (this.#rows.length === 0) return;
    this.#count++;
    for (const each of this.#rows) if (text.length <= each.row.longest && each.row.test(text)) each.hits++;
    if (this.#count % PATIENCE === 0) this.#rows = this.#rows.filter(({ hits }) => hits * 2 >= this.#count);
  }

  /** The kind that nearly all values are of, with whether all are. */
  found(): { entity: Entity; isWhole: boolean } | undefined {
    if (this.#count < MIN_VALUES) return undefined;
    const best = this.#rows.find(({ hits }) => hits >= this.#count * SHARE);
    return best && { entity: best.row.entity, isWhole: best.hits === this.#count };
  }
}

/** Latitude and longitude are told by name and range. */
export function coordinateOf(name: string, min: number, max: number): Entity | undefined {
  const last = name.split(/[._-]/).at(-1)!.toLowerCase();
  if (["lat", "latitude"].includes(last) && min >= -90 && max <= 90) return "latitude";
  if (["lon", "lng", "long", "longitude"].includes(last) && min >= -180 && max <= 180) return "longitude";
  return undefined;
}
