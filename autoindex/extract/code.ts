import type { Query, QueryMatch, Tree } from "web-tree-sitter";
import type { LoadedGrammar } from "../grammar/load.js";
import { blankMacros } from "./c-macros.js";
import { buildDeclarations } from "./declarations.js";
import { errorWeight } from "./error-weight.js";
import { readMatches } from "./matches.js";
import type { Outline } from "./model.js";
import type { Positions } from "./positions.js";
import { buildReferences } from "./references.js";

/** Texts above this many UTF-16 units are read as windows: parsing them would cost seconds and hundreds of MB. */
export const MAX_PARSED_LENGTH = 2 * 1024 * 1024;

/** Milliseconds that parsing and querying may take: a floor, and a share for each kilobyte of text. */
export interface TimeBudget {
  parseMs: number;
  queryMs: number;
  msPerKilobyte: number;
}

/** Generous for a loaded machine: ordinary files need a tenth of it. */
export const DEFAULT_BUDGET: TimeBudget = { parseMs: 1000, queryMs: 500, msPerKilobyte: 1 };

const NOTHING: Outline = { declarations: [], references: [], parsed: "partial" };

/** Declarations and references of a text by its grammar; `partial` when the tree has errors or time ran out. */
export function outlineCode(loaded: LoadedGrammar, positions: Positions, budget = DEFAULT_BUDGET): Outline {
  const share = (positions.text.length / 1024) * budget.msPerKilobyte;
  const tree = parseBest(loaded, positions.text, budget.parseMs + share);
  if (!tree) return NOTHING;
  try {
    const matches = matchWithin(loaded.query, tree, budget.queryMs + share);
    if (!matches) return NOTHING;
    const findings = readMatches(matches);
    const { rules } = loaded.grammar;
    const declarations = buildDeclarations(findings, positions, rules);
    const references = buildReferences(findings.references, declarations, rules);
    return { declarations, references, parsed: findings.hasErrors ? "partial" : "grammar" };
  } finally {
    tree.delete();
  }
}

/** Where a language has macros and the tree has errors, a second reading without them may have fewer. */
function parseBest(loaded: LoadedGrammar, text: string, ms: number): Tree | undefined {
  const tree = parseWithin(loaded, text, ms);
  if (!tree?.rootNode.hasError || loaded.grammar.rules.macros === "none") return tree;
  const blanked = blankMacros(text);
  const other = blanked === text ? undefined : parseWithin(loaded, blanked, ms);
  if (!other) return tree;
  const [best, worse] = errorWeight(other) < errorWeight(tree) ? [other, tree] : [tree, other];
  worse.delete();
  return best;
}

function parseWithin({ parser }: LoadedGrammar, text: string, ms: number): Tree | undefined {
  const end = performance.now() + ms;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
  // A cancelled parse would be resumed by the next one.
  if (!tree) parser.reset();
  return tree ?? undefined;
}

function matchWithin(query: Query, tree: Tree, ms: number): QueryMatch[] | undefined {
  const end = performance.now() + ms;
  let isOver = false;
  const matches = query.matches(tree.rootNode, {
    progressCallback: () => {
      isOver = performance.now() > end;
      return isOver;
    },
  });
  return isOver ? undefined : matches;
}
