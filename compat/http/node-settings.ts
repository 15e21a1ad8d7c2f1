/** Settings that a node is started with, by their names in Elasticsearch's configuration. */
import { illegalArgument } from "../errors.js";
import { didYouMean } from "../near-names.js";
import { parseSize } from "../units.js";
import { CORS_DEFAULTS, type Cors, type CorsSetting, readCors } from "./cors.js";

/** What the settings mean to the server. */
export interface NodeSettings {
  readonly cors?: Cors;
  readonly clusterName?: string;
  readonly nodeName?: string;
  readonly maxContentBytes?: number;
}

const OTHERS = ["cluster.name", "http.max_content_length", "node.name"] as const;

/** Names that are known, sorted. */
export const NODE_SETTINGS: readonly string[] = [...Object.keys(CORS_DEFAULTS), ...OTHERS].sort();

/** Reads `name=value` pairs. Throws ApiError 400 for a name that is not known, or a value that means nothing. */
export function readNodeSettings(pairs: readonly string[]): NodeSettings {
  const given: Record<string, string> = {};
  for (const pair of pairs) {
    const mark = pair.indexOf("=");
    if (mark < 1) throw illegalArgument(`a setting is given as name=value, not as [${pair}]`);
    const name = pair.slice(0, mark);
    if (!NODE_SETTINGS.includes(name)) {
      throw illegalArgument(`setting [${name}] is not supported by Pinakes${didYouMean(name, NODE_SETTINGS)}`);
    }
    given[name] = pair.slice(mark + 1);
  }
  const size = given["http.max_content_length"];
  return {
    cors: readCors(given as Partial<Record<CorsSetting, string>>),
    clusterName: given["cluster.name"],
    nodeName: given["node.name"],
    maxContentBytes: size === undefined ? undefined : parseSize(size, "http.max_content_length"),
  };
}
