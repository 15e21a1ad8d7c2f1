/** `_cluster/state`, `_cluster/reroute`, and what a cluster of one has to say of its coordination. */
import { type BodyOf, shape } from "../body/shape.js";
import { describeState, readStateMetrics, STATE_METRICS } from "../cluster/describe-state.js";
import { namesNode } from "../cluster/node-names.js";
import { rejectCommand } from "../cluster/reroute-commands.js";
import {
  ABSENT,
  addVotingExclusions,
  clearVotingExclusions,
  type VotingExclusion,
  votingExclusions,
} from "../cluster/voting-exclusions.js";
import { illegalArgument } from "../errors.js";
import { json, type Reply, text } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { EVERY, indicesOf, nameOptions, STRICT } from "../indices/names.js";

/** `GET /_cluster/state`: everything there is, or what of some indices is asked for. */
export function clusterState(request: ApiRequest): Reply {
  const { node, captured, parameters, path } = request;
  const metrics = readStateMetrics(captured.metrics?.split(",") ?? ["_all"], path);
  const named = captured.index !== undefined && captured.index !== "_all";
  const options = nameOptions(parameters, named ? { ...STRICT, ignoreUnavailable: true } : EVERY);
  const indices = indicesOf(node.engine, captured.index ?? "_all", options);
  return json({
    cluster_name: node.clusterName,
    cluster_uuid: node.clusterUuid,
    ...describeState(request, metrics, indices),
  });
}

export const REROUTE_SHAPE = shape("cluster_reroute", "object", { commands: "list" });

/** `POST /_cluster/reroute`: shards stay where they are; why, is told for each command. */
export function reroute(request: ApiRequest, body: BodyOf<typeof REROUTE_SHAPE>): Reply {
  const { node, parameters, path } = request;
  const asked = parameters.list("metric");
  const metrics =
    asked === undefined
      ? STATE_METRICS.filter((metric) => metric !== "metadata")
      : readStateMetrics(
          asked.filter((metric) => metric !== "none"),
          path,
        );
  const explain = parameters.boolean("explain", false);
  const explanations = (body.commands ?? []).map((command) => {
    const { label, ...explanation } = rejectCommand(request, command);
    if (!explain) throw illegalArgument(`[${label}] ${explanation.decisions[0].explanation}`);
    return explanation;
  });
  const indices = indicesOf(node.engine, "_all", EVERY);
  const state = { cluster_uuid: node.clusterUuid, ...describeState(request, metrics, indices) };
  return json({ acknowledged: true, state, ...(explain ? { explanations } : {}) });
}

/** `GET /_cluster/pending_tasks`: a change of the cluster's state is made at once. */
export function pendingTasks(): Reply {
  return json({ tasks: [] });
}

/** `GET /_remote/info`: there are no remote clusters. */
export function remoteInfo(): Reply {
  return json({});
}

const MAX_EXCLUSIONS = 10;

/** `POST /_cluster/voting_config_exclusions` */
export async function postVotingExclusions(request: ApiRequest): Promise<Reply> {
  const { engine } = request.node;
  const ids = request.parameters.list("node_ids");
  const names = request.parameters.list("node_names");
  if ((ids === undefined) === (names === undefined)) {
    throw illegalArgument(
      "Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set",
    );
  }
  const further = [
    ...(ids ?? []).map((id): VotingExclusion => ({ node_id: id, node_name: ABSENT })),
    ...(names ?? []).map((name): VotingExclusion => ({ node_id: ABSENT, node_name: name })),
  ];
  const own = [...(ids ?? []), ...(names ?? [])].find((one) => namesNode(request, one));
  if (own !== undefined) {
    throw illegalArgument(`[${own}] is the only node of the cluster: without its vote there would be none`);
  }
  if (votingExclusions(engine).length + further.length > MAX_EXCLUSIONS) {
    throw illegalArgument(
      `add voting config exclusions request would exceed the maximum number of [${MAX_EXCLUSIONS}] exclusions`,
    );
  }
  await addVotingExclusions(engine, further);
  return text("");
}

/** `DELETE /_cluster/voting_config_exclusions`: none of those named is there to be waited for. */
export async function deleteVotingExclusions(request: ApiRequest): Promise<Reply> {
  await clearVotingExclusions(request.node.engine);
  return text("");
}
