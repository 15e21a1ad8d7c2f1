/** `_nodes/usage`, `_nodes/reload_secure_settings`. */
import { type BodyOf, shape } from "../body/shape.js";
import { namesNode, nodesEnvelope } from "../cluster/node-names.js";
import { illegalArgument, notSupported } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";

/** `GET /_nodes/usage`: how often each endpoint was asked. */
export function nodesUsage(request: ApiRequest): Reply {
  const { node, captured } = request;
  for (const metric of captured.metric?.split(",") ?? []) {
    if (metric === "aggregations") throw notSupported("metric [aggregations] of [_nodes/usage]");
    if (metric !== "_all" && metric !== "rest_actions") {
      throw illegalArgument(`request [${request.path}] contains unrecognized metric: [${metric}]`);
    }
  }
  const matches = namesNode(request, captured.node_id);
  const usage = { timestamp: node.now(), since: node.startedAt, rest_actions: node.requests.all() };
  return json({ ...nodesEnvelope(request, matches), nodes: matches ? { [node.id]: usage } : {} });
}

export const RELOAD_SHAPE = shape("reload_secure_settings", "object", { secure_settings_password: "string" });

/** There is no keystore: it is read with no password, and with no other. */
export function reloadSecureSettings(request: ApiRequest, body: BodyOf<typeof RELOAD_SHAPE>): Reply {
  const { node, captured } = request;
  const matches = namesNode(request, captured.node_id);
  const wrong = (body.secure_settings_password ?? "") !== "";
  const reason = "Provided keystore password was incorrect";
  const reloaded = {
    name: node.name,
    ...(wrong ? { reload_exception: { type: "security_exception", reason } } : {}),
  };
  return json({ ...nodesEnvelope(request, matches), nodes: matches ? { [node.id]: reloaded } : {} });
}
