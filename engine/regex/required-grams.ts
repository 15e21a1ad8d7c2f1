/**
 * From a pattern to the grams that every text it matches has (Cox, "Regular Expression Matching with a Trigram Index", 2012): what a
 * part can be is followed exactly as long as it is little, then by how it can begin and end.
 */
import { ALL_TEXTS, allOf, anyOf, type GramQuery } from "./gram-query.js";
import { GRAM_BYTES, GRAM_LETTER, gramOf } from "./grams.js";
import { countCodePoints, type Ranges, withoutSurrogates } from "./ranges.js";
import type { Node } from "./syntax.js";

/** Texts that a part may be, beyond which only their begins and ends are followed. */
const MAX_EXACT = 32;
/** Begins, or ends, that are followed. */
const MAX_ENDS = 64;
/** Texts of which one must occur: more would take longer to look up than they save. */
const MAX_CHOICES = 128;
/** Characters of a set that are looked at one by one. */
const MAX_SET = 64;
/** Copies of a repeated part that are looked at. */
const MAX_COPIES = 4;
const LINE_FEED = 0x0a;

/** Texts in letters of the gram alphabet, a character of the string each. */
type Texts = ReadonlySet<string>;

interface Knowledge {
  readonly canBeEmpty: boolean;
  /** All that it can be; null when that is too much. */
  readonly exact: Texts | null;
  /** How it can begin and end, where `exact` is null: the empty text stands for "in any way". */
  readonly begins: Texts;
  readonly ends: Texts;
  /** What holds beside of that. */
  readonly grams: GramQuery;
}

const ANY_END: Texts = new Set([""]);
const NOTHING: Knowledge = exactly(ANY_END, true);
const ANYTHING: Knowledge = { canBeEmpty: true, exact: null, begins: ANY_END, ends: ANY_END, grams: ALL_TEXTS };

/** What grams a text must have to match anywhere in it. "line": no match has a line feed in it. */
export function requiredGrams(node: Node, extent: "line" | "lines"): GramQuery {
  return cut(knowledge(extent === "line" ? withoutLineFeeds(node) : node), "all").grams;
}

/** `\s` and its like without the line feed, of which there are no grams. */
function withoutLineFeeds(node: Node): Node {
  switch (node.kind) {
    case "set":
      return { kind: "set", ranges: node.ranges.flatMap(outsideOfLineFeed) };
    case "concat":
    case "or":
      return { kind: node.kind, parts: node.parts.map(withoutLineFeeds) };
    case "repeat":
      return { ...node, of: withoutLineFeeds(node.of) };
    default:
      return node;
  }
}

function outsideOfLineFeed([low, high]: readonly [number, number]): (readonly [number, number])[] {
  if (low > LINE_FEED || high < LINE_FEED) return [[low, high]];
  const parts = [[low, LINE_FEED - 1] as const, [LINE_FEED + 1, high] as const];
  return parts.filter(([from, to]) => from <= to);
}

function exactly(exact: Texts, canBeEmpty: boolean): Knowledge {
  return { canBeEmpty, exact, begins: ANY_END, ends: ANY_END, grams: ALL_TEXTS };
}

function knowledge(node: Node): Knowledge {
  switch (node.kind) {
    case "empty":
    case "look":
    case "mark":
      return NOTHING;
    case "set":
      return ofSet(node.ranges);
    case "concat":
      return node.parts.map(knowledge).reduce(concat);
    case "or":
      return node.parts.map(knowledge).reduce(either);
    case "repeat":
      return ofRepeat(node);
  }
}

function ofSet(ranges: Ranges): Knowledge {
  const characters = withoutSurrogates(ranges);
  if (countCodePoints(characters) > MAX_SET) return { ...ANYTHING, canBeEmpty: false };
  const texts = new Set<string>();
  for (const [low, high] of characters) for (let code = low; code <= high; code++) texts.add(lettersOf(code));
  return texts.size > MAX_EXACT ? { ...ANYTHING, canBeEmpty: false } : exactly(texts, false);
}

function lettersOf(code: number): string {
  return String.fromCharCode(...Array.from(Buffer.from(String.fromCodePoint(code)), (byte) => GRAM_LETTER[byte]));
}

function ofRepeat({ of, min, max }: Node & { kind: "repeat" }): Knowledge {
  const one = knowledge(of);
  if (max === 0) return NOTHING;
  if (min === 0) return max === 1 ? either(one, NOTHING) : ANYTHING;
  const copies = Math.min(min, MAX_COPIES);
  let known = one;
  for (let i = 1; i < copies; i++) known = concat(known, one);
  if (copies === max) return known;
  // There may be more in the middle: it begins and ends as these copies do.
  return cut(known, "exact");
}

