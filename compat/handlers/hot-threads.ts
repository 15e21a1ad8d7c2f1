/**
 * `_nodes/hot_threads`: what keeps the processor busy, as text in Elasticsearch's layout. Threads are the system's, their
 * times its own; for the main thread V8's profiler tells the stacks, and the board what requests it works on.
 */
import { namesNode } from "../cluster/node-names.js";
import { type Reply, text } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";
import { type SampledStacks, sampleMainThread } from "../process/main-stacks.js";
import { isMainThread, type ThreadTime, threadTimes } from "../process/thread-times.js";
import { printDuration } from "../units.js";

const DEFAULTS = { threads: 3, intervalMs: 500, snapshots: 10 };
/** Longer intervals would keep the request open for nothing. */
const MAX_INTERVAL_MS = 60_000;
/** A thread below this share of a core is idle. */
const IDLE_SHARE = 0.001;
const SHOWN_STACKS = 3;
const SHOWN_FRAMES = 30;

interface Asked {
  readonly threads: number;
  readonly intervalMs: number;
  readonly snapshots: number;
  readonly type: "cpu" | "wait";
  readonly ignoreIdle: boolean;
}

/** A thread during the interval. */
interface Busy {
  readonly thread: ThreadTime;
  readonly cpuMs: number;
  readonly waitMs: number;
}

/** `GET /_nodes/hot_threads`, of this node or of none. */
export async function hotThreads(request: ApiRequest): Promise<Reply> {
  const { node, parameters, captured } = request;
  if (!namesNode(request, captured.node_id)) return text("");
  const asked: Asked = {
    threads: Math.max(0, parameters.integer("threads") ?? DEFAULTS.threads),
    intervalMs: Math.min(MAX_INTERVAL_MS, Math.max(0, parameters.duration("interval") ?? DEFAULTS.intervalMs)),
    snapshots: Math.max(1, parameters.integer("snapshots") ?? DEFAULTS.snapshots),
    type: (parameters.text("type") ?? "cpu") as Asked["type"],
    ignoreIdle: parameters.boolean("ignore_idle_threads", true),
  };
  const at = new Date(node.now()).toISOString();
  const before = new Map(threadTimes().map((thread) => [thread.id, thread]));
  const began = performance.now();
  const stacks = await stacksDuring(asked);
  const elapsed = performance.now() - began;
  const busy = threadTimes().map((thread): Busy => {
    const earlier = before.get(thread.id);
    const cpuMs = Math.min(elapsed, thread.cpuMs - (earlier?.cpuMs ?? 0));
    const readyMs = thread.readyMs - (earlier?.readyMs ?? 0);
    return { thread, cpuMs, waitMs: Math.max(0, elapsed - cpuMs - readyMs) };
  });
  return text([...head(request, asked, at), ...hottest(request, asked, { busy, elapsed, stacks })].join("\n"));
}

/** No interval: nothing can be seen. Two requests at once: the second does without stacks. */
async function stacksDuring({ intervalMs, snapshots }: Asked): Promise<SampledStacks> {
  const none = { samples: 0, stacks: [] };
  if (intervalMs === 0) return none;
  const waiting = new Promise((resolve) => setTimeout(resolve, intervalMs));
  try {
    return await sampleMainThread(intervalMs, snapshots);
  } catch {
    await waiting;
    return none;
  }
}

function head(request: ApiRequest, asked: Asked, at: string): string[] {
  const { node } = request;
  const address = node.address();
  const host = address.replace(/:\d+$/, "");
  const interval = asked.intervalMs === 0 ? "0s" : printDuration(asked.intervalMs);
  return [
    `::: {${node.name}}{${node.id}}{${node.id}}{${host}}{${address}}{dim}`,
    `   Hot threads at ${at}, interval=${interval}, busiestThreads=${asked.threads}, ` +
      `ignoreIdleThreads=${asked.ignoreIdle}:`,
    "   ",
  ];
}

interface Seen {
  readonly busy: readonly Busy[];
  readonly elapsed: number;
  readonly stacks: SampledStacks;
}

function hottest(request: ApiRequest, asked: Asked, seen: Seen): string[] {
  const timeOf = ({ cpuMs, waitMs }: Busy) => (asked.type === "cpu" ? cpuMs : waitMs);
  return [...seen.busy]
    .filter(({ cpuMs }) => !asked.ignoreIdle || cpuMs >= seen.elapsed * IDLE_SHARE)
    .sort((a, b) => timeOf(b) - timeOf(a))
    .slice(0, asked.threads)
    .flatMap((busy) => describeThread(request, asked, { busy, time: timeOf(busy), seen }));
}

function describeThread(
  request: ApiRequest,
  asked: Asked,
  { busy, time, seen }: { busy: Busy; time: number; seen: Seen },
): string[] {
  const share = seen.elapsed === 0 ? 0 : Math.min(100, (time / seen.elapsed) * 100);
  const interval = printDuration(seen.elapsed);
  const main = isMainThread(busy.thread);
  const name = `pinakes[${request.node.name}][${main ? "main" : busy.thread.name}][T#${busy.thread.id}]`;
  return [
    `   ${share.toFixed(1).padStart(4)}% (${time.toFixed(1)}ms out of ${interval}) ${asked.type} usage by thread '${name}'`,
    ...(main ? [...stackLines(seen.stacks), ...taskLines(request)] : []),
    ...(busy.thread === firstOther(seen) ? workerLines(request) : []),
    "   ",
  ];
}

/** The system does not say which of its threads a worker is: what workers do stands with the busiest that is not main. */
function firstOther({ busy }: Seen): ThreadTime | undefined {
  const others = busy.filter(({ thread }) => !isMainThread(thread));
  return others.sort((a, b) => b.cpuMs - a.cpuMs)[0]?.thread;
}

function stackLines({ samples, stacks }: SampledStacks): string[] {
  return stacks
    .slice(0, SHOWN_STACKS)
    .flatMap((stack) => [
      `     ${stack.samples}/${samples} snapshots sharing following ${stack.frames.length} elements`,
      ...stack.frames.slice(0, SHOWN_FRAMES).map((frame) => `       ${frame}`),
    ]);
}

/** What the main thread works on: everything on the board but this request. */
function taskLines(request: ApiRequest): string[] {
  const running = request.node.engine.resources.activities.list().filter(({ id }) => id !== request.task.id);
  if (running.length === 0) return [];
  return [
    `     ${running.length} running:`,
    ...running.map(
      ({ start, runningMs }) => `       ${start.action} for ${printDuration(runningMs)}: ${start.describe()}`,
    ),
  ];
}

function workerLines(request: ApiRequest): string[] {
  const now = request.node.now();
  return request.node.engine.resources
    .workers()
    .flatMap(({ name, threadId, jobs, utilization }) => [
      `     worker ${name} (${threadId}): ${jobs.length} running, busy ${Math.round(100 * utilization)}% of its life`,
      ...jobs.map(({ kind, description, since }) => `       ${kind} for ${printDuration(now - since)}: ${description}`),
    ]);
}
