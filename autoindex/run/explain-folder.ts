import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";

/** What the catalog says of the files below a folder, nothing when it has none of them. */
export async function folderExplanation(
  client: Client,
  root: string,
  folder: string,
): Promise<{ explanation: string; facts: string[] } | undefined> {
  const below = folder === "" ? [] : [{ prefix: { path: `${folder.replace(/\/$/, "")}/` } }];
  const filter = [{ term: { root } }, { term: { entry: "file" } }, ...below];
  const answer = await client.json<{ aggregations?: { statuses: { buckets: { key: string; doc_count: number }[] } } }>(
    "POST",
    `/${INDEX.catalog}/_search`,
    { size: 0, query: { bool: { filter } }, aggs: { statuses: { terms: { field: "status", size: 100 } } } },
  );
  const buckets = answer.aggregations?.statuses.buckets ?? [];
  if (buckets.length === 0) return undefined;
  const indexed = buckets.find(({ key }) => key === "indexed")?.doc_count ?? 0;
  const others = buckets.filter(({ key }) => key !== "indexed");
  const facts = others.map(({ key, doc_count }) => `${doc_count} left out: ${key}`);
  return {
    explanation: `It is a folder, of which ${indexed} ${indexed === 1 ? "file is" : "files are"} indexed.`,
    facts,
  };
}
