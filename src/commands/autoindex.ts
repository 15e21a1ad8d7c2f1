import { Client } from "../../client/index.js";
import {
  type CommandRow,
  DATA_OPTION,
  type Invocation,
  text,
  URL_OPTION,
  WORKERS_OPTION,
  wholeNumber,
} from "../command.js";
import { checkFolders, indexFolders } from "../index-folders.js";
import { findNode } from "../node/find-node.js";

/** `pinakes autoindex FOLDER...`: brings the index of a running node or cluster up to date with folders. */
export const AUTOINDEX: CommandRow = {
  name: "autoindex",
  args: "<folder...>",
  summary: "bring the index up to date with folders",
  examples: ["pinakes autoindex ~/my-project", "pinakes autoindex . --url https://cluster:9200"],
  options: [URL_OPTION, DATA_OPTION, WORKERS_OPTION],
  run: runAutoindex,
};

async function runAutoindex(call: Invocation): Promise<number> {
  checkFolders(call.args);
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }), connections: 4 });
  try {
    await indexFolders({ client, folders: call.args, workers: wholeNumber(call, "workers", { min: 1, max: 64 }) });
  } finally {
    client.close();
  }
  return 0;
}
