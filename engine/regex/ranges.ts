/** Sets of code points as ranges. */

/** Code points [from, to], ascending, not touching each other. */
export type Ranges = readonly (readonly [number, number])[];

export const LAST_CODE_POINT = 0x10ffff;
/** Code points that are no characters: halves of pairs of UTF-16. UTF-8 has no bytes for them. */
const SURROGATES: Ranges = [[0xd800, 0xdfff]];

/** Any ranges, put in order and joined; the same object where they are. */
export function mergeRanges(ranges: Ranges): Ranges {
  if (ranges.every(([low], i) => i === 0 || low > ranges[i - 1][1] + 1)) return ranges;
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

const negated = new WeakMap<Ranges, Ranges>();

/** All other code points; the same object for the same object. */
export function negateRanges(ranges: Ranges): Ranges {
  const found = negated.get(ranges) ?? outsideOf(ranges);
  negated.set(ranges, found);
  return found;
}

function outsideOf(ranges: Ranges): Ranges {
  const outside: [number, number][] = [];
  let from = 0;
  for (const [low, high] of mergeRanges(ranges)) {
    if (low > from) outside.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST_CODE_POINT) outside.push([from, LAST_CODE_POINT]);
  return outside;
}

/** Those of `ranges` that UTF-8 can write. */
export function withoutSurrogates(ranges: Ranges): Ranges {
  const [[low, high]] = SURROGATES;
  return ranges.flatMap(([from, to]) => {
    if (to < low || from > high) return [[from, to] as const];
    const parts: (readonly [number, number])[] = [];
    if (from < low) parts.push([from, low - 1]);
    if (to > high) parts.push([high + 1, to]);
    return parts;
  });
}

/** Whether a code point is in the set. */
export function hasCodePoint(ranges: Ranges, code: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < ranges[middle][0]) high = middle - 1;
    else if (code > ranges[middle][1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** How many code points are in the set. */
export function countCodePoints(ranges: Ranges): number {
  return ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
}
