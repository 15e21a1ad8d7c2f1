/** `_search` bodies of the graph of symbols, to be sent to the index named in each one's comment; see read-symbols.ts for the answers. */
import type { ReferenceKind } from "../documents.js";
import { dottedName, ownName } from "../own-name.js";
import type { Clause } from "../query-clauses.js";
import { any } from "../query-clauses.js";

/** Most documents that one request asks for; Elasticsearch itself refuses more in a page. */
export const MOST_SYMBOLS = 10_000;

/** Fields of a declaration that the graph reads. */
const DECLARED = [
  ...["repo", "path", "language", "class", "blob", "kind", "name", "qualified_name", "signature"],
  ...["start_line", "end_line", "start_byte", "span", "locator", "supers"],
];
const IN_ORDER = [{ repo: "asc" }, { path: "asc" }, { start_byte: "asc" }, { end_byte: "desc" }];
/** What only other branches have is asked for by `branch:` alone. */
const ELSEWHERE: Clause = { term: { in_tree: false } };
const TEXTS: Clause = { terms: { kind: ["section", "window"] } };

/** A `_search` body. */
export type SymbolRequest = Readonly<Record<string, unknown>>;

/** Where a request is to look: everywhere when it says nothing. */
export interface SymbolPlace {
  repo?: string;
  paths?: readonly string[];
}

/** Declarations of any of these names, which may be qualified; to the declarations index. */
export function declarationsNamed(names: readonly string[], place: SymbolPlace = {}): SymbolRequest {
  const own = [...new Set(names.map(ownName))];
  return declared([
    any([{ terms: { name: own } }, { terms: { qualified_name: [...names].map(dottedName) } }]),
    ...within(place),
  ]);
}

/** All declarations of files, in their order. */
export function declarationsIn(repo: string, paths: readonly string[]): SymbolRequest {
  return declared(within({ repo, paths }));
}

/** What a file is made of, in its order: its declarations, and sections of prose. */
export function outlineRequest(repo: string, path: string): SymbolRequest {
  const filter = within({ repo, paths: [path] });
  return { ...declared(filter), query: { bool: { filter, must_not: [ELSEWHERE, { term: { kind: "window" } }] } } };
}

/** Types, modules and namespaces of files: what a bare name is looked up in. */
export function containersIn(repo: string, paths: readonly string[]): SymbolRequest {
  const kinds = ["class", "struct", "interface", "trait", "enum", "module", "namespace"];
  return declared([...within({ repo, paths }), { terms: { kind: kinds } }]);
}

/** Methods of any of these names. */
export function methodsNamed(names: readonly string[], place: SymbolPlace): SymbolRequest {
  return declared([{ terms: { name: [...names] } }, { terms: { kind: ["method"] } }, ...within(place)]);
}

function declared(filter: Clause[]): SymbolRequest {
  return {
    query: { bool: { filter, must_not: [ELSEWHERE, TEXTS] } },
    size: MOST_SYMBOLS,
    sort: IN_ORDER,
    _source: DECLARED,
  };
}

/** What references are wanted. */
export interface ReferencesWanted extends SymbolPlace {
  names?: readonly string[];
  kinds?: readonly ReferenceKind[];
  /** Qualified names of the declarations around them. */
  enclosing?: readonly string[];
}

/**
 * Documents of references, to the references index: those that refer to one of the names, and to anything in one of the
 * ways. What else they refer to is left out when they are read (read-symbols.ts).
 */
export function referencesTo({ names, kinds, enclosing, ...place }: ReferencesWanted): SymbolRequest {
  const list = (field: string, values: readonly string[] | undefined): Clause[] =>
    values === undefined ? [] : [{ terms: { [field]: [...values] } }];
  const filter = [...list("name", names), ...list("kind", kinds), ...list("enclosing", enclosing), ...within(place)];
  return {
    query: { bool: { filter, must_not: [ELSEWHERE] } },
    size: MOST_SYMBOLS,
    sort: [{ repo: "asc" }, { path: "asc" }, { start_byte: "asc" }],
    _source: ["repo", "path", "language", "class", "blob", "enclosing", "edges"],
  };
}

/** Fields of a file that the graph reads. */
const FILED = ["repo", "path", "language", "class", "blob", "imports"];

/** Files of a repository with these base names; to the files index. */
export function filesNamed(repo: string, names: readonly string[]): SymbolRequest {
  return filed([{ term: { repo } }, { terms: { name: [...names] } }]);
}

/** Files at a path, in any repository or in one. */
export function filesWithPath(path: string, repo?: string): SymbolRequest {
  return filed([{ term: { path } }, ...within({ repo })]);
}

/** Files below a folder of a repository, of which all begin with this. */
export function filesBelow(repo: string, folder: string): SymbolRequest {
  return filed([{ term: { repo } }, ...(folder === "" ? [] : [{ prefix: { path: `${folder}/` } }])]);
}

/** Files of a repository at these paths, or with these base names; to the files index. */
export function filesAt(
  repo: string,
  { paths, names }: { paths: readonly string[]; names: readonly string[] },
): SymbolRequest {
  const place = any([{ terms: { path: [...paths] } }, { terms: { name: [...names] } }]);
  return filed([{ term: { repo } }, place]);
}

/** Files that import something whose name has all parts of one of these words, or is one of these texts. */
export function filesImporting(repo: string, words: readonly string[], texts: readonly string[] = []): SymbolRequest {
  const holding = words.map((word) => ({ match: { "imports.text": { query: word, operator: "and" } } }));
  return filed([{ term: { repo } }, any([...holding, { terms: { imports: [...texts] } }])]);
}

/** Files whose text has an identifier, whatever its case, with as many of them as asked for. */
export function filesMentioning(name: string, { repo, size }: { repo?: string; size: number }): SymbolRequest {
  const filter = [{ term: { body: name.toLowerCase() } }, ...within({ repo })];
  return { ...filed(filter), size, track_total_hits: true };
}

/** The text of a file as the index has it. */
export function bodyOf(repo: string, path: string, blob: string): SymbolRequest {
  return {
    query: { bool: { filter: [{ term: { repo } }, { term: { path } }, { term: { blob } }] } },
    size: 1,
    _source: ["body"],
  };
}

function filed(filter: Clause[]): SymbolRequest {
  return {
    query: { bool: { filter, must_not: [ELSEWHERE] } },
    size: MOST_SYMBOLS,
    sort: [{ repo: "asc" }, { path: "asc" }],
    _source: FILED,
  };
}

function within({ repo, paths }: SymbolPlace): Clause[] {
  return [
    ...(repo === undefined ? [] : [{ term: { repo } }]),
    ...(paths === undefined ? [] : [{ terms: { path: [...paths] } }]),
  ];
}
