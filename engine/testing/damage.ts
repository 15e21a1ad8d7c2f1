/** For tests: data folders with damage at a chosen place. */
import fs from "node:fs";
import path from "node:path";
import { HEADER_BYTES } from "../segment/format.js";

/** Changes one bit of a file. */
export function flipBit(file: string, at: number, bit = 0): void {
  const bytes = fs.readFileSync(file);
  bytes[at] ^= 1 << bit;
  fs.writeFileSync(file, bytes);
}

/** Paths of an index's files whose names end so, sorted; those of its log included. */
export function filesOf(dataFolder: string, uuid: string, ending: string): string[] {
  const folder = path.join(dataFolder, "indices", uuid);
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Changes a bit within the data of a segment, which opening it does not read. */
export function damageSegmentData(file: string): number {
  const at = HEADER_BYTES + 8;
  flipBit(file, at, 3);
  return at;
}

/** A copy of a data folder as a machine leaves it that stops now: without a lock. */
export function copyAsStopped(dataFolder: string): string {
  const copy = fs.mkdtempSync(`${dataFolder}-stopped-`);
  fs.cpSync(dataFolder, copy, { recursive: true });
  fs.rmSync(path.join(copy, "node.lock"), { force: true });
  return copy;
}
