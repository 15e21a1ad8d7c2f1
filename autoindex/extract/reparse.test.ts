import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LoadedGrammar, loadGrammar } from "../grammar/load.js";
import { type Grammar, type Language, languageNamed } from "../languages/index.js";
import { resolveConditionals } from "./c-conditionals.js";
import { treeToStartFrom } from "./reparse.js";

const loading = loadGrammar(languageNamed("c") as Language & { grammar: Grammar });

/** The tree of a reading, parsed from that of another one and afresh, with all its places. */
function bothTrees({ parser }: LoadedGrammar, text: string, reading: string): [string, string] {
  const tree = parser.parse(text)!;
  const from = treeToStartFrom({ text, tree }, reading)!;
  const trees = [parser.parse(reading, from)!, parser.parse(reading)!] as const;
  const shown = trees.map(({ rootNode }) => {
    const names = rootNode.descendantsOfType("identifier").map((node) => `${node?.text}@${node?.startIndex}`);
    return `${rootNode.toString()} ${names.join(" ")}`;
  });
  for (const one of [tree, from, ...trees]) one.delete();
  return [shown[0]!, shown[1]!];
}

const CUT = [
  "static int start(int a,\n#ifdef X\n  int größe,\n#else\n  long c,\n#endif\n  int d)\n{\n  return d;\n}\n",
  "int f(void)\n{\n#if A\n  if (x) {\n#else\n  if (y) {\n#endif\n    g();\n  }\n  return 1;\n}\n",
  "struct s table[] = {\n#ifdef B\n  { 1 },\n#endif\n  { 2 },\n};\n",
  "/* nothing */\nint whole(int a) { return a; }\n",
  "#define LIST(x) \\\n  x\nint after;\n",
];

describe("a second reading of a text", () => {
  it("gives the tree it would give by itself", async () => {
    const loaded = await loading;
    const texts = fc.array(fc.constantFrom(...CUT), { minLength: 1, maxLength: 12 }).map((parts) => parts.join("\n"));
    fc.assert(
      fc.property(texts, fc.constantFrom("cutting" as const, "all" as const), (text, which) => {
        const [continued, afresh] = bothTrees(loaded, text, resolveConditionals(text, which));
        expect(continued).toBe(afresh);
      }),
    );
  });

  it("starts from nothing where lines or too many places differ", async () => {
    const { parser } = await loading;
    const text = "int a;\n".repeat(1500);
    const tree = parser.parse(text)!;
    expect(treeToStartFrom({ text, tree }, "int a;\n")).toBeUndefined();
    expect(treeToStartFrom({ text, tree }, text.replace("\n", " "))).toBeUndefined();
    expect(treeToStartFrom({ text, tree }, text.replace(" ", "\n"))).toBeUndefined();
    expect(treeToStartFrom({ text, tree }, text.replaceAll("a", "b"))).toBeUndefined();
    tree.delete();
  });
});
