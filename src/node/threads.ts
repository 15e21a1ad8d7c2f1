import { UsageError } from "../command.js";

/** How the node's engine uses threads. */
export interface ThreadOptions {
  /** Worker threads; undefined: one for each core but one, at least two. 0: none. */
  workers: number | undefined;
  /** Linux: how far they give way to the main thread, by what they are there for; undefined: as measured to be good. */
  workerNiceness: { search: number; background: number } | undefined;
}

/**
 * `--workers`, else PINAKES_WORKERS; PINAKES_WORKER_NICENESS as `SEARCH,BACKGROUND`, each from 0 to 19. Throws a UsageError
 * that names the one that is wrong.
 */
export function threadOptions(workers: number | undefined, env: NodeJS.ProcessEnv = process.env): ThreadOptions {
  return {
    workers: workers ?? workersOf(env.PINAKES_WORKERS),
    workerNiceness: nicenessOf(env.PINAKES_WORKER_NICENESS),
  };
}

/** More threads can't share an arena. */
export const MOST_WORKERS = 31;

function workersOf(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const workers = Number(text);
  if (/^\d+$/.test(text) && workers <= MOST_WORKERS) return workers;
  throw new UsageError(`PINAKES_WORKERS takes a whole number from 0 to ${MOST_WORKERS}, not "${text}"`);
}

function nicenessOf(text: string | undefined): ThreadOptions["workerNiceness"] {
  if (!text) return undefined;
  const [search, background] = text.split(",").map(Number);
  if (/^\d+,\d+$/.test(text) && search <= 19 && background <= 19) return { search, background };
  throw new UsageError(`PINAKES_WORKER_NICENESS takes two whole numbers from 0 to 19, like "5,10", not "${text}"`);
}
