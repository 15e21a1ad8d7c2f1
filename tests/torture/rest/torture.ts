/**
 * Sends a node what clients should not: requests of a public YAML suite with fields dropped, types changed, numbers at
 * limits, odd encodings, wrong media types, bodies that are huge or deep, and bytes that are no HTTP. Every request must
 * be answered in time and none with a failure of the node, no promise may be rejected unheard, and an index that nobody
 * else touches must have all its documents after it, and after a kill.
 */
import http from "node:http";
import path from "node:path";
import { type Chance, chanceOf } from "../../../engine/store/testing/chance.js";
import { ROOT } from "../../import-graph.js";
import { removeFolder, startTestNode, type TestNode, temporaryFolder } from "../../support/node.js";
import type { Result } from "../kill-nodes.js";
import type { TortureOptions } from "../options.js";
import { playCase, type Wire } from "./case-player.js";
import { Control } from "./control.js";
import { Corpus } from "./corpus.js";
import { ask, exchange, exchangeBytes, type Outcome, PATIENCE_MS } from "./exchange.js";
import { Findings } from "./findings.js";
import { faultOf, faultOfBytes, isOfRepositories } from "./judge.js";
import { rawBytes } from "./raw-bytes.js";
import { tidy } from "./tidy.js";
import type { WireRequest } from "./wire-request.js";

const LANES = 3;
/** Cases of a lane until the node is tidied. */
const CASES_TO_TIDY = 25;
/** Requests that wait for a refresh get one. */
const PULSE_MS = 500;
/** A node may hang up on a longer body that it refuses before it has read it. */
const LONG_BODY = 500_000;
const COMPLAINTS = /unhandled|uncaught|MaxListenersExceeded|FATAL ERROR|Maximum call stack/i;
const LOG_LINES = 12;

/** See the head of this file. */
export async function tortureRest(options: TortureOptions): Promise<Result> {
  const run = new Run(options);
  await run.begin();
  await run.work();
  await run.end();
  return run.result();
}

class Run implements Wire {
  readonly #folder = temporaryFolder("torture-rest");
  readonly #journals = `${this.#folder}-findings`;
  readonly #findings = new Findings(this.#journals);
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #corpus: Corpus;
  readonly #control: Control;
  readonly #statuses = new Map<string, number>();
  readonly #log: string[] = [];
  readonly #chance: Chance;
  #node!: TestNode;
  #reviving: Promise<void> | undefined;
  #until = 0;

  constructor(private readonly options: TortureOptions) {
    const shared = process.env.PINAKES_SHARED ?? path.join(ROOT, "../shared");
    this.#corpus = new Corpus(path.join(shared, "suites/opensearch-yaml"));
    this.#chance = chanceOf(options.seed);
    this.#control = new Control(() => this.#node.url, chanceOf(this.#chance(2 ** 30)));
  }

  get over(): boolean {
    return performance.now() > this.#until;
  }

  async begin(): Promise<void> {
    this.#node = await this.#start();
    await this.#control.create();
  }

