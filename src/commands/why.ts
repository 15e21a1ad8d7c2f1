import { explainPath, type PathExplanation } from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { printable, replacedPath } from "../../code/index.js";
import { lackingNotes, loadFolders, nearPaths, nearPathsNote } from "../../mcp/index.js";
import { type Invocation, text } from "../command.js";
import { findNode } from "../node/find-node.js";

/** What is there and was left out by nobody's wish. */
const IN_THE_INDEX: ReadonlySet<string> = new Set(["indexed", "folder"]);

/** `pinakes why PATH...`: what became of each path, and by which rule. Exit status 1 when one is not in the index. */
export async function runWhy(call: Invocation): Promise<number> {
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  let isAllIndexed = true;
  const repos = new Set<string>();
  try {
    for (const given of call.args) {
      const explained = await explainPath(client, process.cwd(), given);
      isAllIndexed &&= IN_THE_INDEX.has(explained.status);
      process.stdout.write(`${lineFor(given, explained, await nearOf(client, explained))}\n`);
      if (explained.repo !== undefined) repos.add(explained.repo);
    }
    const folders = await loadFolders(client);
    for (const repo of repos)
      for (const note of await lackingNotes({ client, folders }, repo)) process.stderr.write(`${printable(note)}\n`);
  } finally {
    client.close();
  }
  return isAllIndexed ? 0 : 1;
}

/** Of a path that nobody met, those that may be meant. */
async function nearOf(client: Client, { status, path, repo }: PathExplanation): Promise<string[]> {
  return status === "unknown" ? nearPaths(client, { path, ...(repo !== undefined && { repo }), is: "file" }) : [];
}

function lineFor(given: string, explained: PathExplanation, near: readonly string[]): string {
  const { status, explanation, detail, decidedBy, path, root, facts } = explained;
  const all = [
    ...facts,
    ...(detail === "" ? [] : [detail]),
    ...(decidedBy === "" || decidedBy === path ? [] : [`decided by ${decidedBy}`]),
    ...(root === undefined ? [] : [`in ${root}`]),
  ];
  return printable(
    `${asRecorded(given, path)}: ${status}: ${explanation}${all.length === 0 ? "" : ` (${all.join("; ")})`}${nearPathsNote(near)}`,
  );
}

/**
 * A path as it was given, but for names that are no UTF-8: the command line has them with each odd byte replaced, and they
 * are shown as they are everywhere else, and as they are found: `caf\xE9.py`.
 */
export function asRecorded(given: string, recorded: string): string {
  const names = recorded.split("/").reverse();
  return given
    .split("/")
    .reverse()
    .map((name, at) => {
      const own = names[at] ?? name;
      return name.includes("\uFFFD") && replacedPath(own) === name ? own : name;
    })
    .reverse()
    .join("/");
}
