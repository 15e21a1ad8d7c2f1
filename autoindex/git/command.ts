import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { AutoindexError } from "../errors.js";
import { gitObstacle } from "./obstacle.js";

/** Why git gave no answer. */
export type GitProblem =
  /** No program of that name is on the search path. */
  | "missing"
  /** Git refuses a folder that belongs to somebody else (`safe.directory`). */
  | "refused"
  /** The answer is larger than the bound. */
  | "too_much"
  | "timeout"
  /** It began and found that it can't: a damaged repository, an object that is not there. */
  | "ended"
  /** What was asked for makes no sense, or git could not be asked. */
  | "failed";

/** Git was asked and did not answer; the message says what to do. */
export class GitError extends AutoindexError {
  constructor(
    readonly git: GitProblem,
    message: string,
  ) {
    super("git", message);
    this.name = "GitError";
  }
}

/** How much of an answer is kept, and how long it is waited for. */
export interface GitBounds {
  maxBytes?: number;
  timeoutMs?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** A stream that is read slowly is no stuck git: this is from one piece to the next. */
const SILENCE_MS = 120_000;
const MAX_STDERR = 4000;

/**
 * Settings for every call. A repository's own configuration can name programs to run (`core.fsmonitor`, external diffs,
 * signature checks) and places to fetch from: none of them is used for reading.
 */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.quotePath=false",
  "core.pager=cat",
  "diff.external=",
  "i18n.logOutputEncoding=UTF-8",
  "log.showRoot=true",
  "log.showSignature=false",
  "protocol.allow=never",
].flatMap((setting) => ["-c", setting]);

/** The environment without what would lead git elsewhere, and with messages that can be recognised. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/.test(name) || isConfiguration(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
}

/** Where the user's settings lie, `safe.directory` among them, stays as it is. */
function isConfiguration(name: string): boolean {
  return /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/.test(name);
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A running git whose input and output are streams; `ended` says how it ended, and rejects when it failed. */
export interface RunningGit {
  input: Writable;
  output: Readable;
  ended: Promise<void>;
  kill(): void;
}

/** Starts git in a folder. Throws GitError where git would wait for ever. */
export function startGit(folder: string, args: readonly string[]): RunningGit {
  const obstacle = gitObstacle(folder);
  if (obstacle !== "") throw new GitError("ended", `git is not asked: ${obstacle}`);
  const child: GitProcess = spawn("git", ["-C", folder, ...SETTINGS, ...args], {
    env: environment(),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < MAX_STDERR) stderr += text;
  });
  // Git may end before it has read all; how it ended says why.
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => reject(notStarted(error, folder)));
    child.on("close", (code, signal) => (code === 0 ? resolve() : reject(failure(args, stderr, signal ?? `${code}`))));
  });
  // Whoever reads the output awaits it; until then it must not count as unhandled.
  ended.catch(() => {});
  return { input: child.stdin, output: child.stdout, ended, kill: () => child.kill("SIGKILL") };
}

function notStarted(error: NodeJS.ErrnoException, folder: string): GitError {
  if (error.code === "ENOENT") return new GitError("missing", `no git program is on the search path (for ${folder})`);
  return new GitError("failed", `git could not be started: ${error.message}`);
}

function failure(args: readonly string[], stderr: string, status: string): GitError {
  const said = stderr.trim().slice(0, 500);
  if (/dubious ownership|unsafe repository|safe\.bareRepository/i.test(said)) {
    return new GitError("refused", `git refuses a repository of another owner; ${said.replace(/\s+/g, " ")}`);
  }
  return new GitError("ended", `git ${args[0] ?? ""} ended with ${status}${said === "" ? "" : `: ${said}`}`);
}

/** Runs git and gives its whole output. Throws GitError. */
export async function runGit(folder: string, args: readonly string[], bounds: GitBounds = {}): Promise<Buffer> {
  const { maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS } = bounds;
  const git = startGit(folder, args);
  git.input.end();
  let why: GitError | undefined;
  const stop = (problem: GitProblem, message: string) => {
    why ??= new GitError(problem, `git ${args[0]}: ${message}`);
    git.kill();
  };
  const timer = setTimeout(() => stop("timeout", `no answer within ${timeoutMs / 1000} s`), timeoutMs);
  const chunks: Buffer[] = [];
  let bytes = 0;
  git.output.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) stop("too_much", `the answer is larger than ${maxBytes} bytes`);
    else chunks.push(chunk);
  });
  try {
    await git.ended;
  } catch (error) {
    throw why ?? error;
  } finally {
    clearTimeout(timer);
  }
  // It may have been done before it could be ended.
  if (why) throw why;
  return Buffer.concat(chunks);
}

/** The output as text, without the last line feed. */
export async function gitText(folder: string, args: readonly string[], bounds?: GitBounds): Promise<string> {
  return (await runGit(folder, args, bounds)).toString("utf8").replace(/\n$/, "");
}

/** What is asked of git whose output is read as it comes. */
export interface GitStream {
  input?: string;
  silenceMs?: number;
}

/**
 * Runs git and gives its output in the chunks it comes in, read as fast as they are taken: so no answer is too large.
 * Throws GitError, also when git is silent for too long.
 */
export async function* gitChunks(
  folder: string,
  args: readonly string[],
  { input = "", silenceMs = SILENCE_MS }: GitStream = {},
): AsyncGenerator<Buffer> {
  const git = startGit(folder, args);
  git.input.end(input);
  let silent = false;
  const watch = () =>
    setTimeout(() => {
      silent = true;
      git.kill();
    }, silenceMs);
  let timer = watch();
  try {
    for await (const chunk of git.output as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      yield chunk;
      timer = watch();
    }
    await git.ended;
  } catch (error) {
    throw silent ? new GitError("timeout", `git ${args[0]}: silent for ${silenceMs / 1000} s`) : error;
  } finally {
    clearTimeout(timer);
    git.kill();
  }
}

/** As gitChunks(), piece by piece, each ended by a byte (NUL for `-z`). */
export async function* gitPieces(
  folder: string,
  args: readonly string[],
  { ending = 0, ...stream }: GitStream & { ending?: number } = {},
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of gitChunks(folder, args, stream)) {
    let from = 0;
    for (let at = chunk.indexOf(ending); at >= 0; at = chunk.indexOf(ending, from)) {
      rest.push(chunk.subarray(from, at));
      yield rest.length === 1 ? rest[0]! : Buffer.concat(rest);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
