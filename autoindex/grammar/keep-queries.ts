import { readFileSync } from "node:fs";
import { type Grammar, LANGUAGES, type Language } from "../languages/index.js";
import { readImages, writeImages } from "./compiled-queries.js";
import { grammarFile, loadGrammar } from "./load.js";
import { imageOf } from "./query-image.js";

/** Compiles the queries of all grammars and keeps them, where they are not kept yet. Called when the project is built. */
export async function keepQueries(): Promise<void> {
  for (const language of LANGUAGES) {
    if (language.grammar) await keepQueriesOf(language as Language & { grammar: Grammar });
  }
}

async function keepQueriesOf(language: Language & { grammar: Grammar }): Promise<void> {
  const { queries, runtime, grammar } = await loadGrammar(language);
  const ingredients = { wasm: readFileSync(grammarFile(grammar)), sources: queries.map(({ source }) => source) };
  if (readImages(language.name, ingredients)) return;
  const images = queries.map(({ query }) => imageOf(runtime, query));
  writeImages({ name: language.name, ingredients, images });
}
