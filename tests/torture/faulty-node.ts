/**
 * A node whose disk fails now and then, for the torture only: the program's own parts, the engine's files replaced. Says
 * on standard error when it listens, and every fault.
 *
 *   node faulty-node.js --data FOLDER --seed N
 */
import { startServer } from "../../compat/index.js";
import { openEngine } from "../../engine/index.js";
import { nodeFiles } from "../../engine/store/files.js";
import { chanceOf } from "../../engine/store/testing/chance.js";
import {
  type Fault,
  FaultyFiles,
  type FileOperation,
  STEPS_THAT_FILL,
} from "../../engine/store/testing/faulty-files.js";

/** One in so many operations fails; one in so many times more the disk is full for a while. */
const FAULT_EVERY = 80;
const FULL_EVERY = 500;
const LONGEST_FULL = 60;

const value = (name: string) => process.argv[process.argv.indexOf(`--${name}`) + 1];
const log = (line: string) => process.stderr.write(`${line}\n`);

const chance = chanceOf(Number(value("seed")));
const files = new FaultyFiles(nodeFiles);
let fullFor = 0;

function faultOf({ step, path, bytes }: FileOperation): Fault | undefined {
  if (fullFor > 0 && STEPS_THAT_FILL.includes(step)) fullFor--;
  else if (chance(FULL_EVERY) === 0) fullFor = 1 + chance(LONGEST_FULL);
  const full = fullFor > 0 && STEPS_THAT_FILL.includes(step);
  if (!full && chance(FAULT_EVERY) > 0) return undefined;
  const errno = full ? "ENOSPC" : "EIO";
  log(`fault: ${errno} at ${step} ${path}`);
  return { kind: "error", errno, written: chance(bytes + 1) };
}

// Opening is spared in half of the runs, so that some nodes get to work at all.
if (chance(2) === 0) files.plan = faultOf;
const engine = await openEngine(value("data"), { ...{ files }, warn: (message) => log(`warning: ${message}`) });
const server = await startServer({ engine, host: "127.0.0.1", port: 0, warn: log });
files.plan = faultOf;
log(`pinakes listens on http://${server.address}, data in ${value("data")}`);
