/** Indices of a snapshot by a list of names, patterns and exclusions, as Elasticsearch's SnapshotUtils.filterIndices has it. */
import { ApiError } from "../errors.js";
import { wildcard } from "../indices/names.js";

/** Chosen names in the order of `available`. Throws ApiError 404 for a name that is not there. */
export function chooseIndices(
  available: readonly string[],
  asked: readonly string[],
  ignoreUnavailable: boolean,
): string[] {
  if (asked.length === 0 || (asked.length === 1 && (asked[0] === "_all" || asked[0] === "*"))) return [...available];
  const chosen = new Set<string>();
  for (const [at, part] of asked.entries()) {
    if (available.includes(part)) {
      chosen.add(part);
      continue;
    }
    const excludes = part.startsWith("-");
    // A list that begins by taking away takes away from everything.
    if (excludes && at === 0) for (const name of available) chosen.add(name);
    const pattern = excludes || part.startsWith("+") ? part.slice(1) : part;
    const matches = wildcard(pattern === "_all" ? "*" : pattern);
    const found = available.filter(matches);
    if (found.length === 0 && !pattern.includes("*") && pattern !== "_all" && !ignoreUnavailable) {
      throw notInSnapshot(pattern);
    }
    for (const name of found) excludes ? chosen.delete(name) : chosen.add(name);
  }
  return available.filter((name) => chosen.has(name));
}

function notInSnapshot(name: string): ApiError {
  return new ApiError(404, "index_not_found_exception", `no such index [${name}]`, {
    fields: { index: name, index_uuid: "_na_" },
  });
}
