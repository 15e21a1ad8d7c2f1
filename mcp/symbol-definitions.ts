import { isAbsolute } from "node:path";
import { type Client, WireError } from "../client/index.js";
import {
  type AskedSymbol,
  declarationsIn,
  declarationsNamed,
  type FileVersion,
  filesWithPath,
  INDEX,
  identifierAt,
  type Meaning,
  rankDefinitions,
  rankNearNames,
  readAsked,
  readTextDefinitions,
  type SymbolDeclaration,
  type SymbolFile,
  type SymbolReference,
  type TextDefinition,
  toNearNamesSearch,
  toTextDefinitionSearch,
} from "../code/index.js";
import { madeLines } from "./made-text.js";
import { nearPaths, nearPathsNote } from "./near-paths.js";
import { equals, searchIndex, sources } from "./node.js";
import { SymbolError, type SymbolGraph } from "./symbol-graph.js";
import type { Workspace } from "./workspace.js";

/** What was asked, and the declarations that it may mean. */
export interface Definitions {
  /** The names looked up; several where a line uses several. */
  names: string[];
  meanings: Meaning[];
  /** Where nothing is declared so: lines of files that were read in part only, which look like it. */
  inText?: readonly TextDefinition[];
}

/** Where a question is asked from. */
export interface AskedAt {
  /** Only this repository is looked into. */
  repo?: string;
  /** Declarations of this repository come first. */
  near?: string;
}

/** Names proposed when nothing is found. */
const NEAR_NAMES = 8;

/** The declarations that a name, a place or a locator means, the likeliest first. Throws SymbolError for files that are not there. */
export function findDefinitions(graph: SymbolGraph, text: string, at: AskedAt = {}): Promise<Definitions> {
  const asked = readAsked(text);
  if (asked.kind === "name") return byName(graph, asked.name, at);
  if (asked.kind === "place") return atPlace(graph, asked, at);
  return byLocator(graph, asked, at);
}

async function byName({ index, workspace }: SymbolGraph, name: string, { repo, near }: AskedAt): Promise<Definitions> {
  const declared = await index.declarations(declarationsNamed([name], { repo }));
  const meanings = rankDefinitions(name, declared, { repo: repo ?? near });
  const inText = meanings.length > 0 ? [] : await textDefinitions(workspace.client, name, repo);
  return { names: [name], meanings, inText };
}

/** Nothing on a cluster that does not find lines. */
async function textDefinitions(client: Client, name: string, repo?: string): Promise<TextDefinition[]> {
  const body = toTextDefinitionSearch(name, repo);
  if (body === undefined) return [];
  try {
    const answer = await searchIndex<unknown>(client, INDEX.files, body);
    return readTextDefinitions(name, answer?.hits.hits ?? []);
  } catch (error) {
    if (error instanceof WireError && error.status === 400) return [];
    throw error;
  }
}

/** Names of declarations that are near to one that is not there. */
export async function nearNames({ workspace }: SymbolGraph, names: readonly string[]): Promise<string[]> {
  const body = toNearNamesSearch(names);
  if (body === undefined) return [];
  const found = await sources<{ name: string }>(workspace.client, INDEX.declarations, body);
  return rankNearNames(
    names,
    found.map(({ name }) => name),
    NEAR_NAMES,
  );
}

