import { type FolderPlan, planFolder } from "../autoindex/index.js";
import { counted, printable } from "../code/index.js";
import type { IndexFoldersOptions } from "./index-folders.js";
import { progressPrinter } from "./progress.js";

/** Paths that are listed for people; all of them are in the JSON. */
const MAX_LISTED = 50;

/** Says what indexing the folders would do: for people, or as one JSON object a folder and line. */
export async function planFolders(options: IndexFoldersOptions, form: "text" | "json"): Promise<void> {
  const { client, folders, workers, hidden } = options;
  for (const folder of folders) {
    const printer = progressPrinter(process.stderr);
    const plan = await planFolder({ client, folder, workers, hidden }, printer.show);
    printer.end();
    const lines = form === "json" ? [JSON.stringify(plan)] : planLines(plan);
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

/** A plan in lines: the paths with what becomes of them, then the counts. */
export function planLines({ root, repo, index, remove, skip, unchanged }: FolderPlan): string[] {
  const paths = [
    ...index.map(({ path, change }) => `${change === "new" ? "+" : "~"} ${path}`),
    ...remove.map((path) => `- ${path}`),
  ];
  const more = paths.length > MAX_LISTED ? [`  ... and ${paths.length - MAX_LISTED} more; --json lists all`] : [];
  const reasons = new Map<string, number>();
  for (const { reason } of skip) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const leftOut = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} ${reason}`);
  const isNew = index.filter(({ change }) => change === "new").length;
  return [
    printable(`${repo} (${root}): nothing is written; a run would`),
    ...paths.slice(0, MAX_LISTED).map((line) => printable(`  ${line}`)),
    ...more,
    `  index ${counted(index.length, "file")} (${isNew} new, ${index.length - isNew} changed), remove ${remove.length}, ` +
      `leave ${unchanged} as they are`,
    ...(skip.length > 0 ? [`  leave out ${skip.length}: ${leftOut.join(", ")}`] : []),
  ];
}
