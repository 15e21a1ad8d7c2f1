import { describe, expect, it } from "vitest";
import type { QueryMatch } from "web-tree-sitter";
import "../testing/quick-grammars.js";
import { GRAMMARS } from "../languages/grammars.js";
import { type Grammar, type Language, languageNamed } from "../languages/index.js";
import { LANGUAGE_FIXTURES } from "../testing/fixtures/index.js";
import { matchesAt } from "./ask-query.js";
import { CANDIDATE, candidates, SYMBOLS } from "./candidates.js";
import { loadGrammar } from "./load.js";

const never = () => false;

/** Where and what a match is, as a text that sorts. */
function shown({ patternIndex, captures }: QueryMatch): string {
  return `${patternIndex} ${captures.map(({ name, node }) => `${name} ${node.startIndex}-${node.endIndex}`).join(", ")}`;
}

describe("asked at candidates, a query finds what it finds in the whole tree", () => {
  it.each(Object.keys(GRAMMARS))("%s", async (name) => {
    const language = languageNamed(name) as Language & { grammar: Grammar };
    const { parser, queries, runtime } = await loadGrammar(language);
    const { text } = LANGUAGE_FIXTURES[name]!;
    // Twice, the second time cut off: with errors too.
    const tree = parser.parse(`${text}\n${text.slice(0, text.length * 0.7)}`)!;
    for (const { query, begins } of queries) {
      if (typeof begins === "string") continue;
      const nodes = candidates(runtime, tree, begins, never)!;
      const found = matchesAt(runtime, { query, tree, nodes, step: never });
      expect(found.map(shown).sort()).toEqual(query.matches(tree.rootNode).map(shown).sort());
    }
    tree.delete();
  });
});

describe("the walk", () => {
  const loading = loadGrammar(languageNamed("c") as Language & { grammar: Grammar });

  it("passes over depths that would exhaust a stack", async () => {
    const { parser, runtime } = await loading;
    const depth = 50_000;
    const tree = parser.parse(`int x = ${"(".repeat(depth)}1${")".repeat(depth)};`)!;
    const wanted = new Uint8Array(SYMBOLS).fill(1);
    expect(candidates(runtime, tree, wanted, never)).toHaveLength(CANDIDATE * tree.rootNode.descendantCount);
    tree.delete();
  });

  it("ends when it is told to", async () => {
    const { parser, runtime } = await loading;
    const tree = parser.parse("int x;\n".repeat(1000))!;
    const wanted = new Uint8Array(SYMBOLS).fill(1);
    expect(candidates(runtime, tree, wanted, () => true)!.length).toBeLessThan(200 * CANDIDATE);
    tree.delete();
  });

  it("gives nothing where a tree is not laid out as it expects", async () => {
    const { parser, runtime } = await loading;
    const tree = parser.parse("int x;")!;
    const other = { HEAPU32: new Uint32Array(runtime.HEAPU32.length), HEAPU16: runtime.HEAPU16 };
    expect(candidates(other, tree, new Uint8Array(SYMBOLS), never)).toBeUndefined();
    tree.delete();
  });
});
