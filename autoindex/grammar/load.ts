import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Parser, Query, Language as TreeLanguage } from "web-tree-sitter";
import { GRAMMAR_PACKS, type Grammar, type Language } from "../languages/index.js";
import { withCurrentHeader } from "./dylink.js";
import { splitPatterns } from "./split-patterns.js";

/** A grammar ready to use: its parser, its compiled queries, and the language it came from. */
export interface LoadedGrammar {
  parser: Parser;
  queries: readonly LoadedQuery[];
  grammar: Grammar;
}

/**
 * Some patterns of a language's query. Those that begin at the root of a tree are a query of their own, which looks at the
 * root alone: in one with the others they would be kept in mind at every node, which doubles the query's time.
 */
export interface LoadedQuery {
  query: Query;
  /** The place of each of its patterns in the language's query. */
  places: readonly number[];
  begins: "anywhere" | "at the root";
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
  return { parser, queries: compile(language, rootOf(parser), grammar.rules.query), grammar };
}

/** The type of a tree's root: every text has one, the empty one too. */
function rootOf(parser: Parser): string {
  const tree = parser.parse("");
  const type = tree?.rootNode.type ?? "";
  tree?.delete();
  return type;
}

function compile(language: TreeLanguage, root: string, source: string): LoadedQuery[] {
  const patterns = splitPatterns(`${source}\n(ERROR) @error`).map((text, place) => ({ text, place }));
  const atRoot = patterns.filter(({ text }) => text.startsWith(`(${root} `));
  const rest = patterns.filter(({ text }) => !text.startsWith(`(${root} `));
  const parts = [
    { begins: "anywhere" as const, part: rest },
    { begins: "at the root" as const, part: atRoot },
  ];
  return parts
    .filter(({ part }) => part.length > 0)
    .map(({ begins, part }) => ({
      begins,
      places: part.map(({ place }) => place),
      query: new Query(language, part.map(({ text }) => text).join("\n")),
    }));
}
