import {
  bodyOf,
  type DeclarationDocument,
  type FileDocument,
  type FileVersion,
  INDEX,
  MOST_SYMBOLS,
  type ReferenceDocument,
  type ReferencesWanted,
  readDeclaration,
  readFile,
  referenceReader,
  referencesTo,
  type SymbolDeclaration,
  type SymbolFile,
  type SymbolReference,
  type SymbolRequest,
} from "../code/index.js";
import { searchIndex, sources, totalOf } from "./node.js";
import { toLines, type WorkingFile } from "./working-file.js";
import type { Workspace } from "./workspace.js";

/** How often a question is asked again after files were brought up to date. */
const ROUNDS = 3;

/**
 * Questions to the indices of symbols, answered by files as they are now: a file that changed since it was indexed is
 * indexed again and the question asked anew; what still differs then is left out, with a warning.
 */
export class SymbolIndex {
  readonly #texts = new Map<string, Promise<string[] | undefined>>();

  constructor(readonly workspace: Workspace) {}

  async declarations(request: SymbolRequest): Promise<SymbolDeclaration[]> {
    return (await this.#ask<DeclarationDocument, SymbolDeclaration>(INDEX.declarations, request, readDeclaration)).rows;
  }

  async references(wanted: ReferencesWanted): Promise<SymbolReference[]> {
    return (await this.firstReferences(wanted, MOST_SYMBOLS)).rows;
  }

  /**
   * The references of the first declarations until there are enough, in the order of their first places; and how many
   * declarations were not looked at, which refer to the same names, though perhaps in other ways.
   */
  async firstReferences(
    wanted: ReferencesWanted,
    enough: number,
  ): Promise<{ rows: SymbolReference[]; moreDeclarations: number }> {
    const page = { ...referencesTo(wanted), size: enough, track_total_hits: true };
    const asItIs = (source: ReferenceDocument) => source;
    const { rows: declarations, more } = await this.#ask(INDEX.references, page, asItIs);
    this.#warnOfOlder(declarations);
    const referencesOf = referenceReader(wanted);
    const rows: SymbolReference[] = [];
    let read = 0;
    for (; read < declarations.length && rows.length < enough; read++) rows.push(...referencesOf(declarations[read]!));
    return { rows: rows.sort(byPlace), moreDeclarations: more + declarations.length - read };
  }

  async files(request: SymbolRequest): Promise<SymbolFile[]> {
    return (await this.#ask<FileDocument, SymbolFile>(INDEX.files, request, readFile)).rows;
  }

  /** Files as the index has them, unchecked, and how many there are in all. */
  async filesUnchecked(request: SymbolRequest): Promise<{ files: SymbolFile[]; total: number }> {
    const answer = await searchIndex<FileDocument>(this.workspace.client, INDEX.files, request);
    return { files: (answer?.hits.hits ?? []).map((hit) => readFile(hit._source)), total: totalOf(answer) };
  }

  /** Whether a file could be looked at; what the index says of others is not known to be so. */
  async isVerified({ repo, path }: Pick<FileVersion, "repo" | "path">): Promise<boolean> {
    const file = await this.workspace.file(repo, path);
    if (file.state !== "out of sight") return true;
    return file.archive !== undefined && this.workspace.reindex(file.archive.root, file.archive.path);
  }

  /** Lines of the text that the index read, of a file that it read as it is now; undefined when there is none. */
  lines(file: FileVersion): Promise<string[] | undefined> {
    const { repo, path, blob } = file;
    const key = `${repo}\0${path}\0${blob}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const made = this.#readLines(repo, path, blob);
    this.#texts.set(key, made);
    return made;
  }

  /** Lines of a file as it is now, whatever the index read; those of the index where the file cannot be looked at. */
  async currentLines(file: FileVersion): Promise<string[] | undefined> {
    const now = await this.workspace.file(file.repo, file.path, file.blob);
    if (now.state === "absent") return undefined;
    return (now.state === "present" && now.blob !== file.blob ? now.lines : undefined) ?? this.lines(file);
  }

  /** The text of a line, if the name stands on it; of a converted text (a notebook, an older encoding) as the index has it. */
  async lineWith(file: FileVersion, line: number, name: string): Promise<string | undefined> {
    const { workspace } = this;
    const now = await workspace.file(file.repo, file.path, file.blob);
    const own = now.state === "present" && now.blob === file.blob ? now.lines?.[line - 1] : undefined;
    if (own?.includes(name)) return own.replace(/\r$/, "");
    const indexed = (await this.#indexedLines(file))?.[line - 1];
    return indexed?.includes(name) ? indexed.replace(/\r$/, "") : undefined;
  }

  async #readLines(repo: string, path: string, blob: string): Promise<string[] | undefined> {
    const now = await this.workspace.file(repo, path, blob);
    if (now.state === "present" && now.lines !== undefined && now.blob === blob) return now.lines;
    return this.#indexedLines({ repo, path, blob });
  }

  async #indexedLines({
    repo,
    path,
    blob,
  }: Pick<FileVersion, "repo" | "path" | "blob">): Promise<string[] | undefined> {
    const key = `${repo}\0${path}\0${blob}\0indexed`;
    const ask = async () => {
      const [found] = await sources<{ body: string }>(this.workspace.client, INDEX.files, bodyOf(repo, path, blob));
      return found === undefined ? undefined : toLines(found.body);
    };
    const known = this.#texts.get(key) ?? ask();
    this.#texts.set(key, known);
    return known;
  }

  async #ask<S, T extends FileVersion>(
    index: string,
    request: SymbolRequest,
    read: (source: S) => T,
  ): Promise<{ rows: T[]; more: number }> {
    for (let round = 1; ; round++) {
      const answer = await searchIndex<S>(this.workspace.client, index, request);
      const rows = (answer?.hits.hits ?? []).map((hit) => read(hit._source));
      const more = Math.max(0, totalOf(answer) - rows.length);
      const { fresh, stale } = await this.#sort(rows);
      if (stale.length === 0) return { rows: fresh, more };
      const renewed = round < ROUNDS && (await this.#renew(stale));
      if (renewed) continue;
      this.#warn(fresh, stale);
      return { rows: fresh, more };
    }
  }

  /** What an earlier version wrote says nothing until its folder is read again. */
  #warnOfOlder(declarations: readonly ReferenceDocument[]): void {
    for (const repo of new Set(declarations.flatMap(({ repo: one, edges }) => (edges ? [] : [one])))) {
      this.#warnOnce(`references in ${repo} were written by an earlier version: \`pinakes up\` reads them again`);
    }
  }

