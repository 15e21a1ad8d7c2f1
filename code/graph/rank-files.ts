/** A use of something that one file declares by another. */
export interface FileEdge {
  from: string;
  to: string;
  /** How much it counts, above 0. */
  weight: number;
}

/** Chance that a reader goes on from a file to one that it uses (Brin and Page, 1998). */
const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * How much each file matters: as much as the files that use it, in turn. PageRank over the weighted edges; the average of
 * all files is 1. The same edges in any order give the same ranks.
 */
export function rankFiles(edges: readonly FileEdge[]): Map<string, number> {
  const files = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort();
  const number = new Map(files.map((file, at) => [file, at]));
  const outgoing = files.map(() => new Map<number, number>());
  const sorted = [...edges].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to) || a.weight - b.weight);
  for (const { from, to, weight } of sorted) {
    const targets = outgoing[number.get(from)!]!;
    targets.set(number.get(to)!, (targets.get(number.get(to)!) ?? 0) + weight);
  }
  const totals = outgoing.map((targets) => [...targets.values()].reduce((sum, weight) => sum + weight, 0));
  let ranks = files.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    const next = files.map(() => 1 - DAMPING);
    let lost = 0;
    outgoing.forEach((targets, from) => {
      if (targets.size === 0) lost += ranks[from]!;
      for (const [to, weight] of targets) next[to]! += (DAMPING * ranks[from]! * weight) / totals[from]!;
    });
    // What no edge carries on goes to all files alike.
    ranks = next.map((rank) => rank + (DAMPING * lost) / files.length);
  }
  return new Map(files.map((file, at) => [file, ranks[at]!]));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
