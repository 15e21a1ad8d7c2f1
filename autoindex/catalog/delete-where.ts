import type { Client } from "../../client/index.js";
import { BulkLines } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import { BulkRequest } from "./bulk-request.js";
import { refreshIndices } from "./indices.js";

const PAGE = 5000;

/**
 * Deletes what the clauses of a `bool` query find, page by page; answers how many documents that were. `guard` is called
 * before each change and throws when this run may not write any more.
 */
export async function deleteWhere(client: Client, index: string, bool: object, guard: () => void): Promise<number> {
  for (let deleted = 0; ; ) {
    const answer = await client.json<{ hits: { hits: { _id: string }[] } }>("POST", `/${index}/_search`, {
      size: PAGE,
      _source: false,
      track_total_hits: false,
      query: { bool },
    });
    const { hits } = answer.hits;
    if (hits.length === 0) return deleted;
    guard();
    const lines = new BulkLines();
    for (const { _id } of hits) lines.delete(index, _id);
    const request = new BulkRequest<never>();
    request.add(undefined, lines.take());
    const [first] = await request.send(client, "");
    if (first)
      throw new AutoindexError("bulk_failed", `the node did not delete ${first.failure.id}: ${first.failure.reason}`);
    deleted += hits.length;
    await refreshIndices(client, [index]);
  }
}
