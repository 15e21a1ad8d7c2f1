/** "Did you mean": the known names nearest to an unknown one. */

/** Names within a third of the length in edits, best first, at most `count`. */
export function nearNames(wanted: string, known: Iterable<string>, count = 3): string[] {
  const limit = Math.max(1, Math.ceil(wanted.length / 3));
  // A distance is never less than the difference in length: what a client made up may be megabytes long.
  return [...known]
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter((candidate) => candidate.distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map((candidate) => candidate.name);
}

/** ` did you mean [a]?` or ` did you mean any of [a, b]?`; empty when nothing is near. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const names = nearNames(wanted, known);
  if (names.length === 0) return "";
  return names.length === 1 ? ` did you mean [${names[0]}]?` : ` did you mean any of [${names.join(", ")}]?`;
}

/** Levenshtein distance over UTF-16 units. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