function concat(a: Knowledge, b: Knowledge): Knowledge {
  const grams = allOf([a.grams, b.grams]);
  const canBeEmpty = a.canBeEmpty && b.canBeEmpty;
  if (a.exact !== null && b.exact !== null) {
    if (a.exact.size * b.exact.size <= MAX_EXACT) {
      return cut({ ...exactly(product(a.exact, b.exact), canBeEmpty), grams }, "long");
    }
    return concat(cut(a, "exact"), b);
  }
  const begins = a.exact !== null ? product(a.exact, b.begins) : joined(a.begins, a.canBeEmpty ? b : null, "begins");
  const ends = b.exact !== null ? product(a.ends, b.exact) : joined(b.ends, b.canBeEmpty ? a : null, "ends");
  const across = a.exact === null && b.exact === null ? product(a.ends, b.begins) : null;
  return cut(
    {
      canBeEmpty,
      exact: null,
      begins,
      ends,
      grams: across === null || across.size > MAX_ENDS ? grams : allOf([grams, gramsOf(across)]),
    },
    "long",
  );
}

/** The ends (or begins) of a part, with those of its neighbour where the part may be missing. */
function joined(texts: Texts, neighbour: Knowledge | null, which: "begins" | "ends"): Texts {
  if (neighbour === null) return texts;
  return new Set([...texts, ...(neighbour.exact ?? neighbour[which])]);
}

function either(a: Knowledge, b: Knowledge): Knowledge {
  const canBeEmpty = a.canBeEmpty || b.canBeEmpty;
  if (a.exact !== null && b.exact !== null && a.exact.size + b.exact.size <= MAX_EXACT) {
    return { ...exactly(new Set([...a.exact, ...b.exact]), canBeEmpty), grams: anyOf([a.grams, b.grams]) };
  }
  const [left, right] = [cut(a, "exact"), cut(b, "exact")];
  return cut(
    {
      canBeEmpty,
      exact: null,
      begins: new Set([...left.begins, ...right.begins]),
      ends: new Set([...left.ends, ...right.ends]),
      grams: anyOf([left.grams, right.grams]),
    },
    "long",
  );
}

/**
 * Turns texts into grams and keeps of them what may yet become part of another gram. "long": where they are long or many; "exact": also
 * exact ones that are neither; "all": as there is nothing to come.
 */
function cut(known: Knowledge, what: "long" | "exact" | "all"): Knowledge {
  let { exact, begins, ends, grams } = known;
  if (exact !== null) {
    const shortest = Math.min(...[...exact].map((text) => text.length));
    if (what === "long" && shortest <= GRAM_BYTES) return known;
    grams = allOf([grams, gramsOf(exact)]);
    begins = exact;
    ends = exact;
    exact = null;
  } else if (what !== "exact") grams = allOf([grams, gramsOf(begins), gramsOf(ends)]);
  return { ...known, exact, begins: shortened(begins, 0), ends: shortened(ends, 1), grams };
}

/** Two letters of each text at its outer end, less where they are too many. */
function shortened(texts: Texts, side: 0 | 1): Texts {
  let kept: Texts = texts;
  for (let length = GRAM_BYTES - 1; length >= 0; length--) {
    kept = new Set(
      [...kept].map((text) => (side === 0 ? text.slice(0, length) : text.slice(Math.max(0, text.length - length)))),
    );
    if (kept.size <= MAX_ENDS) return kept;
  }
  return kept;
}

function product(a: Texts, b: Texts): Texts {
  const texts = new Set<string>();
  for (const first of a) for (const second of b) texts.add(first + second);
  return texts;
}

/** One of the texts occurs. */
function gramsOf(texts: Texts): GramQuery {
  return texts.size > MAX_CHOICES ? ALL_TEXTS : anyOf([...texts].map(gramsOfLetters));
}

function gramsOfLetters(text: string): GramQuery {
  const grams: GramQuery[] = [];
  for (let at = 0; at + GRAM_BYTES <= text.length; at++) {
    const [first, second, third] = [0, 1, 2].map((i) => text.charCodeAt(at + i));
    if (first === LINE_FEED || second === LINE_FEED || third === LINE_FEED) continue;
    grams.push({ kind: "gram", gram: gramOf(first, second, third) });
  }
  return allOf(grams);
}
