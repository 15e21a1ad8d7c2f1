import type { Node, Tree } from "web-tree-sitter";

/** Nodes looked at; a tree with more errors than that is as bad as it gets. */
const MAX_NODES = 20_000;

/** How much of a text a tree could not make sense of: UTF-16 units in error nodes, and one for each imagined token. */
export function errorWeight(tree: Tree): number {
  let weight = 0;
  let looked = 0;
  const open: Node[] = [tree.rootNode];
  for (let node = open.pop(); node; node = open.pop()) {
    if (++looked > MAX_NODES) return Number.MAX_SAFE_INTEGER;
    if (node.isError) weight += 1 + node.endIndex - node.startIndex;
    else if (node.isMissing) weight++;
    else if (node.hasError) open.push(...node.children);
  }
  return weight;
}
