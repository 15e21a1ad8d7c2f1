import { type Client, WireError } from "../../client/index.js";
import { type CatalogDocument, type FieldCorrelation, INDEX } from "../../code/index.js";
import { refreshIndices } from "../catalog/indices.js";
import { type DatasetEntry, readEntry } from "../catalog/manifest.js";
import { catalogId } from "../documents/ids.js";
import { correlate } from "../records/correlate.js";
import type { Place } from "./plan.js";

/** Data sets that are compared, the first ones by name. */
const MOST_DATASETS = 500;

type Correlations = Extract<CatalogDocument, { entry: "correlations" }>;

/**
 * Compares the fields of all data sets of a folder by what the catalog keeps of them, and writes down what belongs
 * together. Nothing is written where nothing has changed.
 */
export async function correlateDatasets(client: Client, place: Pick<Place, "root" | "repo">): Promise<void> {
  const { root, repo } = place;
  await refreshIndices(client, [INDEX.catalog]);
  const found = correlate(await datasetsOf(client, root));
  const id = catalogId("correlations", root, "");
  const known = await readEntry<Correlations>(client, id);
  if (isSame(found, known?.correlations ?? [])) return;
  const address = `/${INDEX.catalog}/_doc/${encodeURIComponent(id)}`;
  const entry: Correlations = { entry: "correlations", root, repo, path: "", correlations: found };
  if (found.length > 0) await client.json("PUT", address, entry);
  else await remove(client, address);
}

async function datasetsOf(client: Client, root: string) {
  const answer = await client.json<{ hits: { hits: { _source: DatasetEntry }[] } }>(
    "POST",
    `/${INDEX.catalog}/_search`,
    {
      size: MOST_DATASETS,
      query: { bool: { filter: [{ term: { root } }, { term: { entry: "dataset" } }] } },
      sort: [{ dataset: "asc" }],
    },
  );
  return answer.hits.hits.map(({ _source: { dataset, path, part, schema = [] } }) => {
    return { dataset, about: `${path} ${part}`, schema };
  });
}

function isSame(a: readonly FieldCorrelation[], b: readonly FieldCorrelation[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function remove(client: Client, address: string): Promise<void> {
  const reply = await client.request("DELETE", address);
  if (reply.status >= 400 && reply.status !== 404)
    throw new WireError(reply.status, "exception", `DELETE ${address}`, reply.text);
}
