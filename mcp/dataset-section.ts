import type { Client } from "../client/index.js";
import type { DatasetField, FieldCorrelation } from "../code/index.js";
import { counted } from "../code/index.js";
import { type Dataset, loadCorrelations, loadDatasets } from "./catalog.js";
import type { MapScope } from "./map-scope.js";
import type { Section } from "./map-sections.js";

/** The data sets below a path: where each is searched, what is in it, and which of their fields belong together. */
export async function datasetSection(client: Client, { repo, path }: MapScope): Promise<Section> {
  const all = await loadDatasets(client, repo);
  const datasets = all.filter((dataset) => path === "" || dataset.path === path || dataset.path.startsWith(`${path}/`));
  const correlations = await loadCorrelations(client, datasets);
  const items = [...datasets.map(datasetLine), ...correlations.map(correlationLine)];
  return { name: "datasets", title: `data sets: ${datasets.length} (search each by POST /INDEX/_search)`, items };
}

/** `pinakes-data-shop-orders.csv: 2000 records of orders.csv, 2024-01-01..2024-03-31; id long, city keyword`. */
export function datasetLine({ index, records, path, part, schema, time_min, time_max }: Dataset): string {
  const place = part === "" ? path : `${path} (${part})`;
  const time = time_min && time_max ? `, ${time_min.slice(0, 10)}..${time_max.slice(0, 10)}` : "";
  return `${index}: ${counted(records, "record")} of ${place}${time}; ${schema.map(fieldText).join(", ")}`;
}

/** A field with its type and what its values are. */
export function fieldText({ name, type, entity, semantic }: DatasetField): string {
  const more = entity && entity !== type ? ` (${entity})` : semantic ? " (prose)" : "";
  return `${name} ${type}${more}`;
}

/** `orders.customer_id is in customers.id: 98 %, the other way 40 %`. */
export function correlationLine({ from, to, share, reverse_share: reverse }: FieldCorrelation): string {
  const percent = (value: number) => `${Math.round(value * 100)} %`;
  return `${from.dataset}.${from.field} is in ${to.dataset}.${to.field}: ${percent(share)}, the other way ${percent(reverse)}`;
}
