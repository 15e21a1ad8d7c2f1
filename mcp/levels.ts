/**
 * How much of each hit to show. A hit can be shown at four levels, each costing bytes; the page has room for so many.
 *
 * First the richest level at which all hits fit is found, down to locations; when even those do not fit, the page ends
 * before the first that does not. The first hit is most often the one that was looked for, so it comes before that: with
 * its body, where that takes less than half of the room and leaves all others their signatures; else with the lines that
 * match, where they take less than three quarters. Then the room left goes to the hits in their order: signatures first,
 * which say what was found, then all that fits: the first ones get their bodies.
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
  const raise = (at: number, wanted: readonly Level[]) => {
    const now = costs[at][levels[at]];
    const better = wanted.find((level) => costs[at][level] - now <= left);
    if (better === undefined) return;
    left -= costs[at][better] - now;
    levels[at] = better;
  };
  levels.forEach((level, at) => {
    if (level === "location") raise(at, ["signature"]);
  });
  levels.forEach((level, at) => {
    raise(at, LEVELS.slice(LEVELS.indexOf(level) + 1).reverse());
  });
  return levels;
}

function baseLevels(costs: readonly Costs[], room: number): Level[] {
  const [first, ...others] = costs;
  if (first === undefined) return [];
  if (first.body <= room / 2) {
    const levels = uniformLevels(others, room - first.body);
    if (levels.length === others.length && !levels.includes("location")) return ["body", ...levels];
  }
  if (first.lines > (room * 3) / 4) return uniformLevels(costs, room);
  return ["lines", ...uniformLevels(others, room - first.lines)];
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
