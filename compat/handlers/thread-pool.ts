/** `_cat/thread_pool`. */
import { aligned, answerTable, type Column, column, extra } from "../cat/table.js";
import { hostOf, portOf } from "../cluster/node-names.js";
import type { Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { wildcard } from "../indices/names.js";
import { type ThreadPool, threadPools } from "../stats/thread-pools.js";

interface PoolRow {
  readonly request: ApiRequest;
  readonly pool: ThreadPool;
}

const isScaling = ({ pool }: PoolRow): boolean => pool.type === "scaling";

const COLUMNS: readonly Column<PoolRow>[] = [
  column("node_name", "nn", "node name", ({ request }) => request.node.name),
  extra("node_id", "id", "persistent node id", ({ request }) => request.node.id),
  extra("ephemeral_node_id", "eid", "ephemeral node id", ({ request }) => request.node.id),
  extra("pid", "p", "process id", () => process.pid),
  extra("host", "h", "host name", ({ request }) => hostOf(request.node)),
  extra("ip", "i", "ip address", ({ request }) => hostOf(request.node)),
  extra("port", "po", "bound transport port", ({ request }) => portOf(request.node)),
  column("name", "n", "thread pool name", ({ pool }) => pool.name),
  extra("type", "t", "thread pool type", ({ pool }) => pool.type),
  column("active", "a", "number of active threads", ({ pool }) => pool.active),
  extra("pool_size", "psz", "number of threads", ({ pool }) => pool.threads),
  column("queue", "q", "number of tasks currently in queue", ({ pool }) => pool.queue),
  extra("queue_size", "qs", "maximum number of tasks permitted in queue", () => -1),
  column("rejected", "r", "number of rejected tasks", ({ pool }) => pool.rejected),
  extra("largest", "l", "highest number of seen active threads", ({ pool }) => pool.largest),
  extra("completed", "c", "number of completed tasks", ({ pool }) => pool.completed),
  aligned(
    "right",
    extra("total_wait_time", "twt", "total time tasks spent waiting in thread_pool queue", ({ pool }) =>
      pool.hasWaitTime ? "0s" : "-1",
    ),
  ),
  extra("core", "cr", "core number of threads in a scaling thread pool", (row) =>
    isScaling(row) ? row.pool.threads : null,
  ),
  extra("max", "mx", "maximum number of threads in a scaling thread pool", (row) =>
    isScaling(row) ? row.pool.threads : null,
  ),
  extra("size", "sz", "number of threads in a fixed thread pool", (row) => (isScaling(row) ? null : row.pool.threads)),
  // Threads here live as long as the node.
  extra("keep_alive", "ka", "thread keep alive time", () => null),
];

/** `GET /_cat/thread_pool`, all pools or those that patterns name. */
export function catThreadPool(request: ApiRequest): Reply {
  const patterns = request.captured.thread_pool_patterns?.split(",").map(wildcard);
  return answerTable(request, COLUMNS, () =>
    threadPools(request.node.engine, request.identity)
      .filter(({ name }) => patterns === undefined || patterns.some((matches) => matches(name)))
      .map((pool) => ({ request, pool })),
  );
}
