import { printable, readAsked } from "../code/index.js";
import { type Definitions, findDefinitions, lackingNotes, nearNames } from "../mcp/index.js";
import type { SymbolCommand } from "./symbols.js";

/** The declarations that a name, `path:line[:column]` or a locator means. */
export function definitionsOf(command: SymbolCommand, given: string): Promise<Definitions> {
  const asked = readAsked(given);
  const { graph, repo } = command;
  if (asked.kind !== "place") return findDefinitions(graph, given, asked.kind === "locator" ? {} : { near: repo });
  const column = asked.column === undefined ? "" : `:${asked.column}`;
  return findDefinitions(graph, `${command.file(asked.path)}:${asked.line}${column}`);
}

/** Says that nothing of the names is there, and what is near. */
export async function sayNothing(command: SymbolCommand, names: readonly string[]): Promise<void> {
  const near = await nearNames(command.graph, names);
  const hint = near.length === 0 ? "" : `; near: ${near.join(", ")}`;
  command.say(`nothing in the index declares ${names.join(", ")}${hint}`);
  for (const note of await lackingNotes(command.graph.workspace)) command.say(printable(note));
}
