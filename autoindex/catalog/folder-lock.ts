import { type Client, WireError } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";
import { AutoindexError } from "../errors.js";
import { describeHolder, endHolder, type Holder, isKnownDead, newHolder } from "./holder.js";
import type { FolderEntry } from "./manifest.js";

/** When a holder gives a sign of life, and when it is looked for, in milliseconds. */
export interface LockTiming {
  beatMs: number;
  /** A holder without a sign of life for so long, by the clock of the one who waits, is dead wherever it runs. */
  silentMs: number;
  pollMs: number;
}

/** Who watches a folder keeps it: waited for only as long as it may take to end, in milliseconds. */
const WATCHER_PATIENCE_MS = 3000;

const TIMING: LockTiming = { beatMs: 5000, silentMs: 45_000, pollMs: 300 };

/** Which folder is to be held, and how. */
export interface LockRequest {
  client: Client;
  root: string;
  /** Name to begin a folder with that has no entry yet. */
  repo: string;
  /** A `lock` is no folder: `root` is any name that is held as a folder is. */
  entry?: "folder" | "lock";
  /** How long another run is waited for. */
  patienceMs: number;
  /** Told once of each run that is waited for. */
  onWait?: (who: string) => void;
  timing?: LockTiming;
  /** What the folder is held for, when not for one run. */
  does?: "watch";
}

interface Versioned {
  entry: FolderEntry;
  seqNo: number;
  term: number;
}

/**
 * A folder's entry in the catalog, held by one run at a time over all machines that talk to the cluster.
 *
 * It is taken and kept by optimistic concurrency (`_create`, `if_seq_no`): of two that want it one is refused. The
 * holder counts its `beat` up while it lives; one whose process is gone or that has fallen silent is replaced, and finds
 * out at its next beat. `state` says whether the documents are whole: a run sets it to `unfinished` before its first
 * change and to `finished` after its last.
 */
export class FolderLock {
  #lost = false;
  /** Writes of the entry wait for each other: each needs the version that the one before it gave. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  private constructor(
    private readonly client: Client,
    private readonly holder: Holder,
    private held: Versioned,
    /** The entry as it was found, without a holder. */
    readonly found: FolderEntry,
    beatMs: number,
  ) {
    this.#timer = setInterval(() => void this.#beat(), beatMs);
    this.#timer.unref();
  }

  /** Takes the folder. Throws `busy` when another run holds it for longer than the patience. */
  static async acquire(request: LockRequest): Promise<FolderLock> {
    const holder = newHolder(request.does);
    try {
      const { held, found } = await take(request, holder);
      return new FolderLock(request.client, holder, held, found, (request.timing ?? TIMING).beatMs);
    } catch (error) {
      endHolder(holder);
      throw error;
    }
  }

  /** Throws when another run has taken the folder over: to be asked before every change. */
  check(): void {
    if (!this.#lost) return;
    const { root } = this.found;
    throw new AutoindexError("busy", `${root} was taken over by another run after this one had been silent for long`);
  }

  /** Changes the entry while it is held. */
  async write(change: Partial<FolderEntry>): Promise<void> {
    await this.#inTurn(() => this.#put({ ...this.held.entry, ...change }));
    this.check();
  }

  /** Lets go, with what the entry is to say from now on; with what it said last when nothing is given. */
  async release(last: Partial<FolderEntry> = {}): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.write({ ...last, holder: null });
    } finally {
      endHolder(this.holder);
    }
  }

  /** Lets go after a failure, whatever comes of it. */
  async abandon(): Promise<void> {
    await this.release().catch(() => {});
  }

  /** Lets go and removes the entry: the folder is no longer in the index. */
  async remove(): Promise<void> {
    clearInterval(this.#timer);
    this.check();
    const { root } = this.found;
    await this.#inTurn(() => this.client.json("DELETE", `${entryPath(root)}?${condition(this.held)}`));
    endHolder(this.holder);
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(write);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #beat(): Promise<void> {
    const beat = () => {
      const { entry } = this.held;
      return this.#put({ ...entry, holder: { ...this.holder, beat: (entry.holder?.beat ?? 0) + 1 } });
    };
    // A node that does not answer is no loss of the folder: the next beat tries again.
    await this.#inTurn(beat).catch(() => {});
  }

  async #put(entry: FolderEntry): Promise<void> {
    if (this.#lost) return;
    for (let tries = 0; tries < 2; tries++) {
      const written = await putIf(this.client, entry, this.held);
      if (written) {
        this.held = written;
        return;
      }
      // An answer that got lost leaves our own write behind.
      const now = await getFolder(this.client, entry.root);
      if (now?.entry.holder?.run !== this.holder.run) break;
      this.held = { ...now, entry: this.held.entry };
    }
    this.#lost = true;
  }
}

