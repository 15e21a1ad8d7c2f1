/**
 * A pattern with groups as a program over the code units of a JavaScript string, in the order of preference that Perl's
 * alternatives and repeats have. Beside program.ts, which is over bytes and forgets groups.
 */
import { EngineError } from "../errors.js";
import { canBeEmpty } from "./program.js";
import { hasCodePoint, mergeRanges, type Ranges } from "./ranges.js";
import type { Look, Mark, Node } from "./syntax.js";
import { widthOf } from "./width.js";

/** Steps that a pattern may be compiled to. */
const MAX_STEPS = 50_000;
const ASCII = 128;

/** What a step does; `next` is where it goes on. */
export const OP = {
  /** Reads a character of the set `arg`. */
  set: 0,
  /** Reads the text `arg`. */
  text: 1,
  /** Goes to `next`, and where that fails to `arg`. */
  split: 2,
  /** Notes the place in slot `arg`. */
  save: 3,
  look: 4,
  around: 5,
  match: 6,
  /** Reads as many characters of the set `arg` as there are, and gives none back. */
  run: 7,
} as const;

/** A set of characters: a table of ASCII's, and ranges for all others. */
export interface CharacterSet {
  readonly ascii: Uint8Array;
  readonly ranges: Ranges;
}

/** A pattern that is looked for at a place, with a program of its own. */
export interface Around {
  readonly program: CaptureProgram;
  readonly where: "ahead" | "behind";
  readonly wanted: boolean;
  /** Characters it can match. */
  readonly min: number;
  readonly max: number;
}

/** Steps by their number, each in the arrays `ops`, `args` and `next`. */
export interface CaptureProgram {
  readonly ops: Uint8Array;
  readonly args: Int32Array;
  readonly next: Int32Array;
  /** Numbers of splits, counted from 0, by step; -1 for others. */
  readonly splits: Int32Array;
  readonly splitCount: number;
  readonly sets: readonly CharacterSet[];
  readonly texts: readonly string[];
  readonly looks: readonly Look[];
  readonly arounds: readonly Around[];
  readonly start: number;
  /** What a match can begin with; null: anything, or nothing at all. */
  readonly first: CharacterSet | null;
}

/** Compiles a pattern. Throws `invalid_value` when it takes more than MAX_STEPS steps. */
export function compileCaptures(node: Node, pattern: string): CaptureProgram {
  return new Compiler(pattern).whole(node);
}

class Compiler {
  readonly #ops: number[] = [];
  readonly #args: number[] = [];
  readonly #next: number[] = [];
  readonly #sets: CharacterSet[] = [];
  readonly #setOf = new Map<Ranges, number>();
  readonly #texts: string[] = [];
  readonly #looks: Look[] = [];
  readonly #arounds: Around[] = [];

  constructor(readonly pattern: string) {}

  whole(node: Node): CaptureProgram {
    const start = this.#compile(node, this.#add(OP.match, 0, 0));
    const splits = Int32Array.from(this.#ops, () => -1);
    let splitCount = 0;
    for (const [at, op] of this.#ops.entries()) if (op === OP.split) splits[at] = splitCount++;
    const program = {
      ops: Uint8Array.from(this.#ops),
      args: Int32Array.from(this.#args),
      next: Int32Array.from(this.#next),
      splits,
      splitCount,
      sets: this.#sets,
      texts: this.#texts,
      looks: this.#looks,
      arounds: this.#arounds,
      start,
    };
    const first = firstCharacters(program, start);
    return { ...program, first: first === null ? null : characterSet(first) };
  }

  #add(op: number, arg: number, next: number): number {
    if (this.#ops.length >= MAX_STEPS) {
      const message = `regular expression [${this.pattern}] is too large: its repeats come to more than ${MAX_STEPS} steps`;
      throw new EngineError("invalid_value", message, { pattern: this.pattern, limit: MAX_STEPS });
    }
    this.#args.push(arg);
    this.#next.push(next);
    return this.#ops.push(op) - 1;
  }

  #compile(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "set":
        return this.#add(OP.set, this.#set(node.ranges), next);
      case "look":
        return this.#add(OP.look, this.#looks.push(node.look) - 1, next);
      case "mark":
        return this.#mark(node.mark, next);
      case "concat":
        return this.#concat(node.parts, next);
      case "or":
        return node.parts
          .map((part) => this.#compile(part, next))
          .reduceRight((second, first) => this.#add(OP.split, second, first));
      case "repeat":
        return this.#repeat(node, next);
    }
  }

  #set(ranges: Ranges): number {
    const known = this.#setOf.get(ranges) ?? this.#sets.push(characterSet(ranges)) - 1;
    this.#setOf.set(ranges, known);
    return known;
  }

  #mark(mark: Mark, next: number): number {
    if (mark.kind === "save") return this.#add(OP.save, mark.slot, next);
    const program = compileCaptures(mark.of, this.pattern);
    const around = { program, where: mark.where, wanted: mark.wanted, ...widthOf(mark.of) };
    return this.#add(OP.around, this.#arounds.push(around) - 1, next);
  }

  /** Characters that stand alone one after the other are one step. */
  #concat(parts: readonly Node[], next: number): number {
    let after = next;
    let text = "";
    for (let at = parts.length - 1; at >= 0; at--) {
      const character = singleCharacter(parts[at]);
      if (character !== undefined) {
        text = character + text;
        continue;
      }
      after = this.#compile(parts[at], this.#text(text, after));
      text = "";
    }
    return this.#text(text, after);
  }

  #text(text: string, next: number): number {
    return text === "" ? next : this.#add(OP.text, this.#texts.push(text) - 1, next);
  }

