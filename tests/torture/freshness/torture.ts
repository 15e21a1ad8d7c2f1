/**
 * Changes a work tree at random while clients search it with the tools for agents and the command line; every other
 * while a watcher follows it. Whatever is shown must have stood in the file, at that line, while it was asked for. After
 * each storm, when it is quiet, every function must be found where it is.
 */
import { realpathSync } from "node:fs";
import { autoindex, reindexFile, watchFolder } from "../../../autoindex/index.js";
import { Client } from "../../../client/index.js";
import { type Chance, chanceOf } from "../../../engine/store/testing/chance.js";
import { runRead, runSearch, type WorkspaceOptions } from "../../../mcp/index.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "../../support/node.js";
import type { Result } from "../kill-nodes.js";
import type { TortureOptions } from "../options.js";
import { type Asked, parseGrep, parseTool, type Shown, staleness } from "./answers.js";
import { WorkingTree } from "./working-tree.js";

const STORM_MS = 6000;
const SEARCHERS = 2;
/** Most milliseconds between two changes. */
const LULL = 60;
/** How long a watcher may take when it is quiet again. */
const PATIENCE_MS = 20_000;
const BUDGET = { limit: 10, max_tokens: 4000 };

/** See the head of this file. */
export async function tortureFreshness(options: TortureOptions): Promise<Result> {
  const run = await Run.begin(options);
  const end = performance.now() + options.seconds * 1000;
  try {
    for (let round = 0; performance.now() < end; round++) {
      if (round % 2 === 0) await run.watchedStorm();
      else await run.storm();
    }
  } finally {
    await run.end();
  }
  return run.result();
}

class Run {
  readonly #client: Client;
  readonly #tools: WorkspaceOptions;
  readonly #locators: string[] = [];
  readonly #stale: string[] = [];
  readonly #wrong: string[] = [];
  readonly #counts = { searches: 0, reads: 0, commands: 0, shown: 0, verified: 0 };

  private constructor(
    private readonly options: TortureOptions,
    private readonly chance: Chance,
    private readonly node: TestNode,
    private readonly tree: WorkingTree,
  ) {
    const client = new Client({ url: node.url });
    this.#client = client;
    const reindex = async (root: string, path: string) => void (await reindexFile(client, root, path));
    this.#tools = { client, reindexFile: reindex };
  }

