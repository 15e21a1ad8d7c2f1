/**
 * The public YAML suites of OpenSearch and Elasticsearch, run strictly: every directive and assertion must hold, a
 * missing value equals nothing, an unknown directive fails, a call that was to fail and did not fails. See options.ts.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { removeFolder, startTestNode, type TestNode, temporaryFolder } from "../support/node.js";
import { Api } from "./api.js";
import { type ConformanceOptions, parseOptions } from "./options.js";
import { fallen, junit, raiseFloor, readFloor, summary } from "./report.js";
import { type Bench, runCase, type Verdict } from "./run-case.js";
import type { Server } from "./skip.js";
import { listSuite, readSuiteFile } from "./suite.js";
import { isMap, printScalar } from "./values.js";
import { wipe } from "./wipe.js";
import { NoAnswer, Wire } from "./wire.js";

/** What the suite looks for on every node, as OpenSearch's own test cluster is set up. */
const PLANTED_ATTRIBUTE = "testattr=test";
/** A call may wait 30 s for shards that a single node never gets. */
const ANSWER_MS = 60_000;

/** The server under trial; a node of ours is started again when it is gone. */
class Trial {
  #node: TestNode | undefined;
  #bench: Bench | undefined;
  readonly #data = temporaryFolder("conformance");
  readonly #api: Api;

  constructor(private readonly options: ConformanceOptions) {
    this.#api = new Api(path.join(options.folder, "api"));
  }

  async bench(): Promise<Bench> {
    this.#bench ??= await this.#open();
    return this.#bench;
  }

  /** After a server that did not answer. */
  async reopen(): Promise<void> {
    this.#bench?.wire.close();
    this.#bench = undefined;
    await this.#node?.kill();
    this.#node = undefined;
  }

  async close(): Promise<void> {
    this.#bench?.wire.close();
    await this.#node?.stop();
    removeFolder(this.#data);
  }

  async #open(): Promise<Bench> {
    const { url, identity } = this.options;
    if (url === undefined) this.#node = await startTestNode(this.#data, { flags: ["--attr", PLANTED_ATTRIBUTE] });
    const wire = new Wire(url ?? (this.#node as TestNode).url, identity, ANSWER_MS);
    return { wire, api: this.#api, server: await serverOf(wire) };
  }
}

async function serverOf(wire: Wire): Promise<Server> {
  const { body } = await wire.send({ method: "GET", path: "/", body: undefined });
  const version = isMap(body) ? body.get("version") : undefined;
  if (!isMap(version)) throw new Error(`${wire.url} does not say its version`);
  return {
    version: printScalar(version.get("number") ?? null),
    isOpenSearch: version.get("distribution") === "opensearch",
  };
}

async function runSuite(options: ConformanceOptions, trial: Trial): Promise<Verdict[]> {
  const tests = path.join(options.folder, "test");
  const files = listSuite(tests).filter((file) => isWanted(file, options.only));
  const verdicts: Verdict[] = [];
  for (const file of files) {
    const suite = readSuiteFile(tests, file);
    for (const number of suite.cases.keys()) {
      const verdict = await runOne(trial, suite, number);
      verdicts.push(verdict);
      const isBad = verdict.status === "fail" || verdict.status === "crash";
      if (isBad || options.verbose)
        process.stdout.write(`${verdict.status} ${file}: ${verdict.name}: ${verdict.reason}\n`);
    }
  }
  return verdicts;
}

async function runOne(trial: Trial, suite: Parameters<typeof runCase>[1], number: number): Promise<Verdict> {
  try {
    const bench = await trial.bench();
    await wipe(bench.wire);
    const verdict = await runCase(bench, suite, number);
    if (verdict.status === "crash") await trial.reopen();
    return verdict;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    await trial.reopen();
    return { file: suite.file, name: suite.cases[number].name, status: "crash", reason: error.message, ms: 0 };
  }
}

function isWanted(file: string, only: readonly string[]): boolean {
  return (
    only.length === 0 ||
    only.some((glob) => [file, path.posix.dirname(file)].some((one) => globPattern(glob).test(one)))
  );
}

/** `*` stands for any characters; a pattern may name files or their folders. */
function globPattern(glob: string): RegExp {
  return new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const trial = new Trial(options);
  try {
    const verdicts = await runSuite(options, trial);
    process.stdout.write(`${summary(verdicts).join("\n")}\n`);
    if (options.junit !== undefined) writeFileSync(options.junit, junit(verdicts));
    return settleFloor(options, verdicts);
  } finally {
    await trial.close();
  }
}

function settleFloor({ floor, raise }: ConformanceOptions, verdicts: readonly Verdict[]): number {
  const isBad = ({ status }: Verdict) => status === "fail" || status === "crash";
  if (floor === undefined) return verdicts.some(isBad) ? 1 : 0;
  const lost = fallen(verdicts, readFloor(floor));
  for (const one of lost)
    process.stdout.write(`passed before: ${one.file}: ${one.name}: ${one.status} ${one.reason}\n`);
  if (raise) process.stdout.write(`${raiseFloor(floor, verdicts)} cases added to ${floor}\n`);
  return lost.length > 0 ? 1 : 0;
}

process.exitCode = await main();
