/** Asks as the tools ask: the same reading of the text, the same `_search`, the same second try. */
import type { Client } from "../../client/index.js";
import { findHits } from "../../mcp/find-hits.js";

/** A hit, as far as measures look at it. */
export interface Answer {
  path: string;
  name: string;
  qualifiedName: string;
  kind: string;
}

/** What is asked of a node. */
export interface Question {
  text: string;
  /** Repository that is searched; all when absent. */
  repo?: string;
  limit: number;
}

/** Hits in their order. */
export async function ask(client: Client, { text, repo, limit }: Question): Promise<Answer[]> {
  const place = { client, scopes: async () => [] };
  const asked = repo === undefined ? text : `repo:${repo} ${text}`;
  const { hits } = await findHits(place, [asked], { offset: 0, limit });
  return hits.map(({ hit }) => ({
    path: hit.path,
    name: hit.name,
    qualifiedName: hit.qualifiedName,
    kind: hit.kind,
  }));
}

/** Files in the order of their best hits. */
export function filesOf(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ path }) => path))];
}
