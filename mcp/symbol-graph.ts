import type { SymbolDeclaration } from "../code/index.js";
import { SymbolIndex } from "./symbol-index.js";
import { ModuleFinder } from "./symbol-modules.js";
import { UseResolver } from "./symbol-uses.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** What questions about symbols work with, during one tool call or command. */
export interface SymbolGraph {
  options: WorkspaceOptions;
  workspace: Workspace;
  index: SymbolIndex;
  modules: ModuleFinder;
  uses: UseResolver;
}

/** Opens the graph over a node's indices. */
export async function openSymbolGraph(options: WorkspaceOptions): Promise<SymbolGraph> {
  const workspace = await Workspace.open(options);
  const index = new SymbolIndex(workspace);
  const modules = new ModuleFinder(index);
  return { options, workspace, index, modules, uses: new UseResolver(index, modules) };
}

/** A question about symbols that cannot be answered as it was asked; says what to do. */
export class SymbolError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "SymbolError";
  }
}

/** Tells declarations apart; overloads and prototypes of one file are one symbol. */
export function symbolKey({
  repo,
  path,
  qualifiedName,
}: Pick<SymbolDeclaration, "repo" | "path" | "qualifiedName">): string {
  return `${repo}\0${path}\0${qualifiedName}`;
}
