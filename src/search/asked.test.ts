import { expect, test } from "vitest";
import { WireError } from "../../client/index.js";
import { UsageError } from "../command.js";
import { searchError } from "./asked.js";

const LARGE =
  "all shards failed: [request] Data too large, data for [hits] would be [700000000/667.5mb], which is larger than the limit of [600000000/572.2mb]";
const large = new WireError(503, "search_phase_execution_exception", LARGE, "{}");

test.each([
  [
    "lines",
    10_000,
    "list paths alone (-l) or count lines (-c), ask for fewer hits (--limit below 10000), or narrow the query (path:, lang:, repo:)",
  ],
  ["paths", undefined, "ask for fewer hits (--limit 100), or narrow the query (path:, lang:, repo:)"],
] as const)("an answer that is too large is refused with what makes it smaller: %s", (show, limit, ways) => {
  const error = searchError({ text: "/x*/", show, limit }, large);
  expect(error).toBeInstanceOf(WireError);
  expect((error as WireError).message).toBe(`${LARGE}\n  the hits do not fit into the memory of the node: ${ways}`);
});

test("a refused pattern is pointed at, and what is about neither stays what it is", () => {
  const asked = { text: "/(/", show: "lines", limit: 10 } as const;
  const pattern = new WireError(400, "x", "regular expression [(]: there is no ) for the ( at column 1", "{}");
  expect(searchError(asked, pattern)).toBeInstanceOf(UsageError);
  const other = new WireError(404, "index_not_found_exception", "no such index [x]", "{}");
  expect(searchError(asked, other)).toBe(other);
});
