/** What a declaration counts before any word is looked at: by its kind, its class of file, and whether it is a header's or an example's. */
import type { Clause } from "../query-clauses.js";
import { constant } from "./constant.js";
import type { KindWeight } from "./weights.js";

/** How much each counts. */
export interface Priors {
  kinds: readonly KindWeight[];
  source: number;
  implementation: number;
}

/** Clauses that add constants, so that `explain` shows each of them. */
export function priorClauses({ kinds, source, implementation }: Priors): Clause[] {
  return [
    ...kinds.map(({ kinds, boost }) => constant({ terms: { kind: [...kinds] } }, boost)),
    constant({ term: { class: "source" } }, source),
    constant({ bool: { filter: [{ term: { class: "source" } }], must_not: [...HEADERS, SHOWN] } }, implementation),
  ];
}

/** Code that shows how a product is used, by its folders: what it has the same names for is meant less often. */
const SHOWN: Clause = { terms: { "path.text": ["examples", "demo", "demos", "playground", "playgrounds", "samples"] } };
/** C's headers, Python's and TypeScript's stubs, told by the last words of the path. */
const HEADERS: readonly Clause[] = [
  { terms: { "path.text": ["h", "pyi"] } },
  { match_phrase: { "path.text": { query: "d ts" } } },
];
