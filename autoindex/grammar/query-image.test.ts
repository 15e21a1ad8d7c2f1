import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Parser, Query, Language as TreeLanguage } from "web-tree-sitter";
import "../testing/quick-grammars.js";
import { type Grammar, type Language, languageNamed } from "../languages/index.js";
import { withCurrentHeader } from "./dylink.js";
import { grammarFile, loadGrammar } from "./load.js";
import { imageOf, queryFrom } from "./query-image.js";

/** A process has one runtime, which loading a grammar starts. */
const loading = loadGrammar(languageNamed("c") as Language & { grammar: Grammar });

async function grammarOf(name: string) {
  const { grammar } = languageNamed(name) as Language & { grammar: Grammar };
  const language = await TreeLanguage.load(withCurrentHeader(readFileSync(grammarFile(grammar))));
  return { language, source: grammar.rules.query };
}

/** What a query finds in a text: patterns, names and places. */
function found(query: Query, language: TreeLanguage, text: string) {
  const parser = new Parser();
  parser.setLanguage(language);
  const tree = parser.parse(text)!;
  return query.matches(tree.rootNode).map(({ patternIndex, captures }) => ({
    patternIndex,
    captures: captures.map(({ name, node }) => [name, node.startIndex, node.endIndex]),
  }));
}

const TEXTS = {
  c: "#define N 1\nstruct point { int x; };\nstatic int *(*table[2])(void);\nint main(void) { return f(N); }\n",
  ruby: "class A < B\n  include C\n  attr_reader :name\n  def self.f(x) = g(x)\nend\nget '/x', to: 'y#z'\n",
  typescript: "export const { a, b: [c] } = f();\napp.get('/x', (q) => q);\nclass A extends B { m = () => new C(); }\n",
};

it.each(Object.entries(TEXTS))(
  "a query of %s out of its image finds what the compiled one finds",
  async (name, text) => {
    const { runtime } = await loading;
    const { language, source } = await grammarOf(name);
    const compiled = new Query(language, source);
    const restored = queryFrom(imageOf(runtime, compiled), { runtime, language, source });
    const matches = found(compiled, language, text);
    expect(matches.length).toBeGreaterThan(4);
    expect(found(restored, language, text)).toEqual(matches);
    expect(imageOf(runtime, restored)).toEqual(imageOf(runtime, compiled));
    expect(restored.captureNames).toEqual(compiled.captureNames);
    expect(restored.captureQuantifiers).toEqual(compiled.captureQuantifiers);
    // Its memory is the runtime's own, to be freed by it.
    restored.delete();
    compiled.delete();
    expect(found(new Query(language, source), language, text)).toEqual(matches);
  },
);

it("queries are compiled as ever after one was restored", async () => {
  const { runtime } = await loading;
  const { language } = await grammarOf("c");
  const image = imageOf(runtime, new Query(language, "(identifier) @a"));
  queryFrom(image, { runtime, language, source: "(identifier) @a" });
  expect(new Query(language, "(comment) @other").captureNames).toEqual(["other"]);
  expect(() => new Query(language, "(nothing_like_it) @a")).toThrow(/nothing_like_it/);
});

it("an image that ends in the middle is refused", async () => {
  const { runtime } = await loading;
  const { language } = await grammarOf("c");
  const image = imageOf(runtime, new Query(language, "(identifier) @a"));
  const cut = image.subarray(0, image.length - 30);
  expect(() => queryFrom(cut, { runtime, language, source: "" })).toThrow(RangeError);
});

it("a loaded grammar finds with its kept queries what freshly compiled ones find", async () => {
  const loaded = await loading;
  const tree = loaded.parser.parse(TEXTS.c)!;
  for (const { query, source } of loaded.queries) {
    const fresh = new Query(loaded.parser.language!, source);
    const places = (each: Query) => each.captures(tree.rootNode).map(({ name, node }) => [name, node.id]);
    expect(places(query)).toEqual(places(fresh));
    expect(places(query).length).toBeGreaterThan(0);
  }
});
