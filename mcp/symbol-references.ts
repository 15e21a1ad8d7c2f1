import {
  type Certainty,
  declarationsNamed,
  type FileVersion,
  filesMentioning,
  type Meaning,
  type ReferenceKind,
  type SymbolDeclaration,
  type SymbolReference,
} from "../code/index.js";
import { groupBy } from "./group-by.js";
import { type SymbolGraph, symbolKey } from "./symbol-graph.js";
import type { ResolvedUse } from "./symbol-uses.js";

/** References that are enough for one question, and most files with mentions that it looks at. */
const MOST_REFERENCES = 2_000;
const MOST_MENTIONING = 300;

/** A line that refers to a symbol, as it is now. */
export interface ReferenceLine {
  line: number;
  text: string;
  kind: ReferenceKind;
  certainty: Certainty;
  /** How many declarations the name may mean here. */
  among: number;
  /** Qualified name of the declaration around it, empty at top level. */
  enclosing: string;
  isVerified: boolean;
  isTest: boolean;
}

/** The references of one file. */
export interface FileReferences {
  file: FileVersion;
  lines: ReferenceLine[];
}

/** All that refers to a symbol. */
export interface References {
  files: FileReferences[];
  /** Places of the name that surely mean other declarations. */
  others: number;
  /** Declarations that refer to the name and were not looked at, there being too many. */
  unseen: number;
  mentions: Mentions;
}

/** Lines on which the name stands without being a reference: comments, strings, types, values. */
export interface Mentions {
  files: { file: FileVersion; lines: { line: number; text: string }[] }[];
  lines: number;
  /** Files that have the name and were not looked at. */
  unseen: number;
}

/** Uses of declarations' names that may mean one of them. */
export interface FoundUses {
  uses: { use: ResolvedUse; meaning: Meaning }[];
  others: number;
  /** Declarations that refer to the names and were not looked at. */
  unseen: number;
}

/** Finds the uses of some symbols, which bear one name or several. */
export async function findUses(
  graph: SymbolGraph,
  symbols: readonly SymbolDeclaration[],
  kinds?: readonly ReferenceKind[],
): Promise<FoundUses> {
  const names = [...new Set(symbols.map(({ name }) => name))];
  const { rows, moreDeclarations } = await graph.index.firstReferences({ names, kinds }, MOST_REFERENCES);
  const renamed = await underOtherNames(graph, names, kinds);
  const places = await graph.uses.places([...rows, ...renamed]);
  const declared = await graph.index.declarations(declarationsNamed(names));
  const resolved = await graph.uses.resolve(places, declared);
  const wanted = new Set(symbols.map(symbolKey));
  const uses: FoundUses["uses"] = [];
  let others = 0;
  for (const use of resolved) {
    const meaning = use.meanings.find(({ declaration }) => wanted.has(symbolKey(declaration)));
    if (meaning) uses.push({ use, meaning });
    else others++;
  }
  return { uses, others, unseen: moreDeclarations };
}

/** References by the names that importing files give them: `import { parse as p }`. */
async function underOtherNames(
  { index, modules }: SymbolGraph,
  names: readonly string[],
  kinds?: readonly ReferenceKind[],
): Promise<SymbolReference[]> {
  const { rows } = await index.firstReferences({ names, kinds: ["import"] }, MOST_REFERENCES);
  const aliases = new Map<string, { repo: string; paths: Set<string> }>();
  for (const reference of rows) {
    for (const { name, alias } of await modules.bindings(reference)) {
      if (!names.includes(name) || alias === name || alias === "*") continue;
      const key = `${reference.repo}\0${alias}`;
      const known = aliases.get(key) ?? { repo: reference.repo, paths: new Set<string>() };
      known.paths.add(reference.path);
      aliases.set(key, known);
    }
  }
  const asked = [...aliases].map(([key, { repo, paths }]) =>
    index.references({ names: [key.slice(repo.length + 1)], kinds, repo, paths: [...paths] }),
  );
  return (await Promise.all(asked)).flat();
}

/** Everything that refers to symbols, by file, and the lines that only mention the name. */
export async function findReferences(
  graph: SymbolGraph,
  symbols: readonly SymbolDeclaration[],
  mentioned: "with mentions" | "without mentions" = "with mentions",
): Promise<References> {
  const { uses, others, unseen } = await findUses(graph, symbols);
  const lines = await Promise.all(uses.map(({ use, meaning }) => lineOf(graph, use, meaning)));
  const byFile = groupBy(
    uses.map(({ use }, at) => ({ file: use.reference, line: lines[at]! })),
    ({ file }) => `${file.repo}\0${file.path}`,
  );
  const files = [...byFile.values()].map((rows) => ({
    file: fileOf(rows[0]!.file),
    lines: oneALine(rows.map(({ line }) => line)),
  }));
  const [first] = symbols;
  const isWanted = first !== undefined && mentioned === "with mentions";
  const mentions = isWanted
    ? await findMentions(graph, first.name, [...files, ...declaredLines(symbols)])
    : NO_MENTIONS;
  return { files, others, unseen, mentions };
}

const NO_MENTIONS: Mentions = { files: [], lines: 0, unseen: 0 };

function fileOf({ repo, path, language, class: fileClass, blob }: FileVersion): FileVersion {
  return { repo, path, language, class: fileClass, blob };
}

async function lineOf(graph: SymbolGraph, use: ResolvedUse, { certainty }: Meaning): Promise<ReferenceLine> {
  const { reference, line, text, enclosing, meanings } = use;
  const isTest = reference.class === "test" || enclosing?.kind === "test";
  const isVerified = await graph.index.isVerified(reference);
  return {
    ...{ line, text, kind: reference.kind, certainty, isVerified, isTest },
    among: meanings.length,
    enclosing: reference.enclosing,
  };
}

/** Several uses on one line are one, the surest. */
function oneALine(lines: readonly ReferenceLine[]): ReferenceLine[] {
  const byLine = new Map<number, ReferenceLine>();
  for (const one of lines) {
    const known = byLine.get(one.line);
    if (!known || (known.certainty === "heuristic" && one.certainty === "exact")) byLine.set(one.line, one);
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

interface KnownLines {
  file: Pick<FileVersion, "repo" | "path">;
  lines: { line: number }[];
}

/** The lines that a declaration's name is declared on are no mentions. */
function declaredLines(symbols: readonly SymbolDeclaration[]): KnownLines[] {
  return symbols.map((file) => ({ file, lines: [{ line: file.startLine }] }));
}

async function findMentions({ index }: SymbolGraph, name: string, known: readonly KnownLines[]): Promise<Mentions> {
  const { files, total } = await index.filesUnchecked(filesMentioning(name, { size: MOST_MENTIONING }));
  const skip = new Set(
    known.flatMap(({ file, lines }) => lines.map(({ line }) => `${file.repo}\0${file.path}\0${line}`)),
  );
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}_$])`,
    "u",
  );
  const found: Mentions["files"] = [];
  for (const file of files) {
    const lines = await index.currentLines(file);
    const own = (lines ?? []).flatMap((text, at) => {
      const isNew = !skip.has(`${file.repo}\0${file.path}\0${at + 1}`);
      return isNew && word.test(text) ? [{ line: at + 1, text: text.replace(/\r$/, "") }] : [];
    });
    if (own.length > 0) found.push({ file: fileOf(file), lines: own });
  }
  const lines = found.reduce((sum, one) => sum + one.lines.length, 0);
  return { files: found, lines, unseen: Math.max(0, total - files.length) };
}