  async #sort<T extends FileVersion>(rows: readonly T[]): Promise<{ fresh: T[]; stale: T[] }> {
    const fresh: T[] = [];
    const stale: T[] = [];
    for (const row of rows) {
      const file = await this.workspace.file(row.repo, row.path, row.blob);
      (isOf(file, row.blob) ? fresh : stale).push(row);
    }
    return { fresh, stale };
  }

  /** Brings the files of rows up to date; whether any was. */
  async #renew(stale: readonly FileVersion[]): Promise<boolean> {
    let isAny = false;
    for (const { repo, path } of distinctFiles(stale)) {
      const file = await this.workspace.file(repo, path);
      if (file.state !== "out of sight" && (await this.workspace.reindex(file.root, path))) isAny = true;
    }
    return isAny;
  }

  #warn(fresh: readonly FileVersion[], stale: readonly FileVersion[]): void {
    // Another work tree's version of a file that is there as well is no news.
    const known = new Set(fresh.map(({ repo, path }) => `${repo}\0${path}`));
    const lost = distinctFiles(stale).filter(({ repo, path }) => !known.has(`${repo}\0${path}`));
    for (const { path } of lost) this.#warnOnce(`${path} changed since it was indexed, and is left out`);
  }

  #warnOnce(warning: string): void {
    if (!this.workspace.warnings.includes(warning)) this.workspace.warnings.push(warning);
  }
}

/** By file and first place: what a declaration refers to may begin before and go on behind what an inner one does. */
function byPlace(a: SymbolReference, b: SymbolReference): number {
  return compare(a.repo, b.repo) || compare(a.path, b.path) || a.startBytes[0]! - b.startBytes[0]!;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether a file still is what the index read, as far as it can be looked at. */
function isOf(file: WorkingFile, blob: string): boolean {
  if (file.state === "out of sight") return true;
  return file.state === "present" && file.blob === blob;
}

function distinctFiles<T extends Pick<FileVersion, "repo" | "path">>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [`${row.repo}\0${row.path}`, row])).values()];
}
