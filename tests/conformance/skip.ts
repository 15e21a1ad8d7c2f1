/** Which cases are not for this server or this runner: `skip` and `requires`. */
import { isMap, printScalar, type Value } from "./values.js";

/** What this runner can do; a case that needs anything else is skipped and counted by that. */
const FEATURES = new Set([
  "allowed_warnings",
  "allowed_warnings_regex",
  "arbitrary_key",
  "catch_unauthorized",
  "close_to",
  "contains",
  "default_shards",
  "embedded_stash_key",
  "headers",
  "is_after",
  "node_selector",
  "regex",
  "stash_in_key",
  "stash_in_path",
  "stash_path_replace",
  "transform_and_set",
  "warnings",
  "warnings_regex",
  "yaml",
]);

/** A server, as its versions are compared. */
export interface Server {
  version: string;
  isOpenSearch: boolean;
}

/** Why the case is skipped; undefined: it is not. */
export function skipReason(argument: Value, server: Server): string | undefined {
  if (!isMap(argument)) return "a skip that is no map";
  const version = argument.get("version");
  if (version !== undefined && version !== null && isInRanges(printScalar(version), server)) return "version";
  const features = [argument.get("features") ?? argument.get("test_runner_features") ?? []].flat();
  const wanted = features.flatMap((one) => printScalar(one).split(",")).map((one) => one.trim());
  const unknown = wanted.find((one) => !FEATURES.has(one));
  if (unknown !== undefined) return `feature ${unknown}`;
  return ["os", "awaits_fix"].find((key) => argument.has(key));
}

/** Why the newer dialect's `requires` is not met; undefined: it is. */
export function requiresReason(argument: Value, server: Server): string | undefined {
  if (!isMap(argument)) return "a requires that is no map";
  if (argument.get("stack") === false) return "requires serverless";
  const lacking = [argument.get("cluster_features") ?? []].flat().map(printScalar);
  const missing = lacking.find((feature) => {
    const since = /^gte_v(.+)$/.exec(feature)?.[1];
    return since === undefined || compareVersions(keyOf(server.version, server), keyOf(since, server)) < 0;
  });
  if (missing !== undefined) return `cluster feature ${missing}`;
  return skipReason(new Map([...argument].filter(([key]) => key === "test_runner_features")), server);
}

/** `all`, ` - 2.9.99`, `2.4.0 - `, or several of them with commas. */
function isInRanges(ranges: string, server: Server): boolean {
  return ranges.split(",").some((range) => {
    if (range.trim() === "all") return true;
    const [low = "", high = ""] = range.split(/\s*-\s/).length > 1 ? range.split(/\s*-\s*/) : range.split("-");
    const version = keyOf(server.version, server);
    const isAbove = low.trim() === "" || compareVersions(keyOf(low, server), version) <= 0;
    return isAbove && (high.trim() === "" || compareVersions(version, keyOf(high, server)) <= 0);
  });
}

/** OpenSearch began anew with 1.0: what its suite says of versions 5 to 8 is of the product before, and older. */
function keyOf(version: string, { isOpenSearch }: Server): number[] {
  const parts = version
    .trim()
    .split(".")
    .map((part) => Number.parseInt(part, 10) || 0);
  return isOpenSearch && parts[0] >= 5 && parts[0] < 10 ? [parts[0] - 100, ...parts.slice(1)] : parts;
}

function compareVersions(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
