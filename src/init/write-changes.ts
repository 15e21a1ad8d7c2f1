import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { ConfigError } from "./config-error.js";
import type { FileChange } from "./plan.js";

/** A file that was written, and where what it held is kept. */
export interface Written {
  file: string;
  backup?: string;
}

/**
 * Writes the changes; a file that exists is copied first to `<file>.before-pinakes-<time>`. Each file is replaced as a
 * whole, or not at all. Throws ConfigError when a file is not any more what the change was made for.
 */
export function writeChanges(changes: readonly FileChange[], now: Date): Written[] {
  for (const { file, before } of changes) {
    const held = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    if (held !== before) throw new ConfigError(file, "it was changed by another program meanwhile");
  }
  return changes.map((change) => writeChange(change, now));
}

function writeChange({ file, before, after }: FileChange, now: Date): Written {
  if (before === undefined) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, after, { flag: "wx" });
    return { file };
  }
  // What a link leads to is replaced, not the link: configurations are often kept elsewhere.
  const real = realpathSync(file);
  const backup = backupOf(real, now);
  copyFileSync(real, backup, constants.COPYFILE_EXCL);
  const fresh = `${real}.pinakes-${process.pid}`;
  writeFileSync(fresh, after, { flag: "wx", mode: statSync(real).mode });
  chmodSync(fresh, statSync(real).mode);
  renameSync(fresh, real);
  return { file, backup };
}

/** A name that is not taken. */
function backupOf(file: string, now: Date): string {
  const time = now
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/[-:]/g, "")
    .replace("T", "-");
  const name = `${file}.before-pinakes-${time}`;
  for (let number = 0; ; number++) {
    const free = number === 0 ? name : `${name}-${number}`;
    if (!existsSync(free)) return free;
  }
}
