import { type RepairedPart, type RepairLoss, repairIndex, repairMetadata, verifyFolder } from "../../engine/index.js";
import { type Invocation, text, UsageError } from "../command.js";
import { resolveDataFolder } from "../node/data-folder.js";
import { findings, indexLine, stopped } from "./verify.js";

/** Ids that are listed of a lost segment unless all are asked for. */
const SHOWN_IDS = 20;

/** `pinakes repair`: what making an index openable again would lose, and with `--accept-loss` doing it. */
export async function runRepair(call: Invocation): Promise<number> {
  const dataFolder = resolveDataFolder(text(call, "data"));
  const metadata = call.options.metadata === true;
  const [name] = call.args;
  if (metadata === (name !== undefined)) throw new UsageError("name one index, or --metadata");
  const mode = call.options.acceptLoss === true ? "apply" : "tell";
  const repaired = await stopped(() =>
    metadata ? repairMetadata(dataFolder, mode) : repairIndex(dataFolder, name, mode),
  );
  const what = metadata ? "the metadata" : `index ${name}`;
  return print({ call, repaired, what, name: metadata ? undefined : name, dataFolder });
}

interface Repaired {
  call: Invocation;
  repaired: RepairedPart;
  what: string;
  name: string | undefined;
  dataFolder: string;
}

async function print({ call, repaired, what, name, dataFolder }: Repaired): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (repaired.damage.length === 0 && repaired.losses.length === 0) {
    say(`${what} is sound: there is nothing to repair`);
    return 0;
  }
  say(`${what} is damaged:`);
  for (const { message } of repaired.damage) say(`  ${message}`);
  say(repaired.applied ? "given up:" : "repairing it would give up:");
  for (const loss of repaired.losses) sayLoss(say, loss, call.options.ids === true);
  if (repaired.losses.length === 0) say("  nothing");
  if (!repaired.applied) {
    say(`\nnothing was changed; to do it: pinakes repair ${name ?? "--metadata"} --accept-loss`);
    return 1;
  }
  say("\nwhat was there is kept with .damaged behind its name:");
  for (const file of repaired.changed) say(`  ${file}`);
  return afterwards(say, dataFolder, name);
}

function sayLoss(say: (line: string) => void, { message, ids }: RepairLoss, all: boolean): void {
  say(`  ${message}`);
  if (ids === undefined || ids.length === 0) return;
  const shown = all ? ids : ids.slice(0, SHOWN_IDS);
  const more = ids.length - shown.length;
  say(`    ids: ${shown.join(", ")}${more > 0 ? ` and ${more} more (--ids lists all)` : ""}`);
}

/** Reads everything again: what was repaired must be sound. */
async function afterwards(say: (line: string) => void, dataFolder: string, name: string | undefined): Promise<number> {
  const { metadata, indices } = await verifyFolder(dataFolder, name === undefined ? [] : [name]);
  const sound = name === undefined ? metadata.damage.length === 0 : indices[0].damage.length === 0;
  if (name !== undefined) say(`\n${indexLine(indices[0])}`);
  for (const line of findings(name === undefined ? metadata : indices[0])) say(line);
  say(sound ? "the node can be started again" : "it is still damaged");
  return sound ? 0 : 1;
}
