/**
 * One process per data folder. The lock is a file with the holder's process number and the moment that process
 * started; it is put in place by `link`, so that it never exists half-written. A lock whose process is gone, or whose
 * number was given to another process since (its start time differs), is stale and is taken over.
 */
import fs from "node:fs";
import path from "node:path";
import { EngineError } from "../errors.js";

const LOCK_NAME = "node.lock";

/** Fields of /proc/<pid>/stat from the third, the process's state, on (proc(5)); empty where there is none. */
function processFacts(pid: number): string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the command in parentheses, which may hold spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Boot-unique start time of a process (field 22, in clock ticks); "" where that is not to be had. */
function startTime(pid: number): string {
  return processFacts(pid)[19] ?? "";
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed process that its parent has not waited for is still listed, as a zombie, and holds nothing.
    return !/[ZX]/.test(processFacts(pid)[0] ?? "");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isHeld(content: string): boolean {
  const [pid, started] = content.trim().split(" ");
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0 || !isAlive(number)) return false;
  const now = startTime(number);
  return started === undefined || now === "" || started === now;
}

/**
 * Takes the folder for this process; returns how to give it back. Throws `data_folder_locked`, which names the holder
 * and the folder, and `io` with the system's `errno` when the folder can't be written.
 */
export function lockDirectory(folder: string): () => void {
  const lock = path.join(folder, LOCK_NAME);
  const mine = `${process.pid} ${startTime(process.pid)}\n`;
  const temporary = path.join(folder, `${LOCK_NAME}.${process.pid}.${process.hrtime.bigint()}`);
  writeLock(folder, temporary, mine);
  try {
    // Two tries: a stale lock is removed once; whoever is faster after that is a live holder.
    if (!tryLink(temporary, lock)) {
      removeStale(folder, lock, temporary);
      if (!tryLink(temporary, lock)) throw locked(folder, fs.readFileSync(lock, "latin1"));
    }
  } finally {
    fs.rmSync(temporary, { force: true });
  }
  return () => {
    if (readIfThere(lock) === mine) fs.rmSync(lock, { force: true });
  };
}

/** Throws `data_folder_locked` when a process has the folder; takes nothing, so one may come later. */
export function checkUnlocked(folder: string): void {
  const found = readIfThere(path.join(folder, LOCK_NAME));
  if (found !== undefined && isHeld(found)) throw locked(folder, found);
}

function writeLock(folder: string, file: string, content: string): void {
  try {
    fs.writeFileSync(file, content, { mode: 0o600 });
  } catch (error) {
    const { code = "unknown", message } = error as NodeJS.ErrnoException;
    const reason = /^\w+: ([^,]*)/.exec(message)?.[1] ?? message;
    const text = `the data folder ${path.resolve(folder)} can't be written: ${reason} (${code})`;
    throw new EngineError("io", text, { folder, errno: code }, { cause: error });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new EngineError("io", `cannot lock ${path.dirname(to)}: ${(error as Error).message}`, {}, { cause: error });
  }
}

/** Moves a stale lock away. It is renamed and looked at again, lest the lock of someone who was faster be removed. */
function removeStale(folder: string, lock: string, temporary: string): void {
  const found = readIfThere(lock);
  if (found === undefined) return;
  if (isHeld(found)) throw locked(folder, found);
  const aside = `${temporary}.stale`;
  try {
    fs.renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readIfThere(aside) !== found) tryLink(aside, lock);
  fs.rmSync(aside, { force: true });
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function locked(folder: string, content: string): EngineError {
  const pid = content.trim().split(" ")[0];
  return new EngineError(
    "data_folder_locked",
    `the data folder ${path.resolve(folder)} is in use by process ${pid}; stop that process or choose another folder`,
    { folder, pid: Number(pid) },
  );
}
