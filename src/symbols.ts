import { existsSync } from "node:fs";
import path from "node:path";
import { Client } from "../client/index.js";
import { type FileVersion, printable, type SymbolDeclaration } from "../code/index.js";
import { openSymbolGraph, type SymbolGraph } from "../mcp/index.js";
import { type Invocation, text } from "./command.js";
import { findNode } from "./node/find-node.js";
import { reindexing } from "./reindexing.js";
import { shownPath } from "./shown-path.js";

/** Longest line printed, in UTF-16 units. */
const LONGEST_LINE = 300;

/** What a command about symbols works with. */
export interface SymbolCommand {
  graph: SymbolGraph;
  /** The repository of the current folder, whose declarations come first. */
  repo: string | undefined;
  /** A path typed by a person, as the index is asked for it. */
  file(given: string): string;
  print(line: string): void;
  say(line: string): void;
  isJson: boolean;
}

/**
 * Runs a command about symbols and gives its exit status, as grep has them: 0 something was found, 1 nothing was, 2 it
 * could not be looked for.
 */
export async function symbolCommand(
  call: Invocation,
  run: (command: SymbolCommand) => Promise<number>,
): Promise<number> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  let client: Client | undefined;
  try {
    client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
    const graph = await openSymbolGraph({ client, reindexFile: reindexing(client) });
    const repo = graph.workspace.folderAt(process.cwd())?.repo;
    const file = (given: string) => fileIn(graph, given);
    const found = await run({ graph, repo, file, print, say, isJson: call.options.json === true });
    for (const warning of graph.workspace.warnings) say(printable(warning));
    return found > 0 ? 0 : 1;
  } catch (error) {
    say(`pinakes: ${printable(error instanceof Error ? error.message : String(error))}`);
    return 2;
  } finally {
    client?.close();
  }
}

/** A path that lies in an indexed folder is absolute then; any other stays as the repository's own. */
function fileIn({ workspace }: SymbolGraph, given: string): string {
  const absolute = path.resolve(given);
  if (!workspace.folderAt(absolute)) return given;
  // What is not there may be meant from above the folders: `repo/src/a.ts`.
  return existsSync(absolute) || workspace.fileBelowName(given) === undefined ? absolute : given;
}

/** Prints one object for programs. */
export function printJson(command: SymbolCommand, value: unknown): void {
  command.print(JSON.stringify(value, undefined, 2));
}

/** `src/a.ts:12`, coloured on a terminal. */
export async function placeText({ graph }: SymbolCommand, file: FileVersion, line: number): Promise<string> {
  const { repo, path: inside, blob } = file;
  const onDisk = await graph.workspace.placeOnDisk(repo, inside, blob);
  return `${colour("path", shownPath({ repo, path: inside, onDisk }, process.cwd()))}:${colour("line", String(line))}`;
}

/** A line of code on one line, cut when it is very long. */
export function codeText(line: string): string {
  const cut = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} ... (+${line.length - LONGEST_LINE})` : line;
  return printable(cut, "\t");
}

/** What a declaration is called in a line: its signature, or kind and name. */
export function signatureText({ kind, qualifiedName, signature }: SymbolDeclaration): string {
  const isNamed = signature.includes(qualifiedName);
  if (signature === "") return printable(`${kind} ${qualifiedName}`);
  return codeText(isNamed || !qualifiedName.includes(".") ? signature : `${qualifiedName}: ${signature}`);
}

/** A note beside a line, dim on a terminal. */
export function noteText(notes: readonly string[]): string {
  const said = notes.filter((note) => note !== "");
  return said.length === 0 ? "" : colour("note", `  (${printable(said.join("; "))})`);
}

const CODES = { path: "35", line: "32", note: "2" } as const;

/** Colours are for terminals, and for nobody who set NO_COLOR. */
function colour(part: keyof typeof CODES, shown: string): string {
  const isColoured = process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "";
  return isColoured ? `\x1b[${CODES[part]}m${shown}\x1b[0m` : shown;
}

/** A note for what could not be looked at. */
export async function verifiedNote({ graph }: SymbolCommand, file: FileVersion): Promise<string> {
  return (await graph.index.isVerified(file)) ? "" : "unverified";
}
