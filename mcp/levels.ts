/**
 * How much of each hit to show. A hit can be shown at four levels, each costing bytes; the page has room for so many.
 *
 * First the richest level at which all hits fit is found, down to locations; when even those do not fit, the page ends
 * before the first that does not. Then the room left goes to the hits in their order: the first ones get their bodies.
 * The first hit is most often the one that was looked for: its body comes before the lines of the others, where it takes
 * less than half of the room and leaves enough to name them all.
 */
export const LEVELS = ["location", "signature", "lines", "body"] as const;

/** A level of detail, poorest first. */
export type Level = (typeof LEVELS)[number];

/** Bytes of a hit at each level; a level that a hit does not have costs Infinity. */
export type Costs = Readonly<Record<Level, number>>;

/** The level of each hit shown, in order; shorter than `costs` when not all fit. */
export function chooseLevels(costs: readonly Costs[], room: number): Level[] {
  const levels = baseLevels(costs, room);
  let left = room - levels.reduce((sum, level, at) => sum + costs[at][level], 0);
  levels.forEach((level, at) => {
    const richer = LEVELS.slice(LEVELS.indexOf(level) + 1).reverse();
    const better = richer.find((candidate) => costs[at][candidate] - costs[at][level] <= left);
    if (better === undefined) return;
    left -= costs[at][better] - costs[at][level];
    levels[at] = better;
  });
  return levels;
}

function baseLevels(costs: readonly Costs[], room: number): Level[] {
  const [first, ...others] = costs;
  if (first !== undefined && first.body <= room / 2) {
    const levels = uniformLevels(others, room - first.body);
    if (levels.length === others.length) return ["body", ...levels];
  }
  return uniformLevels(costs, room);
}

function uniformLevels(costs: readonly Costs[], room: number): Level[] {
  for (const level of ["lines", "signature"] as const) {
    const sum = costs.reduce((total, cost) => total + cost[level], 0);
    if (sum <= room) return costs.map(() => level);
  }
  const levels: Level[] = [];
  let left = room;
  for (const cost of costs) {
    left -= cost.location;
    if (left < 0) break;
    levels.push("location");
  }
  return levels;
}
