/** What the README lists is what there is. */
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { QUERY_KINDS } from "../compat/query/index.js";
import { ROOT } from "./import-graph.js";

it("names every query that is answered, and no other", () => {
  const readme = fs.readFileSync(path.join(ROOT, "README.md"), "utf8");
  const list = /^- Queries: ([\s\S]*?), and `knn` beside the query\./m.exec(readme)?.[1] ?? "";
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, kind]) => kind);
  expect(named.sort()).toEqual(Object.keys(QUERY_KINDS).sort());
});
