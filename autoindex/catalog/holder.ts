import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { FolderEntry } from "./manifest.js";

/** Who is at a folder. */
export type Holder = NonNullable<FolderEntry["holder"]>;

/** Runs of this process that have not ended: a holder with our own `pid` that is not among them has failed. */
const living = new Set<string>();

/** A new holder for this process. */
export function newHolder(does: Holder["does"] = "index"): Holder {
  const holder = { does, run: randomUUID(), host: hostname(), machine: machine(), pid: process.pid, beat: 0 };
  living.add(holder.run);
  return { ...holder, since: new Date().toISOString() };
}

/** The run has ended, well or not. */
export function endHolder({ run }: Holder): void {
  living.delete(run);
}

/** Whether it can be told that a holder is dead: its process is gone from this machine. Else only its silence tells. */
export function isKnownDead(holder: Holder): boolean {
  if (holder.machine !== machine()) return false;
  if (holder.pid === process.pid) return !living.has(holder.run);
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    // A process of another user may not be signalled but is there.
    return !(error instanceof Error && "code" in error && error.code === "EPERM");
  }
}

/** Whether a folder's documents are all there: `cut_off` when the last run did not come to its end and is not going on. */
export function folderState({ state, holder }: FolderEntry): "whole" | "running" | "cut_off" {
  if (holder && !isKnownDead(holder)) return "running";
  return state === "unfinished" ? "cut_off" : "whole";
}

/** Whether a watcher that lives, as far as can be told, keeps a folder up to date. */
export function isWatched({ holder }: FolderEntry): boolean {
  return holder?.does === "watch" && !isKnownDead(holder);
}

/** `process 123 on host since 2024-01-01T00:00:00.000Z`, for messages. */
export function describeHolder({ pid, host, since }: Holder): string {
  return `process ${pid} on ${host} since ${since}`;
}

let known: string | undefined;

/** A hash over what makes a process number mean something: the host, its boot and, in a container, the namespace. */
function machine(): string {
  known ??= createHash("sha1")
    .update(
      [
        hostname(),
        optional(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
        optional(() => readlinkSync("/proc/self/ns/pid")),
      ].join("\0"),
    )
    .digest("hex")
    .slice(0, 16);
  return known;
}

/** Systems without `/proc` have neither. */
function optional(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
