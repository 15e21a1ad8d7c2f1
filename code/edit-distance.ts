/**
 * Edit distance with neighbours swapped as one step (optimal string alignment, Damerau 1964), in UTF-16 units.
 * Gives `limit + 1` for anything farther than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, before[j - 2] + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length], limit + 1);
}

/** The candidates nearest to a text, nearest first, at most a third of its length away; ties in the given order. */
export function nearest(wanted: string, candidates: readonly string[], count: number): string[] {
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const lower = wanted.toLowerCase();
  return candidates
    .map((candidate, order) => ({ candidate, order, distance: editDistance(lower, candidate.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.order - b.order)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
