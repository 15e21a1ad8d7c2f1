import { counted } from "../../code/index.js";
import {
  EngineError,
  type VerifiedIndex,
  type VerifiedMetadata,
  type VerifyReport,
  verifyFolder,
} from "../../engine/index.js";
import { type Invocation, text } from "../command.js";
import { resolveDataFolder } from "../node/data-folder.js";
import { sizeText } from "./status.js";

/** `pinakes verify`: reads every byte of a data folder that no node uses, and says what is not as it was written. */
export async function runVerify(call: Invocation): Promise<number> {
  const dataFolder = resolveDataFolder(text(call, "data"));
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const report = await stopped(() => verifyFolder(dataFolder, call.args));
  if (report.unlocked !== null) say(`${report.unlocked}: it is read without its lock, and must not change meanwhile`);
  say(metadataLine(report.metadata));
  for (const line of findings(report.metadata)) say(line);
  for (const index of report.indices) {
    say(indexLine(index));
    for (const line of findings(index)) say(line);
  }
  say(`\n${conclusion(report, call.args)}`);
  return damagedParts(report).length === 0 ? 0 : 1;
}

function damagedParts({ metadata, indices }: VerifyReport): readonly (VerifiedMetadata | VerifiedIndex)[] {
  return [metadata, ...indices].filter(({ damage }) => damage.length > 0);
}

/** The last sentence of what `verify` prints, which says no more than is known; `names` are those it was asked about. */
export function conclusion(report: VerifyReport, names: readonly string[]): string {
  const damaged = damagedParts(report);
  if (damaged.length > 0) return `${damaged.length} damaged: ${howToGoOn(report)}`;
  const of = names.length > 0 ? ` of the metadata and of ${names.join(", ")}` : "";
  const notes = [report.metadata, ...report.indices].reduce((sum, { warnings }) => sum + warnings.length, 0);
  const strays = report.indices.filter(({ name }) => name === null).length;
  if (notes + strays === 0) return `every byte${of} is as it was written`;
  const but = [
    ...(notes > 0 ? [notes === 1 ? "there is one note above" : `there are ${notes} notes above`] : []),
    ...(strays === 1 ? ["a folder is no index's"] : strays > 1 ? [`${strays} folders are no index's`] : []),
  ];
  return `no damage was found${of}, but ${but.join(" and ")}`;
}

/** Says what to do when a node has the folder open. */
export async function stopped<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "data_folder_locked") throw error;
    throw new Error(
      `the node must not run meanwhile: process ${error.details.pid} has ${error.details.folder} open; end it with pinakes stop`,
      { cause: error },
    );
  }
}

function howToGoOn({ metadata, indices }: { metadata: VerifiedMetadata; indices: readonly VerifiedIndex[] }): string {
  if (metadata.damage.length > 0) return "pinakes repair --metadata says what repairing would lose";
  const name = indices.find(({ damage }) => damage.length > 0)?.name;
  return `pinakes repair ${name ?? "INDEX"} says what repairing would lose`;
}

function metadataLine({ records, bytes, damage }: VerifiedMetadata): string {
  return `metadata: ${records} changes in the log, ${sizeText(bytes)}: ${state(damage)}`;
}

/** What was read of an index, on one line. */
export function indexLine({ name, uuid, segments, documents, operations, bytes, damage }: VerifiedIndex): string {
  const who = name === null ? `folder ${uuid}, which is no index's` : `index ${name} (${uuid})`;
  return `${who}: ${counted(segments, "segment")} with ${counted(documents, "document")}, ${counted(operations, "operation")} in the log, ${sizeText(bytes)}: ${state(damage)}`;
}

function state(damage: readonly Error[]): string {
  return damage.length === 0 ? "sound" : "DAMAGED";
}

/** Damage and warnings, a line each. */
export function findings({ damage, warnings }: Pick<VerifiedIndex, "damage" | "warnings">): string[] {
  return [...damage.map(({ message }) => `  ${message}`), ...warnings.map((warning) => `  note: ${warning}`)];
}
