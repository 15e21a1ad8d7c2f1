/** Measures of ranked lists. A list is told by the ranks (from 1) at which what was wanted stands. */

/** Where in a list of keys the wanted ones stand, from 1, each at its first place; those that are missing are left out. */
export function ranksOf(list: readonly string[], isWanted: (key: string) => boolean): number[] {
  const seen = new Set<string>();
  return list.flatMap((key, at) => {
    if (!isWanted(key) || seen.has(key)) return [];
    seen.add(key);
    return [at + 1];
  });
}

/** Whether something wanted is among the first k: 1 or 0. */
export function foundAt(ranks: readonly number[], k: number): number {
  return ranks.some((rank) => rank <= k) ? 1 : 0;
}

/** 1 / the first rank; 0 when nothing was found. */
export function reciprocalRank(ranks: readonly number[]): number {
  return ranks.length === 0 ? 0 : 1 / Math.min(...ranks);
}

/** Gain discounted by rank among the first ten, over the best that so many wanted things can give. All are equally good. */
export function ndcgAt10(ranks: readonly number[], wanted: number): number {
  const gain = ranks.filter((rank) => rank <= 10).reduce((sum, rank) => sum + discount(rank), 0);
  const ranksAtBest = Array.from({ length: Math.min(10, wanted) }, (_, at) => at + 1);
  return gain / ranksAtBest.reduce((sum, rank) => sum + discount(rank), 0);
}

/** Arithmetic mean; NaN of none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}
