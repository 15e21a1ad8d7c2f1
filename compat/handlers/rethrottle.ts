/** `_rethrottle`: another pace for a request by query or a reindex that runs. */
import { readPace } from "../by-query/options.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { parseTaskId, printTaskId } from "../tasks/task-id.js";
import { groupedTasks } from "./tasks.js";

/** `POST /_reindex/{task_id}/_rethrottle` and its like. */
export function rethrottle(request: ApiRequest): Reply {
  const { node, captured, parameters } = request;
  const pace = readPace(parameters);
  if (pace === undefined) throw illegalArgument("requests_per_second is a required parameter");
  const wanted = parseTaskId(captured.task_id);
  const groupBy = parameters.text("group_by") ?? "nodes";
  const { activities } = node.engine.resources;
  const task = wanted.node === node.id ? activities.find(wanted.id) : undefined;
  const changed = task !== undefined && node.throttles.change(wanted.id, pace);
  if (task === undefined || !changed) return json(missing(request, wanted));
  return json(groupedTasks(request, [task], { groupBy, detailed: true }));
}

function missing({ node }: ApiRequest, wanted: ReturnType<typeof parseTaskId>): Record<string, unknown> {
  const name = printTaskId(wanted.node, wanted.id);
  const cause =
    wanted.node === node.id
      ? { type: "resource_not_found_exception", reason: `task [${name}] is missing` }
      : { type: "no_such_node_exception", reason: `No such node [${wanted.node}]`, node_id: wanted.node };
  const failure = {
    type: "failed_node_exception",
    reason: `Failed node [${wanted.node}]`,
    node_id: wanted.node,
    caused_by: cause,
  };
  return { node_failures: [failure], nodes: {} };
}
