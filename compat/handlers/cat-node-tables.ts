/** Small tables about the node: who leads the cluster, what its attributes, its plugins and its pending tasks are. */
import { answerTable, type Column, column, extra } from "../cat/table.js";
import { hostOf, portOf } from "../cluster/node-names.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import type { Node } from "../node.js";

const MANAGER: readonly Column<Node>[] = [
  column("id", "", "node id", ({ id }) => id),
  column("host", "h", "host name", hostOf),
  column("ip", "", "ip address", hostOf),
  column("node", "n", "node name", ({ name }) => name),
];

/** `GET /_cat/master`, `GET /_cat/cluster_manager` */
export function catManager(request: ApiRequest): Reply {
  return answerTable(request, MANAGER, () => [request.node]);
}

interface AttributeRow {
  readonly node: Node;
  readonly name: string;
  readonly value: string;
}

const ATTRIBUTES: readonly Column<AttributeRow>[] = [
  column("node", "name", "node name", ({ node }) => node.name),
  extra("id", "id,nodeId", "unique node id", ({ node }) => node.id),
  extra("pid", "p", "process id", () => process.pid),
  column("host", "h", "host name", ({ node }) => hostOf(node)),
  column("ip", "i", "ip address", ({ node }) => hostOf(node)),
  extra("port", "po", "bound transport port", ({ node }) => portOf(node)),
  column("attr", "attr.name", "attribute description", ({ name }) => name),
  column("value", "attr.value", "attribute value", ({ value }) => value),
];

/** `GET /_cat/nodeattrs` */
export function catNodeAttributes(request: ApiRequest): Reply {
  const { node } = request;
  return answerTable(request, ATTRIBUTES, () =>
    Object.entries(node.attributes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({ node, name, value })),
  );
}

/** A row of a table that never has one. */
const NOTHING = () => null;

const PLUGINS: readonly Column<never>[] = [
  extra("id", "", "unique node id", NOTHING),
  column("name", "n", "node name", NOTHING),
  column("component", "c", "component", NOTHING),
  column("version", "v", "component version", NOTHING),
  extra("description", "d", "plugin details", NOTHING),
];

/** `GET /_cat/plugins`: there are none, and none can be. */
export function catPlugins(request: ApiRequest): Reply {
  return answerTable(request, PLUGINS, () => []);
}

const PENDING: readonly Column<never>[] = [
  column("insertOrder", "o", "task insertion order", NOTHING),
  column("timeInQueue", "t", "how long task has been in queue", NOTHING),
  column("priority", "p", "task priority", NOTHING),
  column("source", "s", "task source", NOTHING),
];

/** `GET /_cat/pending_tasks`: a change of the cluster's state is made at once. */
export function catPendingTasks(request: ApiRequest): Reply {
  return answerTable(request, PENDING, () => []);
}
