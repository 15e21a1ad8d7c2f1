import { execFileSync, type StdioOptions } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Nothing of the machine's own configuration counts, and times stand still. */
const ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};
const SETTINGS = [
  "init.defaultBranch=main",
  "commit.gpgSign=false",
  "core.autocrlf=false",
  "protocol.file.allow=always",
];

/** A real repository for tests, worked on by the git that is installed. */
export class GitFolder {
  /** Seconds since 1970 of the next commit; one minute more each. */
  #clock = 1_700_000_000;

  constructor(readonly root: string) {}

  /** A new repository in a folder, which is made if it is not there. */
  static init(root: string, ...more: string[]): GitFolder {
    mkdirSync(root, { recursive: true });
    const folder = new GitFolder(root);
    folder.git("init", "-q", ...more);
    return folder;
  }

  /** Runs git in the folder; gives its output without the last line feed. */
  git(...args: string[]): string {
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const date = `${this.#clock} +0000`;
    const env = { ...process.env, ...ENVIRONMENT, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
    return execFileSync("git", [...settings, ...args], { cwd: this.root, env, encoding: "utf8", stdio }).replace(
      /\n$/,
      "",
    );
  }

  /** Writes files (nothing: removes them) and commits everything; gives the commit. */
  commit(files: Record<string, string | undefined>, message = "change"): string {
    this.write(files);
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
    this.#clock += 60;
    return this.git("rev-parse", "HEAD");
  }

  write(files: Record<string, string | undefined>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.root, name);
      if (content === undefined) rmSync(file, { force: true });
      else {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    }
  }
}
