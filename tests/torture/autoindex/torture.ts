/**
 * Changes a hostile folder, indexes it with runs that are killed, or whose node is, or both, while files go on changing;
 * then lets a run come to its end and compares all that is in the index with what undisturbed runs of one and of eight
 * processes make of the same folder on another node.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import path from "node:path";
import { readFolder } from "../../../autoindex/catalog/folder-lock.js";
import { autoindex, removeFolder as removeFolderFromIndex } from "../../../autoindex/index.js";
import { Client } from "../../../client/index.js";
import { type Chance, chanceOf } from "../../../engine/store/testing/chance.js";
import { ROOT } from "../../import-graph.js";
import { removeFolder, startTestNode, type TestNode, temporaryFolder } from "../../support/node.js";
import type { Result } from "../kill-nodes.js";
import type { TortureOptions } from "../options.js";
import { type Content, differences, orderDifferences, readContent } from "./content.js";
import { HostileFolder } from "./hostile-folder.js";

const PROGRAM = path.join(ROOT, "bin/pinakes.js");
const FILES = 60;
const CHANGES_PER_ROUND = 40;
const MOST_KILLS_PER_ROUND = 4;
const LONGEST_RUN_MS = 2500;
/** After a run has said that it begins to write, what it does at once is over in about this time. */
const WRITING_MS = 80;
/** Starting eight processes takes longer than all else, so not every round does. */
const EIGHT_EVERY = 3;
/** In one round of so many the folder is taken out of the index first. */
const ANEW_EVERY = 4;
/** A run over some hundred files that takes so long hangs. */
const PATIENCE_MS = 120_000;
const VICTIMS = ["run", "node", "both"] as const;

/** See the head of this file. */
export async function tortureAutoindex(options: TortureOptions): Promise<Result> {
  const run = new Run(options);
  const end = performance.now() + options.seconds * 1000;
  await run.begin();
  try {
    while (run.kills < options.kills && performance.now() < end) await run.oneRound();
  } finally {
    await run.end();
  }
  return run.result();
}

class Run {
  readonly #chance: Chance;
  readonly #data = temporaryFolder("torture-index");
  readonly #root = realpathSync(temporaryFolder("torture-folder"));
  readonly #folder: HostileFolder;
  readonly #found: string[] = [];
  #node!: TestNode;
  #reference!: TestNode;
  #documents = 0;
  #rounds = 0;
  #runs = 0;
  kills = 0;

  constructor(private readonly options: TortureOptions) {
    this.#chance = chanceOf(options.seed);
    this.#folder = new HostileFolder(this.#root, this.#chance, FILES);
  }

  async begin(): Promise<void> {
    this.#node = await startTestNode(this.#data);
    this.#reference = await startTestNode();
  }

  async oneRound(): Promise<void> {
    this.#rounds++;
    this.#folder.change(this.#chance(CHANGES_PER_ROUND));
    if (this.#chance(ANEW_EVERY) === 0) await this.#anew();
    const kills = this.#chance(MOST_KILLS_PER_ROUND + 1);
    for (let n = 0; n < kills; n++) await this.#killedRun();
    await this.#wholeRun();
    await this.#compare();
  }

  async end(): Promise<void> {
    this.#folder.close();
    await this.#node.stop();
    await this.#reference.stop();
    if (this.#found.length > 0) return;
    for (const folder of [this.#data, this.#root, this.#reference.dataFolder]) removeFolder(folder);
  }

  result(): Result {
    const line =
      `seed ${this.options.seed}: ${this.#rounds} rounds, ${this.#folder.changes} changes of files, ${this.#runs} runs, ` +
      `${this.kills} kills, ${this.#documents} documents compared, differences = ${this.#found.length}`;
    const kept = this.#found.length > 0 ? [`the folder: ${this.#root}, the node's data: ${this.#data}`] : [];
    return { line, failed: this.#found.length > 0, details: [...this.#found.slice(0, 15), ...kept] };
  }

  /** A run that ends before its time, while files change under it. */
  async #killedRun(): Promise<void> {
    const victim = VICTIMS[this.#chance(VICTIMS.length)];
    const child = this.#start(1 + this.#chance(8));
    const ended = untilEnded(child);
    const changing = setInterval(() => this.#folder.change(2), 20);
    if (this.#chance(3) > 0) await this.#untilWriting(child);
    // The moment of the kill is the point of the exercise, so it is drawn, not waited for.
    const longest = this.#chance(2) === 0 ? WRITING_MS : LONGEST_RUN_MS;
    await new Promise((resolve) => setTimeout(resolve, this.#chance(longest)));
    clearInterval(changing);
    if (victim !== "node") child.kill("SIGKILL");
    if (victim !== "run") await this.#node.kill();
    this.kills++;
    await ended;
    if (victim !== "run") this.#node = await startTestNode(this.#data);
  }

  /** Until the folder says of itself that a run has begun to write, or the run has ended without. */
  async #untilWriting(child: ChildProcess): Promise<void> {
    const client = new Client({ url: this.#node.url });
    try {
      while (child.exitCode === null) {
        const folder = await readFolder(client, this.#root);
        if (folder?.state === "unfinished" && folder.holder?.pid === child.pid) return;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    } finally {
      client.close();
    }
  }

  /** Takes the folder out of the index, if it is there. */
  async #anew(): Promise<void> {
    const client = new Client({ url: this.#node.url });
    try {
      if ((await readFolder(client, this.#root).catch(() => undefined)) === undefined) return;
      await removeFolderFromIndex(client, this.#root);
    } finally {
      client.close();
    }
  }

  async #wholeRun(): Promise<void> {
    const child = this.#start(1 + this.#chance(8));
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    const { status, text } = await untilEnded(child);
    clearTimeout(timer);
    if (status !== 0) this.#found.push(`round ${this.#rounds}: a run ended with ${status}: ${text.slice(-400)}`);
  }

  async #compare(): Promise<void> {
    const client = new Client({ url: this.#node.url });
    try {
      const found = await readContent(client);
      const one = await this.#undisturbed(1);
      this.#documents += one.documents.size;
      if (this.#rounds % EIGHT_EVERY === 1) {
        const eight = await this.#undisturbed(8);
        this.#tell("one process and eight", [...differences(one, eight), ...orderDifferences(one, eight)]);
      }
      this.#tell("after kills", differences(one, found));
    } finally {
      client.close();
    }
  }

  #tell(what: string, differences: readonly string[]): void {
    for (const difference of differences) this.#found.push(`round ${this.#rounds}, ${what}: ${difference}`);
  }

  /** What a run that nobody disturbs makes of the folder in an empty index. */
  async #undisturbed(workers: number): Promise<Content> {
    const client = new Client({ url: this.#reference.url });
    try {
      const rows = await client.json<{ index: string }[]>("GET", "/_cat/indices/pinakes-*?format=json&h=index");
      for (const { index } of rows) await client.json("DELETE", `/${encodeURIComponent(index)}`);
      await autoindex({ client, folder: this.#root, workers });
      return await readContent(client);
    } finally {
      client.close();
    }
  }

  #start(workers: number): ChildProcess {
    this.#runs++;
    const args = [PROGRAM, "autoindex", this.#root, "--url", this.#node.url, "--workers", String(workers)];
    return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  }
}

function untilEnded(child: ChildProcess): Promise<{ status: number | NodeJS.Signals | null; text: string }> {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ status: code ?? signal, text })));
}
