import { Client } from "../../client/index.js";
import { type Invocation, text, wholeNumber } from "../command.js";
import { checkFolders, indexFolders } from "../index-folders.js";
import { findNode } from "../node/find-node.js";

/** `pinakes autoindex FOLDER...`: brings the index of a running node or cluster up to date with folders. */
export async function runAutoindex(call: Invocation): Promise<number> {
  checkFolders(call.args);
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }), connections: 4 });
  try {
    await indexFolders({
      client,
      folders: call.args,
      workers: wholeNumber(call, "workers", { min: 1, max: 64 }),
      hidden: call.options.hidden === true ? "index" : "skip",
    });
  } finally {
    client.close();
  }
  return 0;
}
