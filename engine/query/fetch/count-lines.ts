/** How many lines match, over all documents that are found. */
import type { MatchingLinesOptions, SearchRequest } from "../../search.js";
import { intersect, nextBit } from "../exec/bits.js";
import type { PlannedReader } from "../exec/collect-hits.js";
import type { LeafContext } from "../exec/context.js";
import { matchingBits } from "../exec/count.js";
import { planBits } from "../exec/filter-bits.js";
import type { Steps } from "../exec/pace.js";
import { prepareBits } from "../exec/prepare-bits.js";
import { LinesFetcher } from "./matching-lines.js";

/** Lines of documents that match query and post filter, and those documents. */
export function* countLines(
  planned: readonly PlannedReader[],
  request: SearchRequest,
): Steps<{ lines: number; documents: number }> {
  const total = { lines: 0, documents: 0 };
  for (const reader of planned) {
    const options = request.matchingLines as MatchingLinesOptions;
    const fetcher = new LinesFetcher(reader.plan, options);
    try {
      for (const leaf of reader.context.leaves) yield* countLeafLines(reader, leaf, fetcher, total);
    } finally {
      fetcher.close();
    }
  }
  return total;
}

function* countLeafLines(
  { plan, postFilter }: PlannedReader,
  leaf: LeafContext,
  fetcher: LinesFetcher,
  total: { lines: number; documents: number },
): Steps {
  yield* prepareBits(leaf, plan);
  const bits = matchingBits(leaf, plan);
  if (postFilter !== null) {
    yield* prepareBits(leaf, postFilter);
    intersect(bits, planBits(leaf, postFilter));
  }
  for (let doc = nextBit(bits, 0); doc >= 0; doc = nextBit(bits, doc + 1)) {
    total.lines += fetcher.count(leaf, doc);
    total.documents++;
    yield;
  }
}
