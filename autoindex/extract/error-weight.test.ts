import { describe, expect, it } from "vitest";
import type { Node } from "web-tree-sitter";
import "../testing/quick-grammars.js";
import { loadGrammar } from "../grammar/load.js";
import { type Grammar, type Language, languageNamed } from "../languages/index.js";
import { LANGUAGE_FIXTURES } from "../testing/fixtures/index.js";
import { errorWeight } from "./error-weight.js";

/** The same by way of nodes. */
function weightOf(node: Node): number {
  if (node.isError) return 1 + node.endIndex - node.startIndex;
  if (node.isMissing) return 1;
  return node.hasError ? node.children.reduce((sum, child) => sum + weightOf(child), 0) : 0;
}

describe("the weight of errors", () => {
  it.each(["c", "cpp", "csharp", "kotlin", "ruby", "typescript"])("in %s is what its nodes say", async (name) => {
    const language = languageNamed(name) as Language & { grammar: Grammar };
    const { parser, runtime } = await loadGrammar(language);
    const { text } = LANGUAGE_FIXTURES[name]!;
    const broken = [
      text,
      text.slice(0, text.length / 2),
      text.replaceAll(")", ""),
      text.replaceAll(";", "@ "),
      "{{{ (",
    ];
    for (const one of broken) {
      const tree = parser.parse(one)!;
      expect(errorWeight(runtime, tree)).toBe(weightOf(tree.rootNode));
      tree.delete();
    }
  });

  it("of a tree with tens of thousands of nodes beside errors is the most there is", async () => {
    const { parser, runtime } = await loadGrammar(languageNamed("c") as Language & { grammar: Grammar });
    const tree = parser.parse(`${"int x;\n".repeat(30_000)} ) (`)!;
    expect(errorWeight(runtime, tree)).toBe(Number.MAX_SAFE_INTEGER);
    tree.delete();
  });
});