/** One folder's entry by its root, in real time. */
export async function readFolder(client: Client, root: string): Promise<FolderEntry | undefined> {
  return (await getFolder(client, root))?.entry;
}

async function take(request: LockRequest, holder: Holder): Promise<{ held: Versioned; found: FolderEntry }> {
  const { client, root } = request;
  const watch = new Watch(request);
  for (;;) {
    const there = await getFolder(client, root);
    const found = { ...(there?.entry ?? newFolder(request)), holder: null };
    if (there?.entry.holder?.run === holder.run) return { held: there, found };
    if (there?.entry.holder && !watch.isDead(there, there.entry.holder)) {
      await watch.pause(there.entry.holder);
      continue;
    }
    const held = await putIf(client, { ...found, holder }, there);
    if (held) return { held, found };
  }
}

/** Watches the one that holds the folder. */
class Watch {
  readonly #began = performance.now();
  #seen = { seqNo: -1, at: 0 };
  #told = "";

  readonly #timing: LockTiming;

  constructor(private readonly request: LockRequest) {
    this.#timing = request.timing ?? TIMING;
  }

  /** By our own clock and the entry's version alone: the clocks of two machines need not agree. */
  isDead({ seqNo }: Versioned, holder: Holder): boolean {
    const now = performance.now();
    if (this.#seen.seqNo !== seqNo) this.#seen = { seqNo, at: now };
    return isKnownDead(holder) || now - this.#seen.at >= this.#timing.silentMs;
  }

  async pause(holder: Holder): Promise<void> {
    const { root, patienceMs, onWait } = this.request;
    const patience = holder.does === "watch" ? Math.min(patienceMs, WATCHER_PATIENCE_MS) : patienceMs;
    if (performance.now() - this.#began >= patience) throw new AutoindexError("busy", busyMessage(root, holder));
    if (this.#told !== holder.run) onWait?.(describeHolder(holder));
    this.#told = holder.run;
    await new Promise((resolve) => setTimeout(resolve, this.#timing.pollMs));
  }
}

function busyMessage(root: string, holder: Holder): string {
  if (holder.does !== "watch") return `${root} is being indexed by ${describeHolder(holder)}`;
  return `${root} is being watched by ${describeHolder(holder)}, which keeps it up to date; end that process first`;
}

function newFolder({ root, repo, entry = "folder" }: LockRequest): FolderEntry {
  const nothing = { files: 0, declarations: 0, records: 0, skipped: {} };
  return { entry: entry as "folder", root, repo, ...nothing, finished_at: null, state: "unfinished", holder: null };
}

async function getFolder(client: Client, root: string): Promise<Versioned | undefined> {
  const reply = await client.request("GET", entryPath(root));
  if (reply.status === 404) return undefined;
  if (reply.status >= 400) throw new WireError(reply.status, "exception", `GET ${entryPath(root)}`, reply.text);
  const found = JSON.parse(reply.text) as { _source: FolderEntry; _seq_no: number; _primary_term: number };
  return { entry: found._source, seqNo: found._seq_no, term: found._primary_term };
}

/** Writes the entry if it still is what it was; nothing when another was faster. */
async function putIf(client: Client, entry: FolderEntry, last: Versioned | undefined): Promise<Versioned | undefined> {
  const path = entryPath(entry.root);
  const target = last ? `${path}?${condition(last)}` : path.replace("/_doc/", "/_create/");
  try {
    const answer = await client.json<{ _seq_no: number; _primary_term: number }>("PUT", target, entry);
    return { entry, seqNo: answer._seq_no, term: answer._primary_term };
  } catch (error) {
    if (error instanceof WireError && error.status === 409) return undefined;
    throw error;
  }
}

function condition({ seqNo, term }: Versioned): string {
  return `if_seq_no=${seqNo}&if_primary_term=${term}`;
}

function entryPath(root: string): string {
  return `/${INDEX.catalog}/_doc/${encodeURIComponent(catalogId("folder", root, ""))}`;
}