  static async begin(options: TortureOptions): Promise<Run> {
    const chance = chanceOf(options.seed);
    const tree = await WorkingTree.create(realpathSync(temporaryFolder("torture-tree")), chance);
    const run = new Run(options, chance, await startTestNode(), tree);
    await autoindex({ client: run.#client, folder: tree.root });
    return run;
  }

  /** A storm with a watcher, which then has some time to come to the end of it. */
  async watchedStorm(): Promise<void> {
    const control = new AbortController();
    let isReady: () => void;
    const ready = new Promise<void>((resolve) => {
      isReady = resolve;
    });
    const watching = watchFolder({
      client: this.#client,
      folder: this.tree.root,
      signal: control.signal,
      tell: (news) => {
        if (news.kind === "ready") isReady();
        if (news.kind === "trouble") this.#wrong.push(`the watcher had trouble: ${news.message}`);
      },
    });
    await Promise.race([ready, watching]);
    await this.#work();
    await this.#verifyWithin(PATIENCE_MS);
    control.abort();
    await watching;
  }

  /** A storm without a watcher, after which the folder is indexed. */
  async storm(): Promise<void> {
    await this.#work();
    await autoindex({ client: this.#client, folder: this.tree.root });
    await this.#verifyWithin(0);
  }

  async end(): Promise<void> {
    this.#client.close();
    await this.node.stop();
    if (this.#stale.length + this.#wrong.length > 0) return;
    removeFolder(this.node.dataFolder);
    removeFolder(this.tree.root);
  }

  result(): Result {
    const { searches, reads, commands, shown, verified } = this.#counts;
    const { changes, switches } = this.tree;
    const line =
      `seed ${this.options.seed}: ${changes} changes, ${switches} branch switches among them, ${searches} searches, ` +
      `${reads} reads, ${commands} commands, ${shown} pieces shown, ${verified} functions looked for when quiet, ` +
      `stale answers = ${this.#stale.length}, wrong = ${this.#wrong.length}`;
    const failed = this.#stale.length + this.#wrong.length > 0;
    return { line, failed, details: [...this.#stale.slice(0, 8), ...this.#wrong.slice(0, 8)] };
  }

  async #work(): Promise<void> {
    const end = performance.now() + STORM_MS;
    const until = async (step: () => Promise<void>) => {
      while (performance.now() < end) await step();
    };
    const searchers = Array.from({ length: SEARCHERS }, () => until(() => this.#ask()));
    await Promise.all([until(() => this.#change()), until(() => this.#askByCommand()), ...searchers]);
  }

  async #change(): Promise<void> {
    await this.tree.change();
    // Searches are to meet the tree in every state, so how long each lasts is drawn.
    await new Promise((resolve) => setTimeout(resolve, this.chance(LULL)));
  }

  async #ask(): Promise<void> {
    if (this.#locators.length > 0 && this.chance(3) === 0) return this.#readAgain();
    this.#counts.searches++;
    const query = this.chance(4) === 0 ? `version ${this.chance(300)}` : `fn_${this.chance(60)}`;
    const { text, asked } = await this.#timed(() => runSearch(this.#tools, { query, ...BUDGET }));
    for (const locator of text.match(/^[^\n]+?:\d+-\d+#.*?@[0-9a-f]{12}~[0-9a-f]{12}/gm) ?? []) {
      this.#locators[this.chance(200)] = locator;
    }
    await this.#judge(parseTool(text), asked);
  }

  async #readAgain(): Promise<void> {
    const locator = this.#locators[this.chance(this.#locators.length)];
    if (locator === undefined) return;
    this.#counts.reads++;
    const { text, asked } = await this.#timed(() => runRead(this.#tools, { locator, max_tokens: BUDGET.max_tokens }));
    await this.#judge(parseTool(text), asked);
  }

  async #askByCommand(): Promise<void> {
    this.#counts.commands++;
    const args = ["search", `fn_${this.chance(60)}`, "--url", this.node.url];
    const { text, asked } = await this.#timed(async () => {
      const { status, stdout, stderr } = await pinakes(args, {}, this.tree.root);
      if (status !== 0 && status !== 1)
        this.#wrong.push(`pinakes search ended with ${status}: ${stderr.slice(0, 300)}`);
      return stdout;
    });
    await this.#judge(parseGrep(text), asked);
  }

  async #timed(ask: () => Promise<string>): Promise<{ text: string; asked: Asked }> {
    const from = performance.now();
    const text = await ask().catch((error: Error) => {
      this.#wrong.push(`a tool failed: ${error.stack}`);
      return "";
    });
    return { text, asked: { from, until: performance.now() } };
  }

  async #judge(shown: readonly Shown[], asked: Asked): Promise<void> {
    await this.tree.known();
    for (const piece of shown) {
      this.#counts.shown++;
      const reason = staleness(this.tree, piece, asked);
      if (reason !== undefined) this.#stale.push(reason);
    }
  }

  /** When nothing changes every function is found in every file that has it. */
  async #verifyWithin(patienceMs: number): Promise<void> {
    for (const end = performance.now() + patienceMs; ; ) {
      const missing = await this.#missing();
      if (missing.length === 0) return;
      if (performance.now() < end) continue;
      this.#wrong.push(...missing);
      return;
    }
  }

  async #missing(): Promise<string[]> {
    const wanted = new Map<string, Set<string>>();
    for (const [file, text] of this.tree.files) {
      if (text.includes("\0")) continue;
      for (const [, name] of text.matchAll(/^def (fn_\d+)\(/gm))
        wanted.set(name, (wanted.get(name) ?? new Set()).add(file));
    }
    const missing: string[] = [];
    for (const [name, files] of wanted) {
      this.#counts.verified++;
      const request = { query: `def:${name}`, limit: 50, max_tokens: 20_000 };
      const { text, asked } = await this.#timed(() => runSearch(this.#tools, request));
      const shown = parseTool(text);
      await this.#judge(shown, asked);
      const found = new Set(shown.map(({ path }) => path));
      for (const file of files)
        if (!found.has(file)) missing.push(`${name} of ${file} was not found: ${text.slice(0, 300)}`);
      for (const piece of shown)
        if (piece.note.includes("gone")) missing.push(`${name}: ${JSON.stringify(piece)} is still there`);
    }
    return missing;
  }
}
