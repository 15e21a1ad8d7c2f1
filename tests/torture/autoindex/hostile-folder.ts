/** A folder with everything that a file system can hold, changed at random. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import type { Chance } from "../../../engine/store/testing/chance.js";

const FOLDERS = ["src", "src/deep/er", "lib", "a b", "ünï", "data", "#odd@1~2", ".hidden"];
/** Names that have meaning to a shell, to git, to JSON, to a locator, or to nobody. */
const NAMES = [
  ...["plain", "with space", 'quo"te', "new\nline", "tab\t", "back\\slash", "-dash", "%41", "a:1-2#b@c~d", "*?[x]"],
  ...["日本語", "é", "e\u0301", "CON", "..x", "x".repeat(120), "UPPER", "upper", "\u202edlrow", "'"],
];
const EXTENSIONS = [".py", ".js", ".md", ".json", ".csv", ".txt", ".c", ""];

type Change = (folder: HostileFolder) => void;

/** Changes that keep to what a user's tools do, each as likely as it stands here. */
const CHANGES: readonly Change[] = [
  ...Array.from({ length: 6 }, (): Change => (folder) => folder.write()),
  ...Array.from({ length: 3 }, (): Change => (folder) => folder.editWithinSize()),
  ...Array.from({ length: 3 }, (): Change => (folder) => folder.rename()),
  ...Array.from({ length: 2 }, (): Change => (folder) => folder.remove()),
  (folder) => folder.copy(),
  (folder) => folder.changeCase(),
  (folder) => folder.renameFolder(),
  (folder) => folder.turnIntoFolder(),
  (folder) => folder.changeMode(),
  (folder) => folder.rules(),
  (folder) => folder.link(),
  (folder) => folder.truncate(),
];

/** See the head of this file. */
export class HostileFolder {
  readonly #servers: Server[] = [];
  #serial = 0;
  changes = 0;

  constructor(
    readonly root: string,
    private readonly chance: Chance,
    files: number,
  ) {
    for (const folder of FOLDERS) mkdirSync(path.join(root, folder), { recursive: true });
    for (let n = 0; n < files; n++) this.write();
    this.#special();
  }

  /** Some changes; one that the system refuses (a name that is taken, a folder that is full) is no change. */
  change(count: number): void {
    for (let n = 0; n < count; n++) {
      this.changes++;
      try {
        CHANGES[this.chance(CHANGES.length)](this);
      } catch (error) {
        if (!(error instanceof Error && "code" in error)) throw error;
      }
    }
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }

  write(): void {
    const file = this.#newPath();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, this.#content(path.extname(file)));
  }

  /** The same size and the same time, somewhere in the file: only what the system itself keeps tells it. */
  editWithinSize(): void {
    const file = this.#any();
    const { size, mtime, atime } = statSync(file);
    if (size === 0) return;
    const handle = openSync(file, "r+");
    writeSync(handle, String.fromCharCode(97 + this.chance(26)), this.chance(size));
    closeSync(handle);
    utimesSync(file, atime, mtime);
  }

