/** Real files that a test makes fail and sound again as it goes. */
import { type Files, nodeFiles } from "../files.js";
import { type FaultPlan, FaultyFiles } from "./faulty-files.js";

/** What goes wrong. */
export interface Faults {
  /** Bytes that may still be written; then writes stop half-way with ENOSPC. */
  bytesLeft: number;
  /** Syncs fail with EIO while true. */
  syncFails: boolean;
  /** Syncs wait for this, when set. */
  syncGate: Promise<void> | null;
  readonly syncs: number;
  readonly writes: number;
}

/** Only paths that contain `pattern` are affected. */
export function faultyFiles(pattern = ""): { files: Files; faults: Faults } {
  const faulty = new FaultyFiles(nodeFiles, { pattern });
  const faults: Faults = {
    bytesLeft: Number.POSITIVE_INFINITY,
    syncFails: false,
    get syncGate() {
      return faulty.syncGate;
    },
    set syncGate(gate) {
      faulty.syncGate = gate;
    },
    get syncs() {
      return faulty.count("sync");
    },
    get writes() {
      return faulty.count("write");
    },
  };
  faulty.plan = planOf(faults);
  // Tests put steps of their own in the place of some.
  const files: Files = {
    open: (file, mode) => faulty.open(file, mode),
    stat: (file) => faulty.stat(file),
    list: (folder) => faulty.list(folder),
    makeDirectory: (folder) => faulty.makeDirectory(folder),
    rename: (from, to) => faulty.rename(from, to),
    unlink: (file) => faulty.unlink(file),
    removeTree: (folder) => faulty.removeTree(folder),
    syncDirectory: (folder) => faulty.syncDirectory(folder),
    syncDirectoryAsync: (folder) => faulty.syncDirectoryAsync(folder),
  };
  return { files, faults };
}

function planOf(faults: Faults): FaultPlan {
  return ({ step, bytes }) => {
    if (step === "sync" && faults.syncFails) return { kind: "error", errno: "EIO", written: 0 };
    if (step !== "write") return undefined;
    const room = faults.bytesLeft;
    faults.bytesLeft = Math.max(0, room - bytes);
    return bytes <= room ? undefined : { kind: "error", errno: "ENOSPC", written: room };
  };
}
