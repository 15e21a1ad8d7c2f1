/**
 * Regular expressions as a set of shared terms, matched by derivatives: what is left to match after a character is again an
 * expression (Brzozowski, "Derivatives of Regular Expressions", 1964). Equal expressions are one object, so what was derived once
 * is looked up: a deterministic automaton made as it is needed. No pattern makes it go back.
 */

/** Code points [from, to], ascending, not touching. */
export type Ranges = readonly (readonly [number, number])[];

/** An expression; equal ones are the same object within one `Expressions`. */
export interface Expression {
  readonly id: number;
  readonly shape: Shape;
  /** Whether the empty text matches. */
  readonly nullable: boolean;
  /** What is left after a character; filled as it is asked for. */
  readonly derived: Map<number, Expression>;
}

type Shape =
  | { kind: "none" }
  | { kind: "empty" }
  | { kind: "set"; ranges: Ranges }
  | { kind: "concat"; first: Expression; rest: Expression }
  /** `max` may be Infinity. */
  | { kind: "repeat"; of: Expression; min: number; max: number }
  | { kind: "or" | "and"; parts: readonly Expression[] }
  | { kind: "not"; of: Expression };

const LAST_CODE_POINT = 0x10ffff;

/** Makes expressions and derives them. */
export class Expressions {
  readonly #known = new Map<string, Expression>();
  readonly none = this.#make("none", { kind: "none" }, false);
  readonly empty = this.#make("empty", { kind: "empty" }, true);
  readonly anyCharacter = this.set([[0, LAST_CODE_POINT]]);
  readonly anything = this.repeat(this.anyCharacter, 0, Number.POSITIVE_INFINITY);

  /** Number of expressions made so far. */
  get size(): number {
    return this.#known.size;
  }

  #make(key: string, shape: Shape, nullable: boolean): Expression {
    let found = this.#known.get(key);
    if (found === undefined) {
      found = { id: this.#known.size, shape, nullable, derived: new Map() };
      this.#known.set(key, found);
    }
    return found;
  }

  /** One character of a set. */
  set(ranges: Ranges): Expression {
    const merged = mergeRanges(ranges);
    if (merged.length === 0) return this.none;
    return this.#make(`set ${merged.join(" ")}`, { kind: "set", ranges: merged }, false);
  }

  /** One character outside of a set. */
  notSet(ranges: Ranges): Expression {
    const outside: [number, number][] = [];
    let from = 0;
    for (const [low, high] of mergeRanges(ranges)) {
      if (low > from) outside.push([from, low - 1]);
      from = high + 1;
    }
    if (from <= LAST_CODE_POINT) outside.push([from, LAST_CODE_POINT]);
    return this.set(outside);
  }

  /** One after the other. */
  concat(first: Expression, rest: Expression): Expression {
    if (first === this.none || rest === this.none) return this.none;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    // Leaning to the right, so that equal sequences are made alike.
    if (first.shape.kind === "concat") {
      return this.concat(first.shape.first, this.concat(first.shape.rest, rest));
    }
    return this.#make(
      `concat ${first.id} ${rest.id}`,
      { kind: "concat", first, rest },
      first.nullable && rest.nullable,
    );
  }

  /** From `min` to `max` times. */
  repeat(of: Expression, min: number, max: number): Expression {
    if (max === 0 || of === this.empty) return this.empty;
    if (max < min) return this.none;
    if (of === this.none) return min === 0 ? this.empty : this.none;
    if (min === 1 && max === 1) return of;
    const endless = max === Number.POSITIVE_INFINITY;
    if (endless && of.shape.kind === "repeat" && of.shape.min === 0 && of.shape.max === max) return of;
    return this.#make(`repeat ${of.id} ${min} ${max}`, { kind: "repeat", of, min, max }, min === 0 || of.nullable);
  }

  /** Any of them. */
  or(parts: readonly Expression[]): Expression {
    return this.#combine("or", parts, { neutral: this.none, absorbing: this.anything });
  }

  /** All of them. */
  and(parts: readonly Expression[]): Expression {
    return this.#combine("and", parts, { neutral: this.anything, absorbing: this.none });
  }

  #combine(
    kind: "or" | "and",
    parts: readonly Expression[],
    ends: { neutral: Expression; absorbing: Expression },
  ): Expression {
    const flat = new Set(parts.flatMap((part) => (part.shape.kind === kind ? part.shape.parts : [part])));
    if (flat.has(ends.absorbing)) return ends.absorbing;
    flat.delete(ends.neutral);
    const sorted = [...flat].sort((a, b) => a.id - b.id);
    if (sorted.length === 0) return ends.neutral;
    if (sorted.length === 1) return sorted[0];
    const nullable = kind === "or" ? sorted.some((one) => one.nullable) : sorted.every((one) => one.nullable);
    return this.#make(`${kind} ${sorted.map((one) => one.id).join(" ")}`, { kind, parts: sorted }, nullable);
  }

  /** Everything else. */
  not(of: Expression): Expression {
    if (of.shape.kind === "not") return of.shape.of;
    if (of === this.none) return this.anything;
    if (of === this.anything) return this.none;
    return this.#make(`not ${of.id}`, { kind: "not", of }, !of.nullable);
  }

  /** What must follow a character for the whole to match. */
  derive(expression: Expression, character: number): Expression {
    const known = expression.derived.get(character);
    if (known !== undefined) return known;
    const result = this.#deriveShape(expression.shape, character);
    expression.derived.set(character, result);
    return result;
  }

  #deriveShape(shape: Shape, character: number): Expression {
    switch (shape.kind) {
      case "none":
      case "empty":
        return this.none;
      case "set":
        return hasCharacter(shape.ranges, character) ? this.empty : this.none;
      case "concat": {
        const after = this.concat(this.derive(shape.first, character), shape.rest);
        return shape.first.nullable ? this.or([after, this.derive(shape.rest, character)]) : after;
      }
      case "repeat":
        // Also where `of` may be empty: what one round less matches, so does this one with an empty round.
        return this.concat(
          this.derive(shape.of, character),
          this.repeat(shape.of, Math.max(0, shape.min - 1), shape.max - 1),
        );
      case "or":
        return this.or(shape.parts.map((part) => this.derive(part, character)));
      case "and":
        return this.and(shape.parts.map((part) => this.derive(part, character)));
      case "not":
        return this.not(this.derive(shape.of, character));
    }
  }
}

function mergeRanges(ranges: Ranges): Ranges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

function hasCharacter(ranges: Ranges, character: number): boolean {
  return ranges.some(([low, high]) => character >= low && character <= high);
}