  rename(): void {
    const to = this.#newPath();
    mkdirSync(path.dirname(to), { recursive: true });
    renameSync(this.#any(), to);
  }

  copy(): void {
    linkSync(this.#any(), this.#newPath());
  }

  changeCase(): void {
    const file = this.#any();
    const name = path.basename(file);
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    renameSync(file, path.join(path.dirname(file), other));
  }

  renameFolder(): void {
    const file = path.dirname(this.#any());
    if (file !== this.root) renameSync(file, `${file}${this.chance(3)}`);
  }

  /** A file becomes a folder of the same name, or a folder a file. */
  turnIntoFolder(): void {
    const file = this.#any();
    if (this.chance(3) === 0 && path.dirname(file) !== this.root) {
      rmSync(path.dirname(file), { recursive: true });
      writeFileSync(path.dirname(file), "def folder_no_more(): pass\n");
      return;
    }
    rmSync(file);
    mkdirSync(file);
    writeFileSync(path.join(file, "inner.py"), this.#content(".py"));
  }

  remove(): void {
    rmSync(this.#any());
  }

  changeMode(): void {
    chmodSync(this.#any(), this.chance(2) === 0 ? 0o000 : 0o755);
  }

  rules(): void {
    const rules = ["*.txt\n", "data/\n!data/x.csv\n", "", "**/deep\n", "!*.py\n*.js\n"];
    const folder = FOLDERS[this.chance(FOLDERS.length)];
    const name = this.chance(2) === 0 ? ".gitignore" : ".ignore";
    mkdirSync(path.join(this.root, folder), { recursive: true });
    writeFileSync(path.join(this.root, this.chance(2) === 0 ? "" : folder, name), rules[this.chance(rules.length)]);
  }

  link(): void {
    const targets = [".", "..", "nowhere", "src", this.root, this.#any()];
    symlinkSync(targets[this.chance(targets.length)], this.#newPath());
  }

  truncate(): void {
    const file = this.#any();
    truncateSync(file, this.chance(statSync(file).size + 1));
  }

  /** What is no file, and names that are no text. */
  #special(): void {
    spawnSync("mkfifo", [path.join(this.root, "src/pipe.py")]);
    this.#servers.push(createServer().listen(path.join(this.root, "src/socket.js")));
    writeFileSync(
      Buffer.concat([Buffer.from(`${this.root}/lib/`), Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x70, 0x79])]),
      "x = 1\n",
    );
    mkdirSync(Buffer.concat([Buffer.from(`${this.root}/`), Buffer.from([0xc3, 0x28])]));
    symlinkSync(".", path.join(this.root, "lib/loop"));
    writeFileSync(path.join(this.root, "lib/bundle.js"), `${"var a=1;".repeat(5000)}\n`);
    writeFileSync(path.join(this.root, "lib/braces.c"), "{".repeat(10_000));
    writeFileSync(
      path.join(this.root, "lib/noise.rs"),
      Buffer.from(Array.from({ length: 5000 }, () => this.chance(256))),
    );
  }

  #content(extension: string): string | Buffer {
    const n = this.#serial++;
    const word = `thing_${n}_${this.chance(1000)}`;
    const rows = Array.from({ length: 1 + this.chance(20) }, (_, row) => `${row},${word},${this.chance(100)}`);
    switch (this.chance(12)) {
      case 0:
        return "";
      case 1:
        return Buffer.from([0xff, 0xfe, ...Buffer.from(`def ${word}(): pass\n`, "utf16le")]);
      case 2:
        return Buffer.from(Array.from({ length: 300 }, () => this.chance(256)));
      case 3:
        return `def ${word}():\r\n    return 1\r\n`;
      case 4:
        return `${word} ${"y".repeat(this.chance(20_000))}\n`;
      default:
        break;
    }
    if (extension === ".csv") return `id,name,count\n${rows.join("\n")}\n`;
    if (extension === ".json") return JSON.stringify(rows.map((row) => ({ row, word })));
    if (extension === ".md") return `# ${word}\n\nSome text.\n\n## Again ${word}\n\n- Key: value\n`;
    if (extension === ".js" || extension === ".ts") return `function ${word}(a) { return helper_${n % 7}(a); }\n`;
    return `def ${word}(a):\n    """Says ${word}."""\n    return helper_${n % 7}(a)\n`;
  }

  #newPath(): string {
    const folder = FOLDERS[this.chance(FOLDERS.length)];
    const name = NAMES[this.chance(NAMES.length)];
    return path.join(this.root, folder, `${name}${this.chance(10)}${EXTENSIONS[this.chance(EXTENSIONS.length)]}`);
  }

  /** Any regular file; throws ENOENT when a folder has none. */
  #any(): string {
    for (let tries = 0; tries < 20; tries++) {
      const folder = path.join(this.root, FOLDERS[this.chance(FOLDERS.length)]);
      const names = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
      if (names.length === 0) continue;
      const file = path.join(folder, names[this.chance(names.length)]);
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    }
    throw Object.assign(new Error("no file to change"), { code: "ENOENT" });
  }
}
