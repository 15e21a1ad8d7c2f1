import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Parser, Query, Language as TreeLanguage } from "web-tree-sitter";
import { GRAMMAR_PACKS, type Grammar, type Language } from "../languages/index.js";
import { withCurrentHeader } from "./dylink.js";

/** A grammar ready to use: its parser, its compiled query, and the language it came from. */
export interface LoadedGrammar {
  parser: Parser;
  query: Query;
  grammar: Grammar;
}

const require = createRequire(import.meta.url);

/** Where a grammar's file lies. */
export function grammarFile(grammar: Grammar): string {
  const pack = GRAMMAR_PACKS[grammar.pack];
  const home = path.dirname(require.resolve(`${pack.package}/package.json`));
  return path.join(home, pack.folder, `tree-sitter-${grammar.file}.wasm`);
}

let started: Promise<void> | undefined;
const loaded = new Map<string, Promise<LoadedGrammar>>();

/**
 * The grammar of a language, loaded once a process when it is first asked for. A failure leaves the shared heap in an
 * unknown state, so it is thrown each time and the process should end.
 */
export function loadGrammar(language: Language & { grammar: Grammar }): Promise<LoadedGrammar> {
  const known = loaded.get(language.name);
  if (known) return known;
  const loading = load(language.grammar);
  loaded.set(language.name, loading);
  return loading;
}

async function load(grammar: Grammar): Promise<LoadedGrammar> {
  started ??= Parser.init();
  await started;
  const bytes = readFileSync(grammarFile(grammar));
  const language = await TreeLanguage.load(withCurrentHeader(bytes));
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, query: new Query(language, `${grammar.rules.query}\n(ERROR) @error`), grammar };
}
