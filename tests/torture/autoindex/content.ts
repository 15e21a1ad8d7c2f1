/** What an index holds of folders, in a form that can be compared. */

import type { Client } from "../../../client/index.js";
import { withoutRacy } from "../../../code/index.js";

/** Documents by index and `_id`, and the ids of each index in the order of their sequence numbers. */
export interface Content {
  readonly documents: ReadonlyMap<string, string>;
  readonly order: ReadonlyMap<string, readonly string[]>;
}

interface Hit {
  _id: string;
  _seq_no: number;
  _source: Record<string, unknown>;
}

const PAGE = 10_000;
/** What tells of the run, not of the folder. */
const OF_THE_RUN = ["finished_at", "holder"];

/** Reads everything that was indexed. Throws when an index holds more than is read of it. */
export async function readContent(client: Client): Promise<Content> {
  const rows = await client.json<{ index: string }[]>("GET", "/_cat/indices/pinakes-*?format=json&h=index");
  const documents = new Map<string, string>();
  const order = new Map<string, string[]>();
  for (const { index } of rows) {
    await client.json("POST", `/${encodeURIComponent(index)}/_refresh`);
    const body = { size: PAGE, seq_no_primary_term: true, query: { match_all: {} } };
    const answer = await client.json<{ hits: { hits: Hit[] } }>("POST", `/${encodeURIComponent(index)}/_search`, body);
    const { hits } = answer.hits;
    if (hits.length === PAGE) throw new Error(`${index} holds too much for this comparison`);
    for (const { _id, _source } of hits) documents.set(`${index}/${_id}`, normal(_source));
    hits.sort((a, b) => a._seq_no - b._seq_no);
    order.set(
      index,
      hits.map(({ _id }) => _id),
    );
  }
  return { documents, order };
}

function normal(source: Record<string, unknown>): string {
  const kept = { ...source };
  for (const field of OF_THE_RUN) delete kept[field];
  // Whether a file was read just after it had changed depends on when it was read.
  if (typeof kept.detail === "string") kept.detail = withoutRacy(kept.detail);
  return JSON.stringify(kept, Object.keys(kept).sort());
}

/** How two contents differ, at most `limit` of it. */
export function differences(wanted: Content, found: Content, limit = 5): string[] {
  const told: string[] = [];
  for (const [id, source] of wanted.documents) {
    const other = found.documents.get(id);
    if (other === undefined) told.push(`missing: ${id} ${source.slice(0, 300)}`);
    else if (other !== source) told.push(`differs: ${id} ${other.slice(0, 400)} instead of ${source.slice(0, 400)}`);
  }
  for (const [id, source] of found.documents) {
    if (!wanted.documents.has(id)) told.push(`too much: ${id} ${source.slice(0, 300)}`);
  }
  return told.slice(0, limit);
}

/** Indices whose documents were written in another order. */
export function orderDifferences(one: Content, other: Content): string[] {
  const different = [...one.order].filter(([index, ids]) => ids.join() !== other.order.get(index)?.join());
  return different.map(([index]) => `${index} was written in another order`);
}