  #repeat({ of, min, max, greedy }: Node & { kind: "repeat" }, next: number): number {
    let after = next;
    let left = min;
    if (max === Number.POSITIVE_INFINITY) {
      after = min === 0 ? this.#star(of, next, greedy) : this.#plus(of, next, greedy);
      left = Math.max(0, min - 1);
    } else for (let i = min; i < max; i++) after = this.#choice(this.#compile(of, after), next, greedy);
    for (let i = 0; i < left; i++) after = this.#compile(of, after);
    return after;
  }

  /** One time or more. */
  #plus(of: Node, next: number, greedy: boolean): number {
    const run = this.#run(of, next);
    if (run !== undefined) return this.#compile(of, run);
    const loop = this.#add(OP.split, 0, 0);
    const begin = this.#compile(of, loop);
    this.#setChoice(loop, { into: begin, past: next, greedy });
    return begin;
  }

  /**
   * `set*` before something that no character of the set begins: only the longest run can lead to a match, so that there
   * is nothing to try again. Undefined where that is not so, or not known yet.
   */
  #run(of: Node, next: number): number | undefined {
    if (of.kind !== "set") return undefined;
    const steps = { ops: this.#ops, args: this.#args, next: this.#next, sets: this.#sets, texts: this.#texts };
    // Loops around this one are not closed yet: their placeholders lead to the match, which means anything.
    const first = firstCharacters(steps, next);
    return first !== null && disjoint(first, of.ranges) ? this.#add(OP.run, this.#set(of.ranges), next) : undefined;
  }

  /** A body that may be empty is repeated as `(x+)?`, as in program.ts. */
  #star(of: Node, next: number, greedy: boolean): number {
    const run = this.#run(of, next);
    if (run !== undefined) return run;
    if (canBeEmpty(of)) return this.#choice(this.#plus(of, next, greedy), next, greedy);
    const loop = this.#add(OP.split, 0, 0);
    this.#setChoice(loop, { into: this.#compile(of, loop), past: next, greedy });
    return loop;
  }

  #choice(into: number, past: number, greedy: boolean): number {
    const at = this.#add(OP.split, 0, 0);
    this.#setChoice(at, { into, past, greedy });
    return at;
  }

  #setChoice(at: number, { into, past, greedy }: { into: number; past: number; greedy: boolean }): void {
    this.#next[at] = greedy ? into : past;
    this.#args[at] = greedy ? past : into;
  }
}

function singleCharacter(node: Node): string | undefined {
  if (node.kind !== "set" || node.ranges.length !== 1 || node.ranges[0][0] !== node.ranges[0][1]) return undefined;
  return String.fromCodePoint(node.ranges[0][0]);
}

function characterSet(ranges: Ranges): CharacterSet {
  return { ascii: Uint8Array.from({ length: ASCII }, (_, code) => (hasCodePoint(ranges, code) ? 1 : 0)), ranges };
}

/** Steps as they stand while a pattern is compiled. */
interface Steps {
  readonly ops: ArrayLike<number>;
  readonly args: ArrayLike<number>;
  readonly next: ArrayLike<number>;
  readonly sets: readonly CharacterSet[];
  readonly texts: readonly string[];
}

/** What the steps that can be the first to read from `start` on read; null: perhaps nothing. Looks are taken to hold. */
function firstCharacters({ ops, args, next, sets, texts }: Steps, start: number): Ranges | null {
  const ranges: (readonly [number, number])[] = [];
  const seen = new Set<number>();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const op = ops[at];
    if (op === OP.match) return null;
    if (op === OP.set || op === OP.run) ranges.push(...sets[args[at]].ranges);
    else if (op === OP.text) {
      const code = texts[args[at]].codePointAt(0) as number;
      ranges.push([code, code]);
    }
    // A run may read nothing.
    if (op !== OP.set && op !== OP.text) waiting.push(next[at]);
    if (op === OP.split) waiting.push(args[at]);
  }
  return mergeRanges(ranges);
}

function disjoint(some: Ranges, others: Ranges): boolean {
  return some.every(([low, high]) => others.every(([from, to]) => high < from || to < low));
}
