/**
 * A pattern as a nondeterministic automaton over bytes (Thompson, 1968), in the order of preference that Perl's and RE2's
 * alternatives and repeats have.
 */
import { type Look, type Node, patternError } from "./syntax.js";
import { type ByteEdges, utf8Automaton } from "./utf8.js";

/** Steps a pattern may be compiled to. RE2 has a like bound (`max_mem`), in bytes. */
const MAX_STEPS = 50_000;

/** What is done at a place of the program. */
export type Step =
  /** Reads a byte and goes where it leads; nowhere: this way is at its end. */
  | { readonly kind: "bytes"; readonly edges: ByteEdges }
  /** Goes both ways, the first preferred. */
  | { readonly kind: "split"; readonly first: number; readonly second: number }
  /** Goes on where the look holds. */
  | { readonly kind: "look"; readonly look: Look; readonly next: number }
  | { readonly kind: "match" };

/** Steps by their number. */
export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
  /** Whether the empty text between two characters that the looks allow could match. */
  readonly looks: ReadonlySet<Look>;
}

/** Compiles a pattern. Throws `invalid_value` when it takes more than MAX_STEPS steps. */
export function compileProgram(node: Node, pattern: string): Program {
  const compiler = new Compiler(pattern);
  const match = compiler.add({ kind: "match" });
  const start = compiler.compile(node, match);
  return { steps: compiler.steps, start, looks: compiler.looks };
}

class Compiler {
  readonly steps: Step[] = [];
  readonly looks = new Set<Look>();
  readonly #byEdges = new Map<string, number>();

  constructor(readonly pattern: string) {}

  add(step: Step): number {
    if (this.steps.length >= MAX_STEPS) {
      // Repeats multiply each other, so it is no single place that is at fault.
      throw patternError(this.pattern, 1, `it is too large: its repeats come to more than ${MAX_STEPS} steps`);
    }
    return this.steps.push(step) - 1;
  }

  /** Where the node begins that goes on at `next`. */
  compile(node: Node, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "set":
        return utf8Automaton(node.ranges, next, this.#bytes);
      case "look":
        this.looks.add(node.look);
        return this.add({ kind: "look", look: node.look, next });
      case "mark":
        // Lines are found without their groups.
        return next;
      case "concat":
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case "or":
        return node.parts
          .map((part) => this.compile(part, next))
          .reduceRight((second, first) => this.add({ kind: "split", first, second }));
      case "repeat":
        return this.#repeat(node, next);
    }
  }

  readonly #bytes = (edges: ByteEdges): number => {
    const key = edges.join(" ");
    const found = this.#byEdges.get(key) ?? this.add({ kind: "bytes", edges });
    this.#byEdges.set(key, found);
    return found;
  };

  #repeat({ of, min, max, greedy }: Node & { kind: "repeat" }, next: number): number {
    let after = next;
    let left = min;
    if (max === Number.POSITIVE_INFINITY) {
      after = min === 0 ? this.#star(of, next, greedy) : this.#plus(of, next, greedy);
      left = Math.max(0, min - 1);
    } else for (let i = min; i < max; i++) after = this.#split(this.compile(of, after), next, greedy);
    for (let i = 0; i < left; i++) after = this.compile(of, after);
    return after;
  }

  /** One time or more. */
  #plus(of: Node, next: number, greedy: boolean): number {
    const loop = this.add({ kind: "split", first: 0, second: 0 });
    const begin = this.compile(of, loop);
    this.steps[loop] = split(begin, next, greedy);
    return begin;
  }

  /** A body that may be empty is repeated as `(x+)?`: else an empty round would hide what comes after it (as in RE2). */
  #star(of: Node, next: number, greedy: boolean): number {
    if (canBeEmpty(of)) return this.#split(this.#plus(of, next, greedy), next, greedy);
    const loop = this.add({ kind: "split", first: 0, second: 0 });
    this.steps[loop] = split(this.compile(of, loop), next, greedy);
    return loop;
  }

  #split(into: number, past: number, greedy: boolean): number {
    return this.add(split(into, past, greedy));
  }
}

function split(into: number, past: number, greedy: boolean): Step {
  return { kind: "split", first: greedy ? into : past, second: greedy ? past : into };
}

/** Whether a pattern can match no character at all. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case "empty":
    case "look":
    case "mark":
      return true;
    case "set":
      return false;
    case "concat":
      return node.parts.every(canBeEmpty);
    case "or":
      return node.parts.some(canBeEmpty);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.of);
  }
}
