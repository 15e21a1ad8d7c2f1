/**
 * Clone, shrink and split: an index made of all documents of another. Shards are virtual here, so that only their number
 * differs; which numbers may follow which is Elasticsearch's rule (TransportResizeAction, IndexMetadata.selectShrinkShards,
 * selectSplitShard, selectCloneShard), so that what works here works there.
 */
import { type Index, routingShards } from "../../engine/index.js";
import { ApiError, illegalArgument, validationFailed } from "../errors.js";
import { RESIZED_ROUTING_SHARDS, routingShardsOf, shardsOf } from "./settings.js";

export type ResizeKind = "clone" | "shrink" | "split";

/** Settings that a target has for its number of shards. Throws ApiError 400 for a number that can't be. */
export function resizedShards(
  kind: ResizeKind,
  source: Index,
  asked: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const from = shardsOf(source.definition.settings);
  if (asked.number_of_routing_shards !== undefined && !(kind === "split" && from === 1)) {
    throw illegalArgument("cannot provide index.number_of_routing_shards on resize");
  }
  const given = asked.number_of_shards ?? undefined;
  if (given === undefined && kind === "split") {
    throw validationFailed("index.number_of_shards is required for split operations");
  }
  const to = Number(given ?? (kind === "clone" ? from : 1));
  const spread = splitsOne(kind, from)
    ? Number(asked.number_of_routing_shards ?? routingShards(to))
    : routingShardsOf(source.definition.settings);
  RULES[kind](from, to);
  if (kind === "split" && spread % to !== 0) {
    throw illegalState(`the number of routing shards [${spread}] must be a multiple of the target shards [${to}]`);
  }
  return { number_of_shards: String(to), [RESIZED_ROUTING_SHARDS]: String(spread) };
}

/** Documents of one shard were never spread: how they are from now on is free. */
function splitsOne(kind: ResizeKind, from: number): boolean {
  return kind === "split" && from === 1;
}

const RULES: Readonly<Record<ResizeKind, (from: number, to: number) => void>> = {
  clone: (from, to) => {
    if (from === to) return;
    throw illegalArgument(
      `the number of target shards (${to}) must be the same as the number of source shards (${from})`,
    );
  },
  shrink: (from, to) => {
    if (to > from) {
      throw illegalArgument(
        `the number of target shards [${to}] must be less that the number of source shards [${from}]`,
      );
    }
    if (from % to !== 0) throw illegalArgument(`the number of source shards [${from}] must be a multiple of [${to}]`);
  },
  split: (from, to) => {
    if (to < from) {
      throw illegalArgument(
        `the number of source shards [${from}] must be less that the number of target shards [${to}]`,
      );
    }
    if (to % from !== 0) throw illegalArgument(`the number of source shards [${from}] must be a factor of [${to}]`);
  },
};

/** Nothing may be written to the source meanwhile. Throws ApiError 400. */
export function checkSource({ name, definition: { settings } }: Index): void {
  if (settings["blocks.write"] === "true" || settings["blocks.read_only"] === "true") return;
  throw illegalState(`index ${name} must block write operations to resize index. use "index.blocks.write=true"`);
}

/** The fewest shards, a factor of the source's, that are not larger than so many bytes each. */
export function shardsForSize(source: Index, maxBytes: number): number {
  const from = shardsOf(source.definition.settings);
  const least = Math.max(1, Math.ceil(source.stats().storeBytes / maxBytes));
  for (let shards = least; shards < from; shards++) if (from % shards === 0) return shards;
  return from;
}

/** Elasticsearch's type for a state that does not allow what is asked; there a 500, though it is the request's fault. */
function illegalState(reason: string): ApiError {
  return new ApiError(400, "illegal_state_exception", reason);
}
