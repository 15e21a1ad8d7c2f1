/**
 * Kills a node again and again while clients write, read and search; every other node has a disk that fails. After each
 * start all that was acknowledged is compared. Ends with a merge to one segment and a comparison.
 */
import { appendFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Chance, chanceOf } from "../../engine/store/testing/chance.js";
import { removeFolder, startTestNode, type TestNode, temporaryFolder } from "../support/node.js";
import { OwnDocuments } from "./clients/own-documents.js";
import { Reader } from "./clients/readers.js";
import { SharedDocuments, SharedWriter } from "./clients/shared-documents.js";
import { Auditor, HeldReader, Transfers } from "./clients/transfers.js";
import type { TortureOptions } from "./options.js";
import { verifySearches } from "./verify.js";
import { type Client, INDEX, World, workUntilGone } from "./world.js";

const LANES = 3;
const LONGEST_RUN_MS = 1500;
const FAULTY_NODE = path.join(path.dirname(fileURLToPath(import.meta.url)), "faulty-node.js");
const MAPPING = {
  properties: {
    value: { type: "long" },
    amount: { type: "long" },
    lane: { type: "keyword" },
    text: { type: "text" },
  },
};

/** What a run found, and one line that says it. */
export interface Result {
  readonly line: string;
  readonly failed: boolean;
  readonly details: readonly string[];
}

/** See the head of this file. */
export async function killNodes(options: TortureOptions): Promise<Result> {
  const run = new Run(options);
  const end = performance.now() + options.seconds * 1000;
  while (run.kills < options.kills && performance.now() < end) await run.oneLife();
  await run.lastLife();
  return run.result();
}

class Run {
  readonly #options: TortureOptions;
  readonly #chance: Chance;
  readonly #world: World;
  readonly #folder = temporaryFolder("torture");
  /** What the nodes said, life after life: kept, with their data, when something is found. */
  readonly #diary = `${this.#folder}.log`;
  readonly #writers: OwnDocuments[];
  readonly #clients: Client[];
  kills = 0;
  #faults = 0;
  #starts = 0;

  constructor(options: TortureOptions) {
    this.#options = options;
    this.#chance = chanceOf(options.seed);
    this.#world = new World(this.#chance);
    const chance = () => chanceOf(this.#chance(2 ** 30));
    const shared = new SharedDocuments();
    this.#writers = lanes((lane) => new OwnDocuments(this.#world, lane, chance()));
    const transfers = lanes((lane) => new Transfers(this.#world, lane, chance()));
    this.#clients = [
      ...this.#writers,
      ...lanes((lane) => new SharedWriter(this.#world, shared, lane, chance())),
      ...transfers,
      new Auditor(this.#world, transfers, chance()),
      new HeldReader(this.#world),
      new Reader(this.#world, this.#writers, chance()),
    ];
  }

  /** Starts a node, compares, lets the clients work on it or on one with a failing disk, kills it. */
  async oneLife(): Promise<void> {
    const sound = await this.#startSound();
    if (this.#starts === 0) await this.#createIndex();
    else await this.#compare();
    const faulty = this.#starts++ > 0 && (this.#options.faults === "every node" || this.#starts % 2 === 0);
    if (!faulty) return this.#workAndKill(sound);
    await (this.#chance(2) === 0 ? sound.kill() : sound.stop());
    const node = await this.#startFaulty();
    if (!node) return;
    this.#world.node = { url: node.url, faulty };
    await this.#workAndKill(node);
  }

  async #workAndKill(node: TestNode): Promise<void> {
    const working = this.#clients.map(workUntilGone);
    // The moment of the kill is the point of the exercise, so it is drawn, not waited for.
    await new Promise((resolve) => setTimeout(resolve, this.#chance(LONGEST_RUN_MS)));
    await node.kill();
    this.kills++;
    await Promise.all(working);
  }

  async lastLife(): Promise<void> {
    const node = await this.#startSound();
    await this.#compare();
    await this.#world.ask("POST", `/${INDEX}/_forcemerge?max_num_segments=1`);
    await this.#compare();
    await node.stop();
    if (this.#found > 0) return;
    removeFolder(this.#folder);
    removeFolder(this.#diary);
  }

  result(): Result {
    const { counts, lost, wrong } = this.#world;
    const line =
      `seed ${this.#options.seed}: ${this.kills} kills, ${counts.operations} operations acknowledged, ` +
      `${counts.reads} reads, ${this.#faults} faults injected, ${counts.refused} requests refused for them, ` +
      `acknowledged lost = ${lost.length}, wrong answers = ${wrong.length}`;
    const kept = this.#found > 0 ? [`what the nodes said: ${this.#diary}, their data: ${this.#folder}`] : [];
    return { line, failed: this.#found > 0, details: [...lost.slice(0, 10), ...wrong.slice(0, 9), ...kept] };
  }

  get #found(): number {
    return this.#world.lost.length + this.#world.wrong.length;
  }

  async #startSound(): Promise<TestNode> {
    this.#write(`life ${this.#starts}, after ${this.kills} kills`);
    const node = await startTestNode(this.#folder, { log: (line) => this.#write(line) });
    this.#world.node = { url: node.url, faulty: false };
    return node;
  }

  #write(line: string): void {
    appendFileSync(this.#diary, `${(performance.now() / 1000).toFixed(3)} ${line}\n`);
  }

  async #compare(): Promise<void> {
    for (const client of this.#clients) await client.verify();
    await verifySearches(this.#world, this.#writers);
    this.#write(`compared: ${this.#world.lost.length} lost, ${this.#world.wrong.length} wrong`);
  }

  async #createIndex(): Promise<void> {
    const settings = { index: { refresh_interval: "50ms" } };
    await this.#world.ask("PUT", `/${INDEX}`, { settings, mappings: MAPPING });
  }

  /** undefined: the disk failed before the node could start. */
  async #startFaulty(): Promise<TestNode | undefined> {
    const seed = this.#chance(2 ** 30);
    this.#write(`a life on a failing disk, after ${this.kills} kills`);
    const log = (line: string) => {
      this.#write(line);
      if (line.startsWith("fault: ")) this.#faults++;
    };
    const program = [FAULTY_NODE, "--data", this.#folder, "--seed", String(seed)];
    return startTestNode(this.#folder, { program, log }).catch(() => undefined);
  }
}

function lanes<T>(make: (lane: number) => T): T[] {
  return Array.from({ length: LANES }, (_, lane) => make(lane));
}
