/**
 * Where a pattern matches: the leftmost place, and of the ways to match there the one that is preferred (Pike's simulation of all
 * ways side by side; Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009). Linear in the text for every pattern, but
 * a hundred times slower than the automaton of automaton.ts: it is for lines that are shown, and for what that one leaves undecided.
 */
import { insideCharacter, lookHolds, type TextSpan } from "./looks.js";
import type { Program } from "./program.js";

/** Bytes [start, end) of a match. */
export type MatchRange = readonly [start: number, end: number];

/** Ways that are followed side by side, the preferred first: steps, each once, and where each way began. */
interface Ways {
  count: number;
  readonly steps: Int32Array;
  readonly starts: Float64Array;
  /** Where a step stands in `steps`; holds only if it stands there. */
  readonly places: Int32Array;
}

/** Finds matches of one program; keeps its working memory from search to search. */
export class OrderedSearch {
  #now: Ways;
  #next: Ways;
  /** Edges of a step by byte: the step it leads to, or -1. Made when a step is first taken. */
  readonly #tables: (Int32Array | undefined)[];
  readonly #stack: number[] = [];
  readonly #firstBytes: Uint8Array | null;

  constructor(readonly program: Program) {
    this.#now = emptyWays(program.steps.length);
    this.#next = emptyWays(program.steps.length);
    this.#tables = new Array(program.steps.length);
    this.#firstBytes = firstBytes(program);
  }

  /** Whether nothing at all may match. */
  get mayBeEmpty(): boolean {
    return this.#firstBytes === null;
  }

  /** The first match that begins at `from` or later; null when there is none. */
  find(text: TextSpan, from: number): MatchRange | null {
    let found: MatchRange | null = null;
    this.#now.count = 0;
    for (let at = from; ; at++) {
      // Once there is a match nothing that begins later can be preferred.
      if (found !== null && this.#now.count === 0) return found;
      if (this.#now.count === 0) at = this.nextStart(text, at);
      if (found === null && !insideCharacter(text, at)) {
        this.#follow(this.#now, this.program.start, { start: at, text, at });
      }
      found = this.#advance(text, at) ?? found;
      if (at >= text.end) return found;
      [this.#now, this.#next] = [this.#next, this.#now];
    }
  }

  /** Where a match may begin, at `from` or later: most bytes begin none. */
  nextStart({ bytes, end }: TextSpan, from: number): number {
    const firsts = this.#firstBytes;
    if (firsts === null) return from;
    let at = from;
    while (at < end && firsts[bytes[at]] === 0) at++;
    return at;
  }

  /** All matches, each from where the one before ended; an empty one directly behind another does not count. */
  *findAll(text: TextSpan): Generator<MatchRange, void, void> {
    let from = text.begin;
    let lastEnd = -1;
    while (from <= text.end) {
      const match = this.find(text, from);
      if (match === null) return;
      const [start, end] = match;
      const empty = start === end;
      if (!empty || start !== lastEnd) yield match;
      lastEnd = end;
      from = empty ? afterCharacter(text, end) : end;
    }
  }

  /** Reads the byte at `at`. Returns the match that a way has come to here, when there is one; less preferred ways end. */
  #advance(text: TextSpan, at: number): MatchRange | null {
    const now = this.#now;
    const next = this.#next;
    const { steps } = this.program;
    next.count = 0;
    for (let i = 0; i < now.count; i++) {
      const step = now.steps[i];
      const start = now.starts[i];
      if (steps[step].kind === "match") return [start, at];
      if (at >= text.end) continue;
      const target = this.#tableOf(step)[text.bytes[at]];
      if (target >= 0) this.#follow(next, target, { start, text, at: at + 1 });
    }
    return null;
  }

  /** Adds a step with all that can be reached from it without reading, in order of preference. */
  #follow(ways: Ways, from: number, { start, text, at }: { start: number; text: TextSpan; at: number }): void {
    const stack = this.#stack;
    stack.push(from);
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      const place = ways.places[step];
      if (place < ways.count && ways.steps[place] === step) continue;
      ways.places[step] = ways.count;
      ways.steps[ways.count] = step;
      ways.starts[ways.count++] = start;
      const what = this.program.steps[step];
      if (what.kind === "split") stack.push(what.second, what.first);
      else if (what.kind === "look" && lookHolds(what.look, text, at)) stack.push(what.next);
    }
  }

  #tableOf(step: number): Int32Array {
    const found = this.#tables[step];
    if (found !== undefined) return found;
    const what = this.program.steps[step];
    const table = what.kind === "bytes" ? new Int32Array(256).fill(-1) : NO_EDGES;
    if (what.kind === "bytes") for (const [low, high, target] of what.edges) table.fill(target, low, high + 1);
    this.#tables[step] = table;
    return table;
  }
}

/** 1 for each byte that a match may begin with; null: one may be empty. */
function firstBytes({ steps, start }: Program): Uint8Array | null {
  const firsts = new Uint8Array(256);
  const seen = new Set<number>();
  const stack = [start];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (seen.has(step)) continue;
    seen.add(step);
    const what = steps[step];
    if (what.kind === "match") return null;
    if (what.kind === "split") stack.push(what.second, what.first);
    else if (what.kind === "look") stack.push(what.next);
    else for (const [low, high] of what.edges) firsts.fill(1, low, high + 1);
  }
  return firsts;
}

const NO_EDGES = new Int32Array(256).fill(-1);

function emptyWays(steps: number): Ways {
  return { count: 0, steps: new Int32Array(steps), starts: new Float64Array(steps), places: new Int32Array(steps) };
}

/** Behind the character that begins at `at`: matches do not begin inside of one. */
function afterCharacter({ bytes, end }: TextSpan, at: number): number {
  let next = at + 1;
  while (next < end && (bytes[next] & 0xc0) === 0x80) next++;
  return next;
}
