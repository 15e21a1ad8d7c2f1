import { removeFolder } from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { counted, printable } from "../../code/index.js";
import { type Invocation, text } from "../command.js";
import { findNode } from "../node/find-node.js";

/** `pinakes remove FOLDER...`: takes folders out of the index; their files stay where they are. */
export async function runRemove(call: Invocation): Promise<number> {
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  try {
    for (const folder of call.args) {
      const { root, repo, documents, datasets } = await removeFolder(client, folder);
      const data = datasets.length === 0 ? "" : `, ${counted(datasets.length, "data set")}`;
      process.stdout.write(
        `${printable(`removed ${repo} (${root}) from the index: ${counted(documents, "document")}${data}`)}\n`,
      );
    }
  } finally {
    client.close();
  }
  return 0;
}
