/**
 * What no request may ask for, since the node would be right to do it: to wait for minutes, or to remove the index whose
 * documents prove that nothing is harmed.
 */
import type { WireRequest } from "./wire-request.js";

/** The index of control; hidden, so that patterns do not mean it. */
export const CONTROL_INDEX = "torture-control";

const WAITS = /^(timeout|master_timeout|cluster_manager_timeout|wait_for_completion_timeout)$/;
const DURATION = /^\d+(\.\d+)?(nanos|micros|ms|s|m|h|d)$/;
const SHORT = "300ms";
/** What may wait for something that one node never has. */
const MAY_WAIT = /wait_for_|_cluster\/health|_tasks\//;
const SETTING_THAT_WAITS = /("(?:index\.)?(?:write\.)?wait_for_active_shards"\s*:\s*)("[^"]*"|-?\d+)/g;

/** Changes the request so that it is none of these. */
export function tame(request: WireRequest): void {
  const mark = request.path.indexOf("?");
  const path = mark === -1 ? request.path : request.path.slice(0, mark);
  const pairs = mark === -1 ? [] : request.path.slice(mark + 1).split("&");
  const kept = pairs.filter((pair) => !isSlow(pair)).map((pair) => tamePair(pair, request.method));
  if (MAY_WAIT.test(request.path) && !kept.some((pair) => pair.startsWith("timeout="))) kept.push(`timeout=${SHORT}`);
  request.path = kept.length === 0 ? path : `${path}?${kept.join("&")}`;
  if (request.path.includes(CONTROL_INDEX)) request.path = "/";
  const text = request.body?.toString("latin1") ?? "";
  if (SETTING_THAT_WAITS.test(text)) request.body = Buffer.from(text.replace(SETTING_THAT_WAITS, "$11"), "latin1");
}

/** By-query requests that were asked to take their time. */
function isSlow(pair: string): boolean {
  const rate = /^requests_per_second=([\d.eE+]+)$/.exec(pair)?.[1];
  return rate !== undefined && Number(rate) < 1000;
}

function tamePair(pair: string, method: string): string {
  const [name, value = ""] = pair.split("=");
  if (WAITS.test(name) && DURATION.test(value)) return `${name}=${SHORT}`;
  const isRead = method === "GET" || method === "HEAD";
  if (name === "expand_wildcards" && !isRead && /hidden|all/.test(value)) return "expand_wildcards=open,closed";
  return pair;
}
