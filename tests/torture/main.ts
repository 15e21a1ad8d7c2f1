/**
 * Kills a node again and again while clients write, update, delete, refresh, flush and merge; after each restart every
 * document and a set of searches are compared with a plain model. Prints what it did; ends with 1 if anything
 * acknowledged was lost or any answer was wrong.
 *
 *   npm run torture -- [--seconds 50 | --kills 1000] [--seed N]
 */
import { removeFolder, send, startTestNode, temporaryFolder } from "../support/node.js";
import { Model } from "./model.js";
import { verify } from "./verify.js";
import { type Counts, writeUntilGone } from "./writer.js";

const WRITERS = 4;
const LONGEST_RUN_MS = 1500;

interface Options {
  seconds: number;
  kills: number;
  seed: number;
}

function parse(argv: string[]): Options {
  const value = (name: string) => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? undefined : Number(argv[at + 1]);
  };
  const kills = value("kills");
  return {
    seconds: value("seconds") ?? (kills === undefined ? 50 : Number.POSITIVE_INFINITY),
    kills: kills ?? Number.POSITIVE_INFINITY,
    seed: value("seed") ?? Date.now() % 1_000_000,
  };
}

function randomNumbers(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

async function torture(options: Options): Promise<number> {
  const random = randomNumbers(options.seed);
  const folder = temporaryFolder("torture");
  const model = new Model();
  const counts: Counts = { operations: 0, wrong: [] };
  const lost: string[] = [];
  const end = performance.now() + options.seconds * 1000;
  let kills = 0;
  for (; kills < options.kills && performance.now() < end; kills++) {
    const node = await startTestNode(folder);
    if (kills > 0) await compare(node.url);
    const writing = Array.from({ length: WRITERS }, (_, lane) =>
      writeUntilGone(node.url, lane, randomNumbers(Math.floor(random() * 2 ** 31)), { model, counts }),
    );
    // The moment of the kill is the point of the exercise, so it is drawn, not waited for.
    await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_RUN_MS));
    await node.kill();
    await Promise.all(writing);
  }
  const node = await startTestNode(folder);
  await compare(node.url);
  await send(node.url, { method: "POST", path: "/torture/_forcemerge?max_num_segments=1" });
  await compare(node.url);
  await node.stop();
  removeFolder(folder);

  async function compare(url: string): Promise<void> {
    const findings = await verify(url, model);
    lost.push(...findings.lost);
    counts.wrong.push(...findings.wrong);
  }
  for (const line of [...lost, ...counts.wrong].slice(0, 20)) process.stdout.write(`  ${line}\n`);
  process.stdout.write(
    `seed ${options.seed}: ${kills} kills, ${counts.operations} operations acknowledged, ` +
      `acknowledged lost = ${lost.length}, wrong answers = ${counts.wrong.length}\n`,
  );
  return lost.length + counts.wrong.length === 0 ? 0 : 1;
}

process.exitCode = await torture(parse(process.argv.slice(2)));
