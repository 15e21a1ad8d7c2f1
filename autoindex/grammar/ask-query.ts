/**
 * Asks a query of single nodes. `Query.matches` does the same, with a dozen options and several objects a call, which takes
 * longer than the answer when nodes are asked by the ten thousand.
 */
import type { Query, QueryCapture, QueryMatch, Tree } from "web-tree-sitter";
import { CANDIDATE, type Candidates } from "./candidates.js";
import { makeNode, type ParserRuntime, queryAddress, treeAddress } from "./runtime.js";
import { Subtrees } from "./subtrees.js";

/** Words of a node in the runtime's buffers: subtree, start in UTF-16 units, row, column, alias. */
const NODE_WORDS = 5;

/** Of matches under way. */
const NO_LIMIT = 0xffffffff;

/** What a web-tree-sitter Query knows and its types do not say: what is asked of the texts of a pattern's captures. */
type Predicates = readonly (readonly ((captures: QueryCapture[]) => boolean)[])[];

/** What is asked, and of what. */
export interface Asked {
  query: Query;
  tree: Tree;
  nodes: Candidates;
  /** Called now and then; true ends it, and what was found so far is the answer. */
  step: () => boolean;
}

/** What a query finds at nodes, in their order. */
export function matchesAt(runtime: ParserRuntime, { query, tree, nodes, step }: Asked): QueryMatch[] {
  const buffer = runtime._ts_init() >>> 2;
  const found: QueryMatch[] = [];
  const reader = new AnswerReader(runtime, query, tree);
  const [queryAt, treeAt] = [queryAddress(query), treeAddress(tree)];
  runtime.currentQueryProgressCallback = step;
  for (let at = 0; at < nodes.length; at += CANDIDATE) {
    const memory = runtime.HEAPU32;
    memory[buffer] = nodes[at]!;
    memory[buffer + 1] = nodes[at + 1]! >>> 1;
    // Nobody asks for rows and columns.
    memory[buffer + 2] = 0;
    memory[buffer + 3] = 0;
    memory[buffer + 4] = nodes[at + 2]!;
    // Two ranges to stay in, six numbers each: everywhere. Patterns begin at the node, none below it.
    runtime._ts_query_matches_wasm(queryAt, treeAt, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NO_LIMIT, 0);
    const count = runtime.HEAPU32[buffer]!;
    const address = runtime.HEAPU32[buffer + 1]!;
    if (count > 0) reader.read(count, address >>> 2, found);
    runtime._free(address);
    if (at % ASKED_PER_STEP === 0 && step()) break;
  }
  return found;
}

/** Numbers of nodes between two looks at what may still be done. */
const ASKED_PER_STEP = 100 * CANDIDATE;

/** Reads answers of one query on one tree. */
class AnswerReader {
  readonly #predicates: Predicates;

  constructor(
    private readonly runtime: ParserRuntime,
    private readonly query: Query,
    private readonly tree: Tree,
  ) {
    this.#predicates = (query as unknown as { readonly textPredicates: Predicates }).textPredicates;
  }

  /** Adds `count` matches, which begin at a word of the memory. */
  read(count: number, at: number, found: QueryMatch[]): void {
    const memory = this.runtime.HEAPU32;
    const subtrees = new Subtrees(this.runtime, this.tree);
    let next = at;
    for (let i = 0; i < count; i++) {
      const patternIndex = memory[next++]!;
      const captures = new Array<QueryCapture>(memory[next++]!);
      for (let j = 0; j < captures.length; j++, next += 1 + NODE_WORDS) {
        const name = this.query.captureNames[memory[next]!]!;
        captures[j] = { patternIndex, name, node: this.#node(subtrees, memory, next + 1) };
      }
      // What a predicate asks of texts is answered by what was read already.
      if (this.#predicates[patternIndex]!.every((predicate) => predicate(captures))) {
        found.push({ patternIndex, captures });
      }
    }
  }

  #node(subtrees: Subtrees, memory: Uint32Array, at: number): QueryCapture["node"] {
    const id = memory[at]!;
    const startIndex = memory[at + 1]!;
    const alias = memory[at + 4]!;
    const slot = id >>> 2;
    const endIndex = startIndex + (subtrees.size(slot) >>> 1);
    const type = this.tree.language.types[subtrees.type(slot, alias)] ?? "ERROR";
    return makeNode({ id, startIndex, endIndex, alias, type }, this.tree);
  }
}
