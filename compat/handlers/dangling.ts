/** `_dangling`: folders of indices that no metadata speaks of are put aside when a node starts, so there are none. */
import { nodesEnvelope } from "../cluster/node-names.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";

/** `GET /_dangling` */
export function listDangling(request: ApiRequest): Reply {
  return json({ ...nodesEnvelope(request, true), dangling_indices: [] });
}

/** `POST` and `DELETE /_dangling/{index_uuid}` */
export function noDangling({ captured, parameters }: ApiRequest): never {
  if (!parameters.boolean("accept_data_loss", false)) throw illegalArgument("accept_data_loss must be set to true");
  throw illegalArgument(`No dangling index found for UUID [${captured.index_uuid}]`);
}
