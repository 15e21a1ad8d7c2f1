/** Lines shown around what differs. */
const CONTEXT = 3;
/** Above this many pairs of lines, what differs is shown as taken out and put in as a whole. */
const MOST_PAIRS = 4_000_000;

/** What changes between two texts, by lines: ` ` kept, `-` taken out, `+` put in; empty when nothing does. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const kept = (lines: string[]) => lines.map((line) => ` ${line}`);
  return [
    ...kept(old.slice(Math.max(0, start - CONTEXT), start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...kept(old.slice(old.length - end, old.length - end + CONTEXT)),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Longest common subsequence by lines, walked back (Wagner and Fischer). */
function middle(old: readonly string[], now: readonly string[]): string[] {
  if (old.length * now.length > MOST_PAIRS) return [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i][j] = old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(` ${old[i]}`);
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) lines.push(`-${old[i++]}`);
    else lines.push(`+${now[j++]}`);
  }
  return lines;
}
