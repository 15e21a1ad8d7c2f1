import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Parser, Query, Language as TreeLanguage } from "web-tree-sitter";
import { GRAMMAR_PACKS, type Grammar, type Language } from "../languages/index.js";
import { SYMBOLS, type WantedTypes } from "./candidates.js";
import { readImages } from "./compiled-queries.js";
import { withCurrentHeader } from "./dylink.js";
import { queryFrom } from "./query-image.js";
import type { ParserRuntime } from "./runtime.js";
import { rootTypes, splitPatterns } from "./split-patterns.js";
import { tuneFor } from "./tiering.js";

/** A grammar ready to use: its parser, its compiled queries, and the language it came from. */
export interface LoadedGrammar {
  parser: Parser;
  queries: readonly LoadedQuery[];
  grammar: Grammar;
  /** What its trees and queries lie in. */
  runtime: ParserRuntime;
}

/**
 * Some patterns of a language's query. Those that begin at the root of a tree are a query of their own, which looks at the
 * root alone: in one with the others they would be kept in mind at every node, which doubles the query's time. The others
 * look at the nodes that they may begin at, if all of them say which types those have.
 */
export interface LoadedQuery {
  query: Query;
  /** Its text. */
  source: string;
  /** The place of each of its patterns in the language's query. */
  places: readonly number[];
  begins: "anywhere" | "at the root" | WantedTypes;
}

const require = createRequire(import.meta.url);

/** Where a grammar's file lies. */
export function grammarFile(grammar: Grammar): string {
  const pack = GRAMMAR_PACKS[grammar.pack];
  const home = path.dirname(require.resolve(`${pack.package}/package.json`));
  return path.join(home, pack.folder, `tree-sitter-${grammar.file}.wasm`);
}

let started: Promise<void> | undefined;
/** The module shows itself in the object that it is started with. */
const runtime = {} as ParserRuntime;
const loaded = new Map<string, Promise<LoadedGrammar>>();

/**
 * The grammar of a language, loaded once a process when it is first asked for. A failure leaves the shared heap in an
 * unknown state, so it is thrown each time and the process should end.
 */
export function loadGrammar(language: Language & { grammar: Grammar }): Promise<LoadedGrammar> {
  const known = loaded.get(language.name);
  if (known) return known;
  const loading = load(language.name, language.grammar);
  loaded.set(language.name, loading);
  return loading;
}

async function load(name: string, grammar: Grammar): Promise<LoadedGrammar> {
  started ??= Parser.init(runtime);
  await started;
  const wasm = readFileSync(grammarFile(grammar));
  tuneFor(wasm);
  const language = await TreeLanguage.load(withCurrentHeader(wasm));
  const parser = new Parser();
  parser.setLanguage(language);
  const parts = partsOf(language, rootOf(parser), grammar.rules.query);
  const images = readImages(name, { wasm, sources: parts.map(({ source }) => source) });
  const queries = parts.map((part, at) => {
    const { source } = part;
    return {
      ...part,
      query: images ? queryFrom(images[at]!, { runtime, language, source }) : new Query(language, source),
    };
  });
  return { parser, queries, grammar, runtime };
}

/** The type of a tree's root: every text has one, the empty one too. */
function rootOf(parser: Parser): string {
  const tree = parser.parse("");
  const type = tree?.rootNode.type ?? "";
  tree?.delete();
  return type;
}

/** The queries that the patterns of a language's query make, see LoadedQuery. */
function partsOf(language: TreeLanguage, root: string, source: string): Omit<LoadedQuery, "query">[] {
  const patterns = splitPatterns(`${source}\n(ERROR) @error`).map((text, place) => ({ text, place }));
  const atRoot = patterns.filter(({ text }) => text.startsWith(`(${root} `));
  const rest = patterns.filter(({ text }) => !text.startsWith(`(${root} `));
  const begins = wantedTypes(
    language,
    rest.map(({ text }) => text),
  );
  const parts = [
    { begins: begins ?? ("anywhere" as const), part: rest },
    { begins: "at the root" as const, part: atRoot },
  ];
  return parts
    .filter(({ part }) => part.length > 0)
    .map(({ begins, part }) => ({
      begins,
      places: part.map(({ place }) => place),
      source: part.map(({ text }) => text).join("\n"),
    }));
}

/** The types of the nodes that patterns begin at; nothing when one may begin at any. */
function wantedTypes(language: TreeLanguage, patterns: readonly string[]): WantedTypes | undefined {
  const wanted = new Uint8Array(SYMBOLS);
  for (const pattern of patterns) {
    const roots = rootTypes(pattern);
    if (!roots) return undefined;
    for (const { name, isNamed } of roots) {
      const symbol = language.idForNodeType(name, isNamed);
      // One that no node shows stands for several that do.
      if (symbol === null || !language.nodeTypeIsVisible(symbol)) return undefined;
      wanted[symbol] = 1;
    }
  }
  return wanted;
}
