import { gitPieces } from "./command.js";

/** Lines that a commit added and removed, each with its line feed. */
export interface CommitLines {
  added: string;
  removed: string;
  /** Whether there were more. */
  isCut: boolean;
}

/** Characters kept of what one commit added, and of what it removed. */
export const MOST_CHARACTERS = 20_000;
/** Of one line: a longer one is no line that somebody wrote. */
const LONGEST_LINE = 1000;

const MARK = "\x01";

/** Reads the lines of commits by their ids. Merges have none of their own. */
export async function readCommitLines(folder: string, shas: readonly string[]): Promise<Map<string, CommitLines>> {
  const found = new Map<string, CommitLines>();
  let lines: CommitLines | undefined;
  /** Lines of the hunk that are still to come: whatever they look like, they are content. */
  let removals = 0;
  let additions = 0;
  const args = ["log", "--no-walk=unsorted", "--stdin", "--format=%x01%H", "-p", "-U0", "--no-renames"];
  const more = ["--no-color", "--no-ext-diff", "--no-textconv"];
  for await (const piece of gitPieces(folder, [...args, ...more], { ending: 10, input: `${shas.join("\n")}\n` })) {
    if (removals > 0 || additions > 0) {
      const sign = piece[0];
      if (sign === MINUS && removals > 0) {
        removals--;
        keep(lines, "removed", piece);
      } else if (sign === PLUS && additions > 0) {
        additions--;
        keep(lines, "added", piece);
      }
      continue;
    }
    // Only headers are left: short, but for long paths.
    const text = piece.toString("utf8", 0, 200);
    if (text.startsWith(MARK)) {
      lines = { added: "", removed: "", isCut: false };
      found.set(text.slice(MARK.length), lines);
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (!hunk) continue;
    removals = Number(hunk[1] ?? 1);
    additions = Number(hunk[2] ?? 1);
  }
  return found;
}

const PLUS = 43;
const MINUS = 45;

function keep(lines: CommitLines | undefined, where: "added" | "removed", piece: Buffer): void {
  if (!lines) return;
  const room = MOST_CHARACTERS - lines[where].length;
  if (room <= 0 || piece.length > LONGEST_LINE) {
    lines.isCut = true;
    if (room <= 0) return;
  }
  lines[where] += `${piece.toString("utf8", 1, LONGEST_LINE)}\n`.slice(0, room);
}
