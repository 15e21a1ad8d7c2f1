/** Patterns of names, in which `*` stands for any characters. */
import { wildcard } from "../indices/names.js";

/** Whether one of the patterns means the name. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => wildcard(pattern)(name));
}

/** Whether a pattern means every name. */
export function matchesAll(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/** Whether some name would match a pattern of both lists. */
export function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => haveCommon(one, other)));
}

/**
 * Whether a name matches both patterns. `reached` holds, for the characters of `one` so far, the places of `other` that
 * they may have led to: as many steps as the product of both lengths, at most.
 */
function haveCommon(one: string, other: string): boolean {
  let reached = skipStars(other, new Set([0]));
  for (const character of one) {
    const next = new Set<number>();
    for (const at of reached) {
      if (character === "*") for (let to = at; to <= other.length; to++) next.add(to);
      else if (other[at] === "*") next.add(at);
      else if (other[at] === character) next.add(at + 1);
    }
    reached = skipStars(other, next);
  }
  return reached.has(other.length);
}

/** A star may stand for nothing. */
function skipStars(pattern: string, places: Set<number>): Set<number> {
  for (const at of places) if (pattern[at] === "*") places.add(at + 1);
  return places;
}

/** `[a*, b*]`, as Java prints a list. */
export function printList(values: Iterable<string>): string {
  return `[${[...values].join(", ")}]`;
}
