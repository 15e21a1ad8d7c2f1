import { type Client, WireError } from "../client/index.js";
import { type CodeQuery, unknownValues, type ValuesAnswer } from "../code/index.js";
import { searchIndex } from "./node.js";
import type { Workspace } from "./workspace.js";

/** Adds to the warnings what queries name and the index has nothing of: repositories, branches, languages. */
export async function warnOfUnknown(workspace: Workspace, queries: readonly { query: CodeQuery }[]): Promise<void> {
  for (const { query } of queries) {
    for (const note of await unknownValues(query, searchOf(workspace.client)))
      if (!workspace.warnings.includes(note)) workspace.warnings.push(note);
  }
}

/** A cluster that cannot be asked for a pattern of a repository's name says nothing about it. */
function searchOf(client: Client): (index: string, body: unknown) => Promise<ValuesAnswer | undefined> {
  return async (index, body) => {
    try {
      return await searchIndex(client, index, body);
    } catch (error) {
      if (error instanceof WireError && error.status === 400) return undefined;
      throw error;
    }
  };
}
