import { filesAt, MOST_SYMBOLS, type SymbolFile } from "../code/index.js";
import type { SymbolIndex } from "./symbol-index.js";

/** Files of a repository that are wanted: at these paths, or with these base names. */
export interface WantedFiles {
  repo: string;
  paths: readonly string[];
  names: readonly string[];
}

/** A question that waits for others to be asked with. */
interface Waiting {
  wanted: WantedFiles;
  answer(files: Promise<SymbolFile[]>): void;
}

/** Most questions in one request. */
const MOST_TOGETHER = 100;

/**
 * Files by path or base name. What is asked in one turn is asked of the node in one request: the imports of a hundred
 * files are as many questions, each of which costs little and its way there much.
 */
export class FileLookups {
  #waiting: Waiting[] = [];

  constructor(private readonly index: SymbolIndex) {}

  /** Files as the index has them, by path. */
  find(wanted: WantedFiles): Promise<SymbolFile[]> {
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#askAll());
      this.#waiting.push({ wanted, answer: resolve });
    });
  }

  #askAll(): void {
    const byRepo = new Map<string, Waiting[]>();
    for (const one of this.#waiting) byRepo.set(one.wanted.repo, [...(byRepo.get(one.wanted.repo) ?? []), one]);
    this.#waiting = [];
    for (const all of byRepo.values()) {
      for (let at = 0; at < all.length; at += MOST_TOGETHER) this.#askTogether(all.slice(at, at + MOST_TOGETHER));
    }
  }

  #askTogether(group: readonly Waiting[]): void {
    const paths = [...new Set(group.flatMap(({ wanted }) => wanted.paths))];
    const names = [...new Set(group.flatMap(({ wanted }) => wanted.names))];
    const together = this.#ask({ repo: group[0].wanted.repo, paths, names });
    for (const { wanted, answer } of group) {
      answer(
        together.then((files) => {
          // More than one answer holds: each question has its own bound.
          if (files.length >= MOST_SYMBOLS && group.length > 1) return this.#ask(wanted);
          return files.filter(({ path }) => wanted.paths.includes(path) || wanted.names.includes(baseName(path)));
        }),
      );
    }
  }

  async #ask({ repo, paths, names }: WantedFiles): Promise<SymbolFile[]> {
    return (await this.index.filesUnchecked(filesAt(repo, { paths, names }))).files;
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
