import { type FileVersion, INDEX } from "../code/index.js";
import { equals, sources } from "./node.js";
import { toLines } from "./working-file.js";
import type { Workspace } from "./workspace.js";

/**
 * Lines of the text that the indexer made of a file's bytes (of a notebook, a message, a document): the lines that hits
 * name. Nothing for a file that is a text itself, and for one that the index does not have with this blob.
 */
export async function madeLines(
  { client }: Pick<Workspace, "client">,
  { repo, path, blob }: Pick<FileVersion, "repo" | "path" | "blob">,
): Promise<string[] | undefined> {
  const filter = { bool: { filter: [equals({ repo, path, blob }), { exists: { field: "format" } }] } };
  const query = { bool: { filter: [filter], must_not: [{ term: { format: "text" } }] } };
  const [made] = await sources<{ body: string }>(client, INDEX.files, { query, size: 1, _source: ["body"] });
  return made === undefined ? undefined : toLines(made.body);
}