/** The file of a path: absolute, in a repository, or below the name of one. Throws SymbolError when the index has none. */
export async function findFile(graph: SymbolGraph, path: string, { repo }: AskedAt): Promise<SymbolFile> {
  const { workspace, index } = graph;
  const inFolder = isAbsolute(path) ? workspace.fileOf(path) : undefined;
  const wanted = inFolder?.path ?? path.replace(/^(\.?\/)+/, "");
  const files = await index.files(filesWithPath(wanted, inFolder?.repo ?? repo));
  if (files.length === 0) await lookForNew({ workspace }, wanted, inFolder?.repo ?? repo);
  const found = files.length > 0 ? files : await index.files(filesWithPath(wanted, inFolder?.repo ?? repo));
  const [first, ...others] = found;
  if (first === undefined) {
    const below = isAbsolute(path) || repo !== undefined ? undefined : workspace.fileBelowName(path);
    const inBelow = below && (await index.files(filesWithPath(below.path, below.repo)));
    if (below && inBelow!.length > 0) return findFile(graph, below.path, { repo: below.repo });
    if (await isFolder(workspace, path)) throw new SymbolError(`${path} is a folder: use \`map\``);
    const near = await nearPaths(workspace.client, { path: wanted, repo: inFolder?.repo ?? repo, is: "file" });
    throw new SymbolError(`${path} is not in the index; \`pinakes why ${path}\` says why${nearPathsNote(near)}`);
  }
  const repos = [...new Set(others.map((file) => file.repo))].filter((name) => name !== first.repo);
  if (repos.length > 0) {
    throw new SymbolError(`${path} is in several repositories: say "repo" (${[first.repo, ...repos].join(", ")})`);
  }
  return first;
}

/** Whether a path is one of the folders, or one that files lie in. */
async function isFolder(workspace: Workspace, given: string): Promise<boolean> {
  const at = isAbsolute(given) ? workspace.folderAt(given) : { repo: undefined, path: given.replace(/^(\.?\/)+/, "") };
  if (at === undefined) return false;
  const inside = at.path.replace(/\/+$/, "");
  if (inside === "") return at.repo !== undefined;
  const below = [equals({ entry: "file", repo: at.repo }), { prefix: { path: `${inside}/` } }];
  return (await sources(workspace.client, INDEX.catalog, { query: { bool: { filter: below } }, size: 1 })).length > 0;
}

/** A file that the index never met is indexed first, where that is possible. */
async function lookForNew({ workspace }: Pick<SymbolGraph, "workspace">, path: string, repo?: string): Promise<void> {
  for (const name of repo === undefined ? workspace.repos : [repo]) await workspace.refusal(name, path);
}

async function atPlace(
  graph: SymbolGraph,
  { path, line, column }: Extract<AskedSymbol, { kind: "place" }>,
  at: AskedAt,
): Promise<Definitions> {
  const file = await findFile(graph, path, at);
  const lines = (await madeLines(graph.workspace, file)) ?? (await graph.index.lines(file)) ?? [];
  const text = lines[line - 1];
  if (text === undefined) throw new SymbolError(`${path} has no line ${line}`);
  const word = column === undefined ? undefined : identifierAt(text, column);
  if (column !== undefined && word === undefined) throw new SymbolError(`no name stands at ${path}:${line}:${column}`);
  const declared = await declaredAt(graph, { file, line, text, word: word?.name });
  if (declared.length > 0) {
    const meanings = declared.map((one) => ({ declaration: one, certainty: "exact" as const, why: "declared here" }));
    return { names: declared.map(({ name }) => name), meanings };
  }
  const all = await graph.index.references({ repo: file.repo, paths: [file.path] });
  const wordByte = byteAt(lines, line) + Buffer.byteLength(text.slice(0, (word?.column ?? 1) - 1));
  const there = all
    .flatMap((one) => onLine(one, line))
    .filter(({ name, startBytes: [byte] }) => word === undefined || (name === word.name && byte === wordByte));
  const used =
    there.length === 0 && word !== undefined
      ? [
          {
            ...asReference(file, word, { line, text, byte: wordByte }),
            enclosing: await enclosingAt(graph, file, line),
          },
        ]
      : there;
  if (used.length === 0) throw new SymbolError(`nothing that is declared or referred to stands at ${path}:${line}`);
  return meaningsOfUses(graph, used);
}

/** Qualified name of the innermost declaration around a line; empty at top level. What it binds itself is asked of it. */
async function enclosingAt({ index }: SymbolGraph, file: FileVersion, line: number): Promise<string> {
  const all = await index.declarations(declarationsIn(file.repo, [file.path]));
  const around = all.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  around.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return around.at(-1)?.qualifiedName ?? "";
}

