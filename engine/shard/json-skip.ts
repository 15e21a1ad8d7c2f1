import type { EngineError } from "../errors.js";
import { StringFlags, stringText } from "./json-strings.js";
import {
  checkDepth,
  type JsonWalk,
  malformed,
  nextElement,
  nextKey,
  openArray,
  openObject,
  readColon,
  readLiteral,
  readNumber,
  readString,
  valueStart,
} from "./json-walk.js";

/** Values that nobody wants, and keys that must not come twice. */
const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Moves over any value, checking all of it; `depth` is that of the value. Duplicate keys are refused. */
export function skipValue(walk: JsonWalk, depth: number): void {
  switch (valueStart(walk)) {
    case QUOTE:
      readString(walk);
      return;
    case OPEN_OBJECT:
      skipObject(walk, depth + 1);
      return;
    case OPEN_ARRAY:
      checkDepth(walk, depth + 1);
      for (let more = openArray(walk); more; more = nextElement(walk)) skipValue(walk, depth + 1);
      return;
    case 0x74:
    case 0x66:
    case 0x6e:
      readLiteral(walk);
      return;
    default:
      readNumber(walk);
  }
}

function skipObject(walk: JsonWalk, depth: number): void {
  checkDepth(walk, depth);
  const keys = new KeySet();
  for (let more = openObject(walk); more; more = nextKey(walk)) {
    readString(walk);
    keys.add(walk);
    readColon(walk);
    skipValue(walk, depth);
  }
}

/** Keys seen in one object; small objects compare bytes, larger ones keep a set. */
export class KeySet {
  #places: number[] = [];
  #texts: Set<string> | undefined;

  /** Remembers the string just read as a key; throws when it was there before. */
  add(walk: JsonWalk): void {
    const { stringStart, stringEnd, stringFlags } = walk;
    if (this.#texts === undefined && ((stringFlags & StringFlags.escapes) !== 0 || this.#places.length >= 16)) {
      this.#texts = new Set();
      for (let i = 0; i < this.#places.length; i += 2) {
        this.#texts.add(stringText(walk.bytes, this.#places[i], this.#places[i + 1], 0));
      }
    }
    if (this.#texts !== undefined) {
      const text = stringText(walk.bytes, stringStart, stringEnd, stringFlags);
      if (this.#texts.has(text)) throw duplicateKey(walk, text);
      this.#texts.add(text);
      return;
    }
    for (let i = 0; i < this.#places.length; i += 2) {
      if (!sameBytes(walk.bytes, this.#places[i], this.#places[i + 1], stringStart, stringEnd)) continue;
      throw duplicateKey(walk, stringText(walk.bytes, stringStart, stringEnd, 0));
    }
    this.#places.push(stringStart, stringEnd);
  }
}

function sameBytes(bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let i = 0; i < end - start; i++) if (bytes[start + i] !== bytes[otherStart + i]) return false;
  return true;
}

/** The error of a key that an object has twice; the key is the string just read. */
export function duplicateKey(walk: JsonWalk, key: string): EngineError {
  return malformed(walk, `Duplicate field '${key}'`, walk.stringStart - 1);
}
