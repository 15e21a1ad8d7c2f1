import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";

const WANTED = 3;
const TYPES = ["class", "struct", "interface", "trait", "enum", "type"];
const FUNCTIONS = ["function", "macro"];

interface TermsAnswer {
  aggregations?: { names: { buckets: { key: string; doc_count: number }[] } };
}

/**
 * Names worth searching for first: types, then functions, that the repository's own sources declare once or twice,
 * the most used first. A name declared in many places says little, and methods share theirs with every list's `append`.
 */
export async function suggestSearches(client: Client, repo: string): Promise<string[]> {
  const filter = [{ term: { repo } }, { term: { class: "source" } }];
  const kinds = { terms: { kind: ["call", "instantiate", "inherit"] } };
  const used = await countNames(client, INDEX.references, [...filter, kinds]);
  const candidates = used.filter(({ key }) => key.length >= 5).map(({ key }) => key);
  const declared = await Promise.all(
    [TYPES, FUNCTIONS].map((kind) => clearNames(client, [...filter, { terms: { kind } }], candidates)),
  );
  return [...new Set(declared.flat())].slice(0, WANTED);
}

/** The candidates with few declarations, in their own order, then other declared names. */
async function clearNames(client: Client, filter: unknown[], candidates: string[]): Promise<string[]> {
  const among = await countNames(client, INDEX.declarations, [...filter, { terms: { name: candidates } }]);
  const clear = new Set(among.filter(({ doc_count }) => doc_count <= 2).map(({ key }) => key));
  const ranked = candidates.filter((name) => clear.has(name));
  if (ranked.length >= WANTED) return ranked.slice(0, WANTED - 1);
  // Sources without references (prose, a language without a grammar) still declare something.
  const any = await countNames(client, INDEX.declarations, filter);
  return [...ranked, ...any.map(({ key }) => key)];
}

async function countNames(
  client: Client,
  index: string,
  filter: unknown[],
): Promise<{ key: string; doc_count: number }[]> {
  const answer = await client.json<TermsAnswer>("POST", `/${index}/_search`, {
    size: 0,
    query: { bool: { filter } },
    aggs: { names: { terms: { field: "name", size: 200 } } },
  });
  return answer.aggregations?.names.buckets ?? [];
}
