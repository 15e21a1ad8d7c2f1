/**
 * A thread as the operating system sees it: its number, its name in the system's tools, how readily it gives way to others,
 * what it used of the processor. Known on Linux, where a thread is scheduled like a process of its own; elsewhere these
 * do nothing and know nothing.
 */
import fs from "node:fs";
import os from "node:os";

/** Linux counts processor time in these, whatever the machine's own tick is (USER_HZ of proc(5)). */
const TICKS_PER_SECOND = 100;
/** Longest name that the kernel keeps. */
const NAME_BYTES = 15;

/** The system's number of the calling thread. */
export function systemThreadId(): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // `<pid>/task/<thread>`
    return Number(fs.readlinkSync("/proc/thread-self").split("/")[2]);
  } catch {
    return undefined;
  }
}

/** Names a thread for `top -H` and the like. */
export function nameThread(id: number, name: string): void {
  try {
    fs.writeFileSync(`/proc/self/task/${id}/comm`, name.slice(0, NAME_BYTES));
  } catch {
    // A courtesy only.
  }
}

/**
 * Lets a thread give way to others: 0 not at all, 19 as far as can be. Whether this was done; going back to a smaller
 * number needs privileges, so it is done once.
 */
export function setNiceness(id: number, niceness: number): boolean {
  try {
    os.setPriority(id, niceness);
    return true;
  } catch {
    return false;
  }
}

/** Seconds of processor time that a thread of this process has used. */
export function processorSeconds(id: number): number | undefined {
  try {
    const text = fs.readFileSync(`/proc/self/task/${id}/stat`, "latin1");
    // The name, in parentheses, may hold anything; 14 and 15 counted from 1 are user and system time.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
