/** Names of metrics in paths: which are known, and what is said of others. */
import { illegalArgument } from "../errors.js";
import { didYouMean } from "../near-names.js";

/** Reads a comma list of metrics, `_all` alone or none being all. Throws ApiError 400 in Elasticsearch's words. */
export function readMetrics(
  asked: string | undefined,
  known: ReadonlySet<string>,
  { path, what }: { path: string; what: "metric" | "index metric" },
): readonly string[] | "all" {
  const names = [...new Set(asked?.split(",").filter((name) => name !== "") ?? [])];
  if (names.length === 0 || (names.length === 1 && names[0] === "_all")) return "all";
  if (names.includes("_all")) {
    throw illegalArgument(`request [${path}] contains _all and individual metrics [${names.join(",")}]`);
  }
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length === 0) return names;
  const described = unknown.map((name) => {
    const hint = didYouMean(name, known);
    return `[${name}]${hint === "" ? "" : ` ->${hint}`}`;
  });
  const noun = unknown.length === 1 ? what : `${what}s`;
  throw illegalArgument(`request [${path}] contains unrecognized ${noun}: ${described.join(", ")}`);
}
