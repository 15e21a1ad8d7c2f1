/**
 * Finds matches with their groups by trying one way after the other, never the same choice at the same place twice: what
 * failed once fails always (RE2's BitState). Time and bits are bounded by the number of choices times the length of the
 * text, whatever the pattern.
 */
import { EngineError } from "../errors.js";
import { characterBefore, lookHoldsIn } from "./capture-looks.js";
import { type Around, type CaptureProgram, type CharacterSet, OP } from "./capture-program.js";
import { hasCodePoint } from "./ranges.js";

const ASCII = 128;
/** UTF-16 units that a pattern of bounded width can come to, one more for the place behind. */
const MAX_UNITS = 512;
/** Choices times places of a text that are kept: 64 MiB of bits. */
const MAX_BITS = 2 ** 29;

/** Where a match and its groups begin and end, in UTF-16 units: 2n and 2n + 1 of group n, -1 where it took no part. */
export type Places = Int32Array;

/** One text that is searched by one program; what is known to fail is kept from match to match. */
export class CaptureScan {
  readonly #program: CaptureProgram;
  readonly #text: string;
  readonly #slots: number;
  readonly #tried: Uint32Array;
  readonly #stack: number[] = [];
  readonly #inner: Map<Around, CaptureScan> = new Map();

  constructor(program: CaptureProgram, text: string, slots: number) {
    const bits = program.splitCount * (text.length + 1);
    if (bits > MAX_BITS) {
      const message = `a text of ${text.length} characters is too long for a pattern of ${program.splitCount} choices`;
      throw new EngineError("invalid_value", message, { length: text.length, choices: program.splitCount });
    }
    this.#program = program;
    this.#text = text;
    this.#slots = slots;
    this.#tried = new Uint32Array((bits >>> 5) + 1);
  }

  /** The leftmost match from a place on; null when there is none. Places must not go back from call to call. */
  next(from: number): Places | null {
    const places = new Int32Array(this.#slots).fill(-1);
    const { first } = this.#program;
    const text = this.#text;
    for (let at = from; at <= text.length; at++) {
      if (first !== null && (at === text.length || !mayBegin(first, text.charCodeAt(at)))) continue;
      if (this.#run(at, places, -1)) {
        places[0] = at;
        this.#forget(places[1]);
        return places;
      }
      // No match begins inside of a character.
      if (isHighHalf(text.charCodeAt(at)) && isLowHalf(text.charCodeAt(at + 1))) at++;
    }
    return null;
  }

  /** Whether a match of bounded width begins at a place, and ends at `end` unless that is -1. */
  matchesAt(at: number, end: number): boolean {
    const { splitCount } = this.#program;
    this.#tried.fill(0, (at * splitCount) >>> 5, (((at + MAX_UNITS) * splitCount) >>> 5) + 1);
    return this.#run(at, new Int32Array(Math.max(2, this.#slots)), end);
  }

  /** The way to a match ended here without failing. */
  #forget(at: number): void {
    const { splitCount } = this.#program;
    for (let bit = at * splitCount; bit < (at + 1) * splitCount; bit++) this.#tried[bit >>> 5] &= ~(1 << (bit & 31));
  }

  /** Tries all ways from a place, the preferred first; fills `places` (but for 0) of the first that matches. */
  #run(start: number, places: Places, end: number): boolean {
    const { ops, args, next, splits, splitCount, sets, texts } = this.#program;
    const text = this.#text;
    const stack = this.#stack;
    stack.length = 0;
    stack.push(this.#program.start, start);
    while (stack.length > 0) {
      let at = stack.pop() as number;
      let step = stack.pop() as number;
      if (step < 0) {
        places[~step] = at;
        continue;
      }
      way: for (;;) {
        switch (ops[step]) {
          case OP.set: {
            const read = readCharacter(sets[args[step]], text, at);
            if (read < 0) break way;
            at = read;
            break;
          }
          case OP.text: {
            const wanted = texts[args[step]];
            if (!text.startsWith(wanted, at)) break way;
            at += wanted.length;
            break;
          }
          case OP.split: {
            const bit = at * splitCount + splits[step];
            const mask = 1 << (bit & 31);
            if ((this.#tried[bit >>> 5] & mask) !== 0) break way;
            this.#tried[bit >>> 5] |= mask;
            stack.push(args[step], at);
            break;
          }
          case OP.run:
            at = endOfRun(sets[args[step]], text, at);
            break;
          case OP.save: {
            const slot = args[step];
            // What was noted there comes back when this way fails.
            stack.push(~slot, places[slot]);
            places[slot] = at;
            break;
          }
          case OP.match:
            if (end >= 0 && at !== end) break way;
            places[1] = at;
            return true;
          default:
            if (!this.#holds(step, at)) break way;
        }
        step = next[step];
      }
    }
    return false;
  }

  #holds(step: number, at: number): boolean {
    const { ops, args, looks, arounds } = this.#program;
    if (ops[step] === OP.look) return lookHoldsIn(looks[args[step]], this.#text, at);
    const around = arounds[args[step]];
    let inner = this.#inner.get(around);
    if (inner === undefined) {
      inner = new CaptureScan(around.program, this.#text, 2);
      this.#inner.set(around, inner);
    }
    return (
      (around.where === "ahead" ? inner.matchesAt(at, -1) : endsHere(inner, around, this.#text, at)) === around.wanted
    );
  }
}

/** Whether the pattern matches a piece of text that ends here. */
function endsHere(scan: CaptureScan, { min, max }: Around, text: string, at: number): boolean {
  let from = at;
  for (let width = 0; width <= max && from >= 0; width++) {
    if (width >= min && scan.matchesAt(from, at)) return true;
    if (from === 0) return false;
    from -= characterBefore(text, from) > 0xffff ? 2 : 1;
  }
  return false;
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Of characters beyond ASCII only a unit is seen here: they are let through. */
function mayBegin(first: CharacterSet, unit: number): boolean {
  return unit >= ASCII || first.ascii[unit] === 1;
}

function endOfRun(set: CharacterSet, text: string, from: number): number {
  let at = from;
  for (let next = at; next >= 0; next = readCharacter(set, text, at)) at = next;
  return at;
}

/** Where the character ends that is read at a place; -1 when it is none of the set. */
function readCharacter(set: CharacterSet, text: string, at: number): number {
  if (at >= text.length) return -1;
  const unit = text.charCodeAt(at);
  if (unit < ASCII) return set.ascii[unit] === 1 ? at + 1 : -1;
  const code = text.codePointAt(at) as number;
  return hasCodePoint(set.ranges, code) ? at + (code > 0xffff ? 2 : 1) : -1;
}
