import { isAbsolute, join, relative, sep } from "node:path";
import type { Client } from "../client/index.js";
import { type CodeQuery, INDEX, type ScopeFinding } from "../code/index.js";
import { belowName } from "./below-name.js";
import { type Folder, findFileEntry, loadFolders } from "./catalog.js";
import { readWorkingFile, type WorkingFile } from "./working-file.js";

/** What the tools work with. */
export interface WorkspaceOptions {
  client: Client;
  /** Where repositories are on this disk, by name; needed for a remote node, whose catalog is not believed about local paths. */
  roots?: Readonly<Record<string, string>>;
  /** Brings one file of a folder up to date in the index; absent when nothing here can index. */
  reindexFile?: (root: string, path: string) => Promise<void>;
  /** Finds out what clauses of a query mean that only git can answer; absent when nothing here can. */
  resolveScopes?: (query: CodeQuery) => Promise<{ findings: ScopeFinding[]; notes: string[] }>;
}

/** The better a file can be looked at, the earlier. */
const STATES = ["present", "absent", "out of sight"] as const;

/** The files and folders behind the index, during one tool call: each file is read once, re-indexed at most once. */
export class Workspace {
  readonly client: Client;
  /** What went wrong beside the question asked, to be told with the answer. */
  readonly warnings: string[] = [];
  readonly #options: WorkspaceOptions;
  readonly #files = new Map<string, Promise<WorkingFile[]>>();
  readonly #reindexed = new Map<string, Promise<boolean>>();
  #lastReindex: Promise<unknown> = Promise.resolve();
  /** Folders that another run is at: whoever waited for it once need not wait again for the next file. */
  readonly #busy = new Set<string>();

  private constructor(
    options: WorkspaceOptions,
    /** Undefined when the node has no catalog. */
    readonly folders: Folder[] | undefined,
  ) {
    this.#options = options;
    this.client = options.client;
  }

  /** Asks the node for its folders. */
  static async open(options: WorkspaceOptions): Promise<Workspace> {
    return new Workspace(options, await loadFolders(options.client));
  }

  /** What `changed:` and `since:` of a query mean now; what could not be looked at becomes a warning. */
  async scopes(query: CodeQuery): Promise<ScopeFinding[]> {
    const found = await this.#options.resolveScopes?.(query);
    for (const note of found?.notes ?? []) if (!this.warnings.includes(note)) this.warnings.push(note);
    return found?.findings ?? [];
  }

  /** The repositories of the index, and those whose place was given. */
  get repos(): string[] {
    return [
      ...new Set([...(this.folders ?? []).map((folder) => folder.repo), ...Object.keys(this.#options.roots ?? {})]),
    ];
  }

  /** The file of an absolute path that lies in one of the folders: agents often have nothing else. */
  fileOf(absolute: string): { repo: string; path: string } | undefined {
    for (const repo of this.repos) {
      for (const root of this.#roots(repo)) {
        const path = relative(root, absolute);
        if (path !== "" && !path.startsWith("..") && !isAbsolute(path))
          return { repo, path: path.split(sep).join("/") };
      }
    }
    return undefined;
  }

  /** What a path means that begins with the name of a repository or of its folder, as it is written from above both. */
  fileBelowName(path: string): { repo: string; path: string } | undefined {
    return belowName(path, this.folders ?? []);
  }

  /** The repository and path of an absolute path that is one of the folders or lies in one. */
  folderAt(absolute: string): { repo: string; path: string } | undefined {
    const own = this.repos.find((repo) => this.#roots(repo).some((root) => relative(root, absolute) === ""));
    return own === undefined ? this.fileOf(absolute) : { repo: own, path: "" };
  }

  /** Where a file of a repository is on this disk, or would be; undefined when its folder is not on this machine. */
  async placeOnDisk(repo: string, path: string, blob = ""): Promise<string | undefined> {
    const file = await this.file(repo, path, blob);
    const root = file.state === "out of sight" ? file.archive?.root : file.root;
    return root === undefined ? undefined : join(root, path);
  }

  /** A file as it is now: of the folders that have the path the one with this blob, else the first. */
  async file(repo: string, path: string, blob = ""): Promise<WorkingFile> {
    const files = await this.files(repo, path);
    const same = files.find((file) => blob !== "" && file.state === "present" && file.blob.startsWith(blob));
    return same ?? files[0];
  }

  /** The same of every folder (work trees of one repository share its name), those that have the file first; never none. */
  files(repo: string, path: string): Promise<WorkingFile[]> {
    return remember(this.#files, `${repo}\0${path}`, () => this.#read(repo, path));
  }

  /** Lets go of the files that were looked at: of many hits, those that are shown need not stay. */
  forgetFiles(): void {
    this.#files.clear();
  }

  /** Brings a file up to date in the index; false when that is not possible here. */
  reindex(root: string, path: string): Promise<boolean> {
    return remember(this.#reindexed, `${root}\0${path}`, () => {
      // One after another: each may start a process of its own, and a page can hold fifty changed files.
      const result = this.#lastReindex.then(() => this.#reindexNow(root, path));
      this.#lastReindex = result;
      return result;
    });
  }

  /**
   * Why a file on disk may not be shown, undefined when it may: only what the index took in is shown, so that what was
   * left out (secrets, ignored files) stays out here too. A new file is indexed first where that is possible.
   */
  async refusal(repo: string, path: string): Promise<string | undefined> {
    const file = await this.file(repo, path);
    if (file.state !== "present") return undefined;
    let entry = await findFileEntry(this.client, repo, path);
    if (entry === undefined && (await this.reindex(file.root, path)))
      entry = await findFileEntry(this.client, repo, path);
    if (entry === undefined) return `${path} is not in the index of ${repo}`;
    if (entry.status === "indexed") return undefined;
    return `${path} was left out of the index: ${entry.status}${entry.detail === "" ? "" : ` (${entry.detail})`}`;
  }

  async #reindexNow(root: string, path: string): Promise<boolean> {
    if (this.#options.reindexFile === undefined || this.#busy.has(root)) return false;
    try {
      await this.#options.reindexFile(root, path);
      await this.client.json(
        "POST",
        `/${INDEX.files},${INDEX.declarations},${INDEX.references},${INDEX.catalog}/_refresh`,
      );
      return true;
    } catch (error) {
      if ((error as { problem?: unknown }).problem === "busy") this.#busy.add(root);
      // The file is still shown as it is on disk; that the index lags behind must not be hidden.
      this.warnings.push(
        `${path} could not be indexed again: ${error instanceof Error ? error.message : String(error)}`,
      );
      return false;
    }
  }

  async #read(repo: string, path: string): Promise<WorkingFile[]> {
    const roots = this.#roots(repo);
    if (roots.length === 0) return [{ state: "out of sight", reason: `no folder of ${repo} is known on this machine` }];
    const found: WorkingFile[] = [];
    for (const root of roots) found.push(await readWorkingFile(root, path));
    return STATES.flatMap((state) => found.filter((file) => file.state === state));
  }

  #roots(repo: string): string[] {
    const given = this.#options.roots?.[repo];
    if (given !== undefined) return [given];
    if (!isLoopback(this.client.url)) return [];
    return (this.folders ?? []).filter((folder) => folder.repo === repo).map((folder) => folder.root);
  }
}

function remember<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function isLoopback(url: string): boolean {
  const host = new URL(url).hostname;
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
