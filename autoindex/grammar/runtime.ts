/** What web-tree-sitter's module shows of the parser's runtime, and its objects by their addresses there. */
import { Node, type Query, type Tree } from "web-tree-sitter";

/** Views of the runtime's memory; they change when it grows. */
export interface ParserMemory {
  readonly HEAPU32: Uint32Array;
  readonly HEAPU16: Uint16Array;
}

/** The module: its memory and the functions that are called here (binding_web/lib/tree-sitter.c of 0.27). */
export interface ParserRuntime extends ParserMemory {
  readonly HEAPU8: Uint8Array;
  /** Address of the buffer that nodes and results are passed in. */
  _ts_init(): number;
  _ts_query_matches_wasm(query: number, tree: number, ...bounds: number[]): void;
  _malloc(bytes: number): number;
  _free(address: number): void;
  /** Compiles a query's text; called by the constructor of `Query`. */
  _ts_query_new(...parts: number[]): number;
  /** Asked now and then by queries; true ends them. */
  currentQueryProgressCallback: (() => boolean) | null;
}

/** Where the runtime keeps a tree: web-tree-sitter's objects have it as their element 0. */
export function treeAddress(tree: Tree): number {
  return (tree as unknown as { readonly 0: number })[0];
}

/** Where it keeps a query. */
export function queryAddress(query: Query): number {
  return (query as unknown as { readonly 0: number })[0];
}

/** What a node consists of, and what is read of it nearly always: the runtime need not be asked for that. */
export interface NodeParts {
  /** Address of its subtree. */
  id: number;
  /** In UTF-16 units. */
  startIndex: number;
  endIndex: number;
  alias: number;
  type: string;
}

/** A node as web-tree-sitter makes them, which knows its end and type; rows and columns, which nobody asks for, it has not. */
class FoundNode {
  declare id: number;
  declare tree: Tree;
  declare startIndex: number;
  declare startPosition: object;
  declare endIndex: number;
  declare type: string;
  /** The alias. An element of its own takes more room than all the rest: only the few that are not 0 have one. */
  declare 0: number;

  constructor({ id, startIndex, endIndex, alias, type }: NodeParts, tree: Tree) {
    this.id = id;
    this.tree = tree;
    this.startIndex = startIndex;
    this.startPosition = NOWHERE;
    this.endIndex = endIndex;
    this.type = type;
    if (alias !== 0) this[0] = alias;
  }
}

const NOWHERE = { row: 0, column: 0 };

const member = { writable: true, enumerable: true, configurable: true };
Object.setPrototypeOf(FoundNode.prototype, Node.prototype);
// What is computed for other nodes is a value of these.
Object.defineProperties(FoundNode.prototype, {
  endIndex: { ...member, value: undefined },
  type: { ...member, value: undefined },
  0: { ...member, value: 0 },
});

/** Makes a node of a tree by what is known of it. */
export function makeNode(parts: NodeParts, tree: Tree): Node {
  return new FoundNode(parts, tree) as unknown as Node;
}
