/** What web-tree-sitter's module shows of the parser's runtime, and its objects by their addresses there. */
import type { Node, Query, Tree } from "web-tree-sitter";

/** Views of the runtime's memory; they change when it grows. */
export interface ParserMemory {
  readonly HEAPU32: Uint32Array;
  readonly HEAPU16: Uint16Array;
}

/** The module: its memory and the functions that are called here (binding_web/lib/tree-sitter.c of 0.27). */
export interface ParserRuntime extends ParserMemory {
  /** Address of the buffer that nodes and results are passed in. */
  _ts_init(): number;
  _ts_query_matches_wasm(query: number, tree: number, ...bounds: number[]): void;
  _free(address: number): void;
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

type Known = { -readonly [key in keyof NodeParts]: NodeParts[key] } & { 0: number; tree: Tree; startPosition: object };

/** The prototype of nodes that know their end and type, by that of web-tree-sitter's. */
const prototypes = new WeakMap<object, object>();

function prototypeOf(model: Node): object {
  const own = Object.getPrototypeOf(model) as object;
  const known = prototypes.get(own);
  if (known) return known;
  const property = { writable: true, enumerable: true, configurable: true, value: undefined };
  const made = Object.create(own, { endIndex: property, type: property }) as object;
  prototypes.set(own, made);
  return made;
}

/** Makes nodes of one tree as web-tree-sitter makes them; rows and columns, which nobody asks for, are not filled in. */
export class NodeMaker {
  readonly #prototype: object;
  readonly #tree: Tree;

  /** `model`: a node of the tree. */
  constructor(model: Node) {
    this.#prototype = prototypeOf(model);
    this.#tree = model.tree;
  }

  make({ id, startIndex, endIndex, alias, type }: NodeParts): Node {
    const node = Object.create(this.#prototype) as Known;
    node[0] = alias;
    node.id = id;
    node.tree = this.#tree;
    node.startIndex = startIndex;
    node.startPosition = NOWHERE;
    node.endIndex = endIndex;
    node.type = type;
    return node as unknown as Node;
  }
}

const NOWHERE = { row: 0, column: 0 };
