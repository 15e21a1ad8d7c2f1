/** A git work tree that is changed at random, and all that its files ever held, with when. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Chance } from "../../../engine/store/testing/chance.js";

/** What a file held for some time; `undefined`: it was not there. Times by `performance.now()`. */
export interface Version {
  readonly text: string | undefined;
  readonly blob: string;
  readonly from: number;
  until: number;
}

const FOLDERS = ["", "net/", "net/deep/", "a b/"];
const FILES = 40;
/** Names of functions: few enough for the same one to stand in several files, with the same text or another. */
const NAMES = 60;
const BRANCHES = ["main", "one", "two"];

type Change = "edit" | "rename" | "delete" | "new" | "folder" | "branch";
/** Each as likely as it stands here. */
const CHANGES: readonly Change[] = [
  ...Array.from({ length: 14 }, (): Change => "edit"),
  ...(["rename", "rename", "rename", "delete", "new", "new", "folder"] as const),
];
/** One change in so many is a branch switch, which takes much longer than the others. */
const SWITCH_EVERY = 60;

/** See the head of this file. */
export class WorkingTree {
  readonly #history = new Map<string, Version[]>();
  #switching: Promise<void> = Promise.resolve();
  #serial = 0;
  changes = 0;
  switches = 0;

  private constructor(
    readonly root: string,
    private readonly chance: Chance,
  ) {}

  /** A repository with some branches in an empty folder. */
  static async create(root: string, chance: Chance): Promise<WorkingTree> {
    const tree = new WorkingTree(root, chance);
    await tree.#git("init", "-b", BRANCHES[0]);
    for (const branch of BRANCHES) {
      if (branch !== BRANCHES[0]) await tree.#git("checkout", "-b", branch);
      for (let n = 0; n < FILES / 2; n++) tree.#writeNew();
      await tree.#commit();
    }
    return tree;
  }

  /** Files that are there now. */
  get files(): ReadonlyMap<string, string> {
    const now = new Map<string, string>();
    for (const [file, versions] of this.#history) {
      const { text } = versions.at(-1)!;
      if (text !== undefined) now.set(file, text);
    }
    return now;
  }

  /** What a file held at any moment of some time. */
  versions(file: string, from: number, until: number): Version[] {
    return (this.#history.get(file) ?? []).filter((version) => version.from <= until && version.until >= from);
  }

  /**
   * Resolves when it is known what every file held until now: of a branch switch that goes on that is learned at its
   * end, and files may be read, and shown, before.
   */
  known(): Promise<void> {
    return this.#switching;
  }

  /** One change. */
  async change(): Promise<void> {
    this.changes++;
    if (this.chance(SWITCH_EVERY) === 0) {
      const switched = this.#switchBranch();
      this.#switching = switched.catch(() => {});
      return switched;
    }
    const files = [...this.files.keys()].sort();
    const file = files[this.chance(files.length)];
    const kind = files.length < FILES / 2 ? "new" : CHANGES[this.chance(CHANGES.length)];
    if (kind === "edit") this.#save(file, this.#edited(this.files.get(file)!));
    else if (kind === "delete") this.#during([file], () => rmSync(path.join(this.root, file)));
    else if (kind === "rename") this.#rename(file, this.#newName());
    else if (kind === "folder") this.#renameFolder(file);
    else this.#writeNew();
  }

  #writeNew(): void {
    const count = 1 + this.chance(4);
    this.#save(this.#newName(), Array.from({ length: count }, () => this.#function()).join("\n"));
  }

