import type { AutoindexSummary, Progress } from "../autoindex/index.js";
import { counted, printable } from "../code/index.js";

const BAR_WIDTH = 24;
const TERMINAL_EVERY_MS = 80;
const LINES_EVERY_MS = 5_000;

/** Shows a run's progress: a bar that redraws itself on a terminal, a plain line every five seconds elsewhere. */
export function progressPrinter(stream: NodeJS.WriteStream): { show(progress: Progress): void; end(): void } {
  const every = stream.isTTY ? TERMINAL_EVERY_MS : LINES_EVERY_MS;
  let due = stream.isTTY ? 0 : performance.now() + every;
  return {
    show(progress) {
      if (performance.now() < due) return;
      due = performance.now() + every;
      stream.write(stream.isTTY ? `\r\x1b[K${barOf(progress)}` : `${countsOf(progress)}\n`);
    },
    end() {
      if (stream.isTTY) stream.write("\r\x1b[K");
    },
  };
}

function barOf(progress: Progress): string {
  if (progress.phase === "waiting" || progress.phase === "walking" || progress.toRead === 0) return countsOf(progress);
  const filled = Math.round((BAR_WIDTH * progress.read) / progress.toRead);
  return `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${countsOf(progress)}`;
}

function countsOf(progress: Progress): string {
  if (progress.phase === "waiting") return `waiting for ${progress.waitingFor ?? "another run over this folder"}`;
  if (progress.phase === "walking") return `looking: ${counted(progress.seen, "file")}`;
  return `reading: ${progress.read} of ${counted(progress.toRead, "file")}, ${counted(progress.declarations, "declaration")}`;
}

/** What a run did, in a few lines for people. */
export function summaryLines(summary: AutoindexSummary): string[] {
  const rate = summary.seconds > 0 ? Math.round(summary.indexed / summary.seconds) : summary.indexed;
  const leftOut = Object.values(summary.skipped).reduce((sum, count) => sum + count, 0);
  const { indexed, adopted } = summary;
  // What is left out is unchanged too, but is no file of the index.
  const unchanged = Math.max(0, summary.seen - indexed - adopted - leftOut);
  const shared = adopted > 0 ? `, ${adopted} there already by another folder or branch` : "";
  const lines = [
    `${printable(summary.repo)}: ${counted(indexed, "file")} indexed${shared}, ${unchanged} unchanged, ${summary.removed} removed ` +
      `in ${summary.seconds.toFixed(1)} s${summary.indexed > 0 ? ` (${rate} files/s)` : ""}`,
    `  ${counted(summary.declarations, "declaration")}, ${counted(summary.references, "reference")}, ` +
      `${counted(summary.records, "record")} written`,
  ];
  const skipped = Object.entries(summary.skipped).sort((a, b) => b[1] - a[1]);
  if (skipped.length > 0)
    lines.push(`  left out ${leftOut}: ${skipped.map(([reason, count]) => `${count} ${reason}`).join(", ")}`);
  if (summary.datasetsBeyondLimit > 0) {
    lines.push(
      `  ${counted(summary.datasetsBeyondLimit, "list of records was", "lists of records were")} read as text: ` +
        "there were too many for an index each",
    );
  }
  return [...lines, ...gitLines(summary)];
}

/** What was done about branches and commits, and what could not be. */
function gitLines({ branches, commits, notes = [] }: AutoindexSummary): string[] {
  const lines: string[] = [];
  if (branches && branches.names.length > 0) {
    const { names, files, read, reused, skipped } = branches;
    const leftOut = Object.entries(skipped).map(([reason, count]) => `, ${count} ${reason}`);
    const listed = names.length > MOST_NAMES ? `${names.length} branches` : names.join(", ");
    lines.push(
      `  ${printable(listed)}: ${counted(files, "file")}, ${read} read, ${reused} there already${leftOut.join("")}`,
    );
  }
  if (commits)
    lines.push(`  ${counted(commits.commits, "commit")}, ${commits.written} new, ${commits.removed} removed`);
  return [...lines, ...notes.map((note) => printable(`  note: ${note}`))];
}

/** Branches named in one line. */
const MOST_NAMES = 5;
