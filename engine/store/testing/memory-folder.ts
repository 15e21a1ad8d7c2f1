/** A folder of a MemoryDisk: its names as programs see them, as they surely are on the disk, and what lies between. */
import { MemoryFile } from "./memory-file.js";

export type MemoryNode = MemoryFile | MemoryFolder;

/** Names that changed together: all of it is kept or nothing. null: the name is gone. */
export interface NameChange {
  /** Grows from change to change of a disk. */
  readonly order: number;
  readonly parts: readonly (readonly [folder: MemoryFolder, name: string, node: MemoryNode | null])[];
}

/** One folder. */
export class MemoryFolder {
  entries = new Map<string, MemoryNode>();
  /** Changes that the disk may not have, in their order. */
  readonly pending = new Set<NameChange>();
  #durable = new Map<string, MemoryNode>();

  find(names: readonly string[]): MemoryNode | undefined {
    let at: MemoryNode | undefined = this;
    for (const name of names) at = at instanceof MemoryFolder ? at.entries.get(name) : undefined;
    return at;
  }

  /** The names are on the disk as they are now. A rename between two folders is there in both. */
  sync(): void {
    for (const change of [...this.pending]) {
      for (const [folder, name, node] of change.parts) {
        folder.pending.delete(change);
        setName(folder.#durable, name, node);
      }
    }
  }

  /** This folder after a power cut that keeps these of the pending changes; `file` says what is left of a file. */
  survivor(
    kept: ReadonlySet<NameChange>,
    file: (file: MemoryFile) => MemoryFile,
    done = new Map<MemoryNode, MemoryNode>(),
  ): MemoryFolder {
    const left = new MemoryFolder();
    done.set(this, left);
    const names = new Map(this.#durable);
    for (const change of this.pending) {
      if (!kept.has(change)) continue;
      for (const [folder, name, node] of change.parts) if (folder === this) setName(names, name, node);
    }
    for (const [name, node] of names) {
      // What survives under two names is still one file.
      const survivor = done.get(node) ?? (node instanceof MemoryFile ? file(node) : node.survivor(kept, file, done));
      done.set(node, survivor);
      left.entries.set(name, survivor);
    }
    left.#durable = new Map(left.entries);
    return left;
  }

  /** The same folder, with all below it, on another disk. */
  copy(): MemoryFolder {
    const twins = new Map<MemoryNode, MemoryNode>();
    const twinOf = (node: MemoryNode): MemoryNode => {
      const known = twins.get(node);
      if (known) return known;
      const twin = node instanceof MemoryFile ? node.copy() : new MemoryFolder();
      twins.set(node, twin);
      return twin;
    };
    const folders = [...this.everyFolder()];
    const changes = new Map<NameChange, NameChange>();
    for (const folder of folders) {
      const twin = twinOf(folder) as MemoryFolder;
      for (const [name, node] of folder.entries) twin.entries.set(name, twinOf(node));
      for (const [name, node] of folder.#durable) twin.#durable.set(name, twinOf(node));
      for (const change of folder.pending) {
        const parts = change.parts.map(([of, name, node]) => {
          return [twinOf(of) as MemoryFolder, name, node && twinOf(node)] as const;
        });
        const copied = changes.get(change) ?? { order: change.order, parts };
        changes.set(change, copied);
        twin.pending.add(copied);
      }
    }
    return twinOf(this) as MemoryFolder;
  }

  /** This folder and all below it, those that only a power cut would bring back included. */
  *everyFolder(seen = new Set<MemoryFolder>()): Iterable<MemoryFolder> {
    if (seen.has(this)) return;
    seen.add(this);
    yield this;
    const pending = [...this.pending].flatMap(({ parts }) => parts.map(([, , node]) => node));
    for (const node of [...this.entries.values(), ...this.#durable.values(), ...pending]) {
      if (node instanceof MemoryFolder) yield* node.everyFolder(seen);
    }
  }

  *everyFile(path: string): Iterable<[string, MemoryFile]> {
    for (const [name, node] of this.entries) {
      if (node instanceof MemoryFile) yield [path + name, node];
      else yield* node.everyFile(`${path}${name}/`);
    }
  }
}

function setName(names: Map<string, MemoryNode>, name: string, node: MemoryNode | null): void {
  if (node === null) names.delete(name);
  else names.set(name, node);
}
