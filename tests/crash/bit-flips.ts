/**
 * What the script left on a disk, with one bit changed: an engine opened on it says everything as it was, or refuses by
 * name what it can't vouch for. The end of a log may be missing with a warning, because a write that was never finished
 * looks the same.
 */
import { EngineError } from "../../engine/index.js";
import type { Chance } from "../../engine/store/testing/chance.js";
import { type MemoryDisk, PROCESS_KILLED } from "../../engine/store/testing/memory-disk.js";
import { MemoryEngine } from "../../engine/testing/model/memory-engine.js";
import { Ledger } from "./ledger.js";
import { newStage, SCRIPT } from "./script.js";

/** A disk and what must be on it. */
export interface Remains {
  readonly folder: string;
  readonly disk: MemoryDisk;
  readonly ledger: Ledger;
}

export type Verdict = "the same" | "refused" | "cut";

/** Runs the script; what is left when the process is killed, or when the engine is closed. */
export async function remainsOfScript(end: "killed" | "closed"): Promise<Remains> {
  const host = new MemoryEngine();
  const ledger = new Ledger("nothing");
  const stage = newStage(host, ledger);
  for (const step of SCRIPT) {
    await step.run(stage);
    if (step.name === "restart") await ledger.settle(host.engine, "process");
  }
  if (end === "killed") await host.kill(PROCESS_KILLED);
  else await host.close();
  await host.remove();
  return { folder: host.folder, disk: host.disk, ledger };
}

/** Flips a bit somewhere in some file; throws when what an engine makes of it is neither right nor refused. */
export async function flipOne({ folder, disk, ledger }: Remains, chance: Chance): Promise<Verdict> {
  const damaged = disk.copy();
  const files = damaged.paths();
  const file = files[chance(files.length)];
  const [position, bit] = [chance(damaged.stat(file)?.size ?? 1), chance(8)];
  damaged.flipBit(file, position, bit);
  const host = new MemoryEngine({}, { folder, disk: damaged });
  try {
    return await judge(host, ledger.copy());
  } catch (error) {
    const where = `bit ${bit} of byte ${position} of ${file.slice(folder.length)}`;
    throw new Error(`${where}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error });
  } finally {
    await host.remove();
  }
}

async function judge(host: MemoryEngine, ledger: Ledger): Promise<Verdict> {
  try {
    await host.open();
    const verdict = await compare(host, ledger);
    for (const name of host.engine.indexNames()) {
      await host.engine.index(name)?.forceMerge({ maxSegments: 1, onlyDeletes: false });
    }
    expectNone(await ledger.differences(host.engine));
    return verdict;
  } catch (error) {
    if (!isNamedRefusal(error, host.folder)) throw error;
    return "refused";
  }
}

async function compare(host: MemoryEngine, ledger: Ledger): Promise<Verdict> {
  const whole = ledger.copy();
  const lines = await whole.settle(host.engine, "process");
  if (lines.length === 0) {
    await ledger.settle(host.engine, "process");
    return "the same";
  }
  if (!host.warnings.some((warning) => /^cut /.test(warning))) expectNone(lines);
  expectNone(await ledger.settle(host.engine, "power"));
  return "cut";
}

/** Says which file, and where in it. */
function isNamedRefusal(error: unknown, folder: string): boolean {
  if (!(error instanceof EngineError) || !["corrupt", "index_damaged"].includes(error.code)) return false;
  const { file, offset } = error.details;
  return typeof file === "string" && file.startsWith(folder) && typeof offset === "number";
}

function expectNone(lines: readonly string[]): void {
  if (lines.length > 0) throw new Error(lines.slice(0, 10).join("\n"));
}