async function meaningsOfUses(graph: SymbolGraph, used: SymbolReference[]): Promise<Definitions> {
  const places = await graph.uses.places(used);
  const imported = (await Promise.all(used.map((one) => graph.modules.bindings(one)))).flat();
  const aliases = imported.filter(({ alias }) => used.some(({ name }) => name === alias)).map(({ name }) => name);
  const names = [...new Set(used.map(({ name }) => name))];
  const declared = await graph.index.declarations(
    declarationsNamed([...names, ...aliases].filter((name) => name !== "")),
  );
  const resolved = await graph.uses.resolve(places, declared);
  const meanings = new Map<string, Meaning>();
  for (const meaning of resolved.flatMap((place) => place.meanings)) {
    if (!meanings.has(meaning.declaration.locator)) meanings.set(meaning.declaration.locator, meaning);
  }
  return { names, meanings: [...meanings.values()] };
}

interface DeclaredPlace {
  file: FileVersion;
  line: number;
  text: string;
  word: string | undefined;
}

/** Declarations whose name stands on a line: those that begin on it, or between whose decorators and body it is. */
async function declaredAt(
  { index }: SymbolGraph,
  { file, line, text, word }: DeclaredPlace,
): Promise<SymbolDeclaration[]> {
  const all = await index.declarations(declarationsIn(file.repo, [file.path]));
  const names = new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const lines = await index.lines(file);
  return all.filter(({ name, startLine, endLine }) => {
    if (line < startLine || line > endLine || !names.has(name)) return false;
    if (word !== undefined && word !== name) return false;
    // The first line of the declaration that has its name is where it is declared.
    const first =
      lines?.slice(startLine - 1, endLine).findIndex((own) => !/^\s*[@#[]/.test(own) && own.includes(name)) ?? 0;
    return line === startLine + Math.max(0, first);
  });
}

/** The places of a reference on a line, one a row; modules and paths are no names of declarations. */
function onLine(reference: SymbolReference, line: number): SymbolReference[] {
  if (/[./:]/.test(reference.name)) return [];
  return reference.lines.flatMap((own, at) =>
    own === line ? [{ ...reference, lines: [line], startBytes: [reference.startBytes[at] ?? 0] }] : [],
  );
}

/** Where a line begins in the text, in UTF-8 bytes. */
function byteAt(lines: readonly string[], line: number): number {
  return lines.slice(0, line - 1).reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}

/** A name that the index has no reference for, such as a type's. */
function asReference(
  file: FileVersion,
  word: { name: string; column: number },
  { line, text, byte }: { line: number; text: string; byte: number },
): SymbolReference {
  const isCall = /^\s*\(/.test(text.slice(word.column - 1 + word.name.length));
  return { ...file, kind: isCall ? "call" : "type", name: word.name, enclosing: "", lines: [line], startBytes: [byte] };
}

/** A locator's declaration: the one of its name that now stands in its file, or the text elsewhere. */
async function byLocator(
  graph: SymbolGraph,
  { locator }: Extract<AskedSymbol, { kind: "locator" }>,
  at: AskedAt,
): Promise<Definitions> {
  const { qualifiedName, span, path } = locator;
  const declared = await graph.index.declarations(declarationsNamed([qualifiedName], { repo: at.repo }));
  const same = declared.filter((one) => one.span.startsWith(span));
  const named = declared.filter((one) => one.qualifiedName === qualifiedName);
  const [found] = [...same.filter((one) => one.path === path), ...named.filter((one) => one.path === path), ...same];
  if (found === undefined) return { names: [qualifiedName], meanings: [] };
  const why = found.span.startsWith(span) ? "the same text" : "the name of the locator";
  return { names: [qualifiedName], meanings: [{ declaration: found, certainty: "exact", why }] };
}