  async work(): Promise<void> {
    this.#until = performance.now() + this.options.seconds * 1000;
    const pulse = this.#pulse();
    const chances = Array.from({ length: LANES }, () => chanceOf(this.#chance(2 ** 30)));
    await Promise.all(chances.map((chance, lane) => this.#play(chance, lane)));
    await pulse;
  }

  /** The comparison: now, and after the process is gone without a word. */
  async end(): Promise<void> {
    this.#agent.destroy();
    await this.#orRevive(() => tidy(this.#node.url));
    await this.#orRevive(() => this.#control.verify("after the requests"));
    await this.#node.kill();
    this.#node = await this.#start();
    await this.#control.verify("after a restart");
    await this.#node.stop();
    for (const wrong of this.#control.wrong) this.#findings.add(`control: ${wrong}`);
    if (this.#findings.count === 0) removeFolder(this.#folder);
  }

  result(): Result {
    const statuses = [...this.#statuses].sort(([a], [b]) => (a < b ? -1 : 1));
    const all = statuses.reduce((sum, [, count]) => sum + count, 0);
    const by = statuses.map(([status, count]) => `${count} ${status}`).join(", ");
    const { count } = this.#findings;
    const line = `seed ${this.options.seed}: ${all} requests (${by}), ${this.#control.size} documents of control compared, violations = ${count}`;
    const kept = count > 0 ? [`what was sent before each: ${this.#journals}, the node's data: ${this.#folder}`] : [];
    return { line, failed: count > 0, details: [...this.#findings.lines(), ...kept] };
  }

  async send(request: WireRequest): Promise<Outcome> {
    this.#findings.sent(request);
    let outcome = await exchange(new URL(this.#node.url), this.#agent, request);
    // A connection may end between two requests; the second try has one of its own.
    if (outcome.kind === "broken" && (await this.#isAlive()))
      outcome = await exchange(new URL(this.#node.url), new http.Agent(), request);
    this.#count(labelOf(outcome));
    const fault = outcome.kind === "answer" ? faultOf(request.method, outcome) : outcome.why;
    if (outcome.kind === "broken" && !(await this.#isAlive())) await this.#revive(request);
    else if (outcome.kind === "broken" && (request.body?.length ?? 0) > LONG_BODY) return outcome;
    else if (fault !== undefined) this.#findings.add(fault + this.#saidIf(outcome), request);
    return outcome;
  }

  async sendRaw(request: WireRequest, chance: Chance): Promise<void> {
    const body = rawBytes(request, chance);
    const shown = { method: "RAW", path: "", headers: {}, body };
    this.#findings.sent(shown);
    const outcome = await exchangeBytes(new URL(this.#node.url), body);
    this.#count("broken bytes");
    const fault = outcome.kind === "late" ? `no end in ${PATIENCE_MS} ms` : faultOfBytes(outcome.text);
    if (fault !== undefined) this.#findings.add(`bytes: ${fault}`, shown);
    if (!(await this.#isAlive())) await this.#revive(shown);
  }

  async #play(chance: Chance, lane: number): Promise<void> {
    const { cases } = this.#corpus;
    for (let played = 1; !this.over; played++) {
      await playCase(cases[chance(cases.length)], this, { chance, corpus: this.#corpus });
      if (lane === 0 && played % CASES_TO_TIDY === 0) await this.#orRevive(() => tidy(this.#node.url));
    }
  }

  async #pulse(): Promise<void> {
    while (!this.over) {
      await new Promise((resolve) => setTimeout(resolve, PULSE_MS));
      await this.#orRevive(async () => {
        await ask(this.#node.url, "POST", "/_refresh?expand_wildcards=all");
        await this.#control.write();
      });
    }
  }

  #start(): Promise<TestNode> {
    return startTestNode(this.#folder, { log: (line) => this.#listen(line) });
  }

  #listen(line: string): void {
    this.#log.push(line);
    if (this.#log.length > LOG_LINES) this.#log.shift();
    if (COMPLAINTS.test(line)) this.#findings.add(`the node says: ${line}`);
  }

  #saidIf(outcome: Outcome): string {
    return outcome.kind === "answer" ? `\n    the node says: ${this.#log.slice(-LOG_LINES).join("\n      ")}` : "";
  }

  #count(status: string): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  async #isAlive(): Promise<boolean> {
    return ask(this.#node.url, "HEAD", "/").then(
      () => true,
      () => false,
    );
  }

  /** Does something that needs the node; a node that ended meanwhile is started again, and that is a finding. */
  async #orRevive(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (await this.#isAlive()) throw error;
      await this.#revive(undefined);
    }
  }

  #revive(request: WireRequest | undefined): Promise<void> {
    this.#reviving ??= this.#startAgain(request).finally(() => {
      this.#reviving = undefined;
    });
    return this.#reviving;
  }

  async #startAgain(request: WireRequest | undefined): Promise<void> {
    if (await this.#isAlive()) return;
    this.#findings.add(`the node ended or hangs: ${this.#log.join("\n      ")}`, request);
    await this.#node.kill();
    this.#node = await this.#start();
    await this.#control.verify("after the node had ended");
  }
}

function labelOf(outcome: Outcome): string {
  if (outcome.kind !== "answer") return outcome.kind;
  return isOfRepositories(outcome) ? "about repositories that cannot be used" : String(outcome.status);
}