  #newName(): string {
    return `${FOLDERS[this.chance(FOLDERS.length)]}file${this.chance(3 * FILES)}.py`;
  }

  #function(): string {
    const body = this.chance(3) === 0 ? "the same everywhere" : `version ${this.#serial++}`;
    return `def fn_${this.chance(NAMES)}(a):\n    # ${body}\n    return a + "${body}"\n`;
  }

  #edited(text: string): string {
    const functions = text.split(/^(?=def )/m);
    const at = this.chance(functions.length);
    switch (this.chance(9)) {
      case 0:
        return `# a line above ${this.#serial++}\n${text}`;
      case 1:
        return functions.toSpliced(at, 1).join("");
      case 2:
        return [...functions, functions[at]].join("");
      case 3:
        return functions.toReversed().join("");
      case 4:
        return text.includes("\r") ? text.replaceAll("\r", "") : text.replaceAll("\n", "\r\n");
      case 5:
        // The same size, so that only the system's own stamps tell it.
        return text.replace(/version \d/, `version ${this.chance(10)}`);
      case 6:
        return this.chance(4) === 0 ? "" : `${text}\n`;
      case 7:
        return this.chance(4) === 0 ? `\0${text}` : text.replaceAll("\0", "");
      default:
        return functions.toSpliced(at, 1, this.#function()).join("");
    }
  }

  /** In place, or as editors do: another file that takes the name. */
  #save(file: string, text: string): void {
    const whole = path.join(this.root, file);
    this.#during([file], () => {
      mkdirSync(path.dirname(whole), { recursive: true });
      const first = this.chance(2) === 0 ? whole : `${whole}.tmp`;
      writeFileSync(first, text);
      if (first !== whole) renameSync(first, whole);
    });
  }

  #rename(file: string, to: string): void {
    if (file === to) return;
    this.#during([file, to], () => {
      mkdirSync(path.dirname(path.join(this.root, to)), { recursive: true });
      renameSync(path.join(this.root, file), path.join(this.root, to));
    });
  }

  /** A folder goes elsewhere and comes back by itself when a new file is written to it. */
  #renameFolder(file: string): void {
    const [folder] = file.split("/");
    if (folder === file) return;
    const files = [...this.files.keys()].filter((name) => name.startsWith(`${folder}/`));
    const other = `${folder}_${this.#serial++}`;
    const moved = files.map((name) => `${other}${name.slice(folder.length)}`);
    this.#during([...files, ...moved], () => renameSync(path.join(this.root, folder), path.join(this.root, other)));
  }

  async #switchBranch(): Promise<void> {
    this.switches++;
    await this.#commit();
    const from = performance.now();
    await this.#git("checkout", "-f", BRANCHES[this.chance(BRANCHES.length)]);
    const until = performance.now();
    const now = new Set(this.#list(""));
    for (const file of new Set([...now, ...this.files.keys()])) this.#record(file, from, until);
  }

  async #commit(): Promise<void> {
    await this.#git("add", "-A");
    await this.#git("commit", "--allow-empty", "-m", "some work");
  }

  #list(folder: string): string[] {
    return readdirSync(path.join(this.root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = `${folder}${entry.name}`;
      if (entry.name === ".git") return [];
      return entry.isDirectory() ? this.#list(`${name}/`) : [name];
    });
  }

  #during(files: readonly string[], change: () => void): void {
    const from = performance.now();
    change();
    const until = performance.now();
    for (const file of files) this.#record(file, from, until);
  }

  /** What a file holds now, after a change that took so long. */
  #record(file: string, from: number, until: number): void {
    const whole = path.join(this.root, file);
    const isThere = statSync(whole, { throwIfNoEntry: false })?.isFile() === true;
    const text = isThere ? readFileSync(whole, "utf8") : undefined;
    const versions = this.#history.get(file) ?? [];
    const last = versions.at(-1);
    if (last?.text === text && last !== undefined) return;
    if (last) last.until = until;
    versions.push({ text, blob: text === undefined ? "" : blobOf(text), from, until: Number.POSITIVE_INFINITY });
    this.#history.set(file, versions);
  }

  #git(...args: string[]): Promise<void> {
    const identity = [
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.org",
      "-c",
      "gc.auto=0",
      "-c",
      "core.autocrlf=false",
    ];
    const child = spawn("git", [...identity, ...args], {
      cwd: this.root,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    return new Promise((resolve, reject) => {
      child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`git ${args.join(" ")}: ${text}`))));
    });
  }
}

function blobOf(text: string): string {
  const bytes = Buffer.from(text);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
