import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { deleteWhere } from "../catalog/delete-where.js";

/** Removes the commits of a repository; answers how many. Where none were ever indexed there is no index of them. */
export async function removeCommits(client: Client, repo: string, guard: () => void): Promise<number> {
  const reply = await client.request("HEAD", `/${INDEX.commits}`);
  if (reply.status !== 200) return 0;
  return deleteWhere(client, INDEX.commits, { filter: [{ term: { repo } }] }, guard);
}
