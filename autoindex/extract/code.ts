import type { QueryMatch, Tree } from "web-tree-sitter";
import { matchesAt } from "../grammar/ask-query.js";
import { candidates } from "../grammar/candidates.js";
import type { LoadedGrammar, LoadedQuery } from "../grammar/load.js";
import { inputOf } from "../grammar/text-input.js";
import { resolveConditionals } from "./c-conditionals.js";
import { blankMacros } from "./c-macros.js";
import { blankTables } from "./c-tables.js";
import { buildDeclarations } from "./declarations.js";
import { errorWeight } from "./error-weight.js";
import { readMatches } from "./matches.js";
import type { Outline } from "./model.js";
import type { Positions } from "./positions.js";
import { buildReferences } from "./references.js";
import { type Parsed, treeToStartFrom } from "./reparse.js";
import { type Exhaustion, PARSE_LIMITS, QUERY_LIMITS, WorkBudget, type WorkLimits } from "./work-budget.js";

/** Texts above this many UTF-16 units are read as windows: parsing them would cost seconds and hundreds of MB. */
export const MAX_PARSED_LENGTH = 2 * 1024 * 1024;

/** What parsing and querying may cost. */
export interface TextLimits {
  parse: WorkLimits;
  query: WorkLimits;
}

const DEFAULT_LIMITS: TextLimits = { parse: PARSE_LIMITS, query: QUERY_LIMITS };

const SHORT_TEXT = 64 * 1024;

function nothing(gaveUp: Exhaustion | undefined): Outline {
  return { declarations: [], references: [], parsed: "partial", ...(gaveUp && { gaveUp }) };
}

/**
 * Declarations and references of a text by its grammar; `partial` when the tree has errors or it was too much work. `text` is
 * what is parsed: the whole text, or one of the same length with only a part of it left.
 */
export function outlineCode(
  loaded: LoadedGrammar,
  positions: Positions,
  limits = DEFAULT_LIMITS,
  text = positions.text,
): Outline {
  const { tree, gaveUp } = parseBest(loaded, text, limits.parse);
  if (!tree) return nothing(gaveUp);
  try {
    const budget = new WorkBudget(text.length, limits.query);
    const matches = matchWithin(loaded, tree, budget);
    if (!matches) return nothing(budget.over);
    const findings = readMatches(matches);
    const { rules } = loaded.grammar;
    const declarations = buildDeclarations(findings, positions, rules);
    const references = buildReferences(findings, declarations, { text: positions.text, rules });
    const outline: Outline = { declarations, references, parsed: findings.hasErrors ? "partial" : "grammar" };
    if (gaveUp) outline.gaveUp = gaveUp;
    if (findings.hasErrors) outline.errorShare = Math.min(1, errorWeight(loaded.runtime, tree) / text.length);
    return outline;
  } finally {
    tree.delete();
  }
}

/** A tree, and what kept the text from being read in a way that might have given a better one. */
export interface BestTree {
  tree: Tree | undefined;
  gaveUp: Exhaustion | undefined;
}

/**
 * The tree with the fewest errors. Where a language has a preprocessor, the text is read with its macros overwritten, and
 * while much of it makes no sense, with its conditionals resolved, then as it is.
 */
export function parseBest(loaded: LoadedGrammar, text: string, limits = PARSE_LIMITS): BestTree {
  const { macros } = loaded.grammar.rules;
  const budget = new WorkBudget(text.length, limits);
  if (macros === "none") return { tree: parseWithin(loaded, text, budget), gaveUp: budget.over };
  const reads: string[] = [];
  let first: Parsed | undefined;
  let best: Tree | undefined;
  let weight = Number.POSITIVE_INFINITY;
  for (const { reading, worthIt } of READINGS[macros](text)) {
    if (weight <= worthIt * text.length) break;
    const read = reading();
    // Where nothing was overwritten, what was read is what there is.
    if (reads.includes(read)) continue;
    reads.push(read);
    const tree = parseWithin(loaded, read, budget, first);
    if (!tree) break;
    first ??= { text: read, tree };
    const own = errorWeight(loaded.runtime, tree);
    const [better, worse] = own < weight ? [tree, best] : [best, tree];
    if (worse !== first.tree) worse?.delete();
    best = better;
    weight = Math.min(weight, own);
  }
  if (first && first.tree !== best) first.tree.delete();
  return { tree: best, gaveUp: budget.over };
}

/** How a text may be read, and the share of errors in the readings before it that makes it worth its time. */
function readings(text: string): { reading: () => string; worthIt: number }[] {
  let blanked: string | undefined;
  const withoutMacros = () => {
    blanked ??= blankMacros(text);
    return blanked;
  };
  return [
    { reading: withoutMacros, worthIt: 0 },
    { reading: () => resolveConditionals(withoutMacros(), "cutting"), worthIt: 0.001 },
    { reading: () => resolveConditionals(withoutMacros(), "all"), worthIt: 0.005 },
    { reading: () => text, worthIt: 0.01 },
    { reading: () => blankTables(resolveConditionals(withoutMacros(), "all")), worthIt: 0.05 },
  ];
}

/** A blank before a closing brace is read as a line feed: enums of Kotlin that stand in one line need it. */
function readingsOfLineEnds(text: string): { reading: () => string; worthIt: number }[] {
  return [
    { reading: () => text, worthIt: 0 },
    { reading: () => text.replace(/[ \t](?=\})/g, "\n"), worthIt: 0 },
  ];
}

function readingsOfConditionals(text: string): { reading: () => string; worthIt: number }[] {
  return [
    { reading: () => text, worthIt: 0 },
    { reading: () => resolveConditionals(text, "cutting"), worthIt: 0.001 },
    { reading: () => resolveConditionals(text, "all"), worthIt: 0.005 },
  ];
}

const READINGS = {
  conditionals: readingsOfConditionals,
  "line ends": readingsOfLineEnds,
  preprocessor: readings,
} as const;

/** `known`: another reading of the same text, from which the parser takes over what both have in common. */
function parseWithin({ parser }: LoadedGrammar, text: string, budget: WorkBudget, known?: Parsed): Tree | undefined {
  // Counting costs time of its own; a text this short parses within the budget whatever it holds.
  const isShort = text.length < SHORT_TEXT;
  const from = known && treeToStartFrom(known, text);
  const tree = parser.parse(inputOf(text), from, isShort ? {} : { progressCallback: budget.step });
  from?.delete();
  // A cancelled parse would be resumed by the next one.
  if (!tree) parser.reset();
  return tree ?? undefined;
}

/** What all queries find, patterns numbered by their places in the language's query; nothing when it was too much. */
function matchWithin(loaded: LoadedGrammar, tree: Tree, budget: WorkBudget): QueryMatch[] | undefined {
  const all: QueryMatch[] = [];
  for (const query of loaded.queries) {
    for (const match of matchesOf(query, loaded, tree, budget)) {
      match.patternIndex = query.places[match.patternIndex]!;
      all.push(match);
    }
    if (budget.over) return undefined;
  }
  return all;
}

function matchesOf(
  { query, begins }: LoadedQuery,
  { runtime }: LoadedGrammar,
  tree: Tree,
  { step }: WorkBudget,
): QueryMatch[] {
  const root = tree.rootNode;
  if (begins === "at the root") return query.matches(root, { progressCallback: step, maxStartDepth: 0 });
  const nodes = begins === "anywhere" ? undefined : candidates(runtime, tree, begins, step);
  return nodes ? matchesAt(runtime, { query, tree, nodes, step }) : query.matches(root, { progressCallback: step });
}
