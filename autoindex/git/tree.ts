import { gitPieces } from "./command.js";
import type { Repository } from "./repository.js";

/** What stands at a path of a tree. */
export interface TreeEntry {
  path: string;
  /** Object id; of a submodule, the commit it is at. */
  id: string;
  kind: "file" | "symlink" | "submodule";
  /** Whether the path is text; one that is not can be listed, never searched for. */
  name: "text" | "odd bytes";
}

const TAB = 9;
const KINDS: Readonly<Record<string, TreeEntry["kind"]>> = { "120000": "symlink", "160000": "submodule" };

const strict = new TextDecoder("utf-8", { fatal: true });

/** The files of a commit's tree, out of the object database, in git's order; paths begin at the indexed folder. */
export async function* readTree({ folder, prefix }: Repository, commit: string): AsyncGenerator<TreeEntry> {
  const tree = prefix === "" ? commit : `${commit}:${prefix.slice(0, -1)}`;
  for await (const piece of gitPieces(folder, ["ls-tree", "-r", "-z", "--full-tree", tree])) {
    const tab = piece.indexOf(TAB);
    const [mode = "", , id = ""] = piece.toString("latin1", 0, tab).split(" ");
    yield { ...readPath(piece.subarray(tab + 1)), id, kind: KINDS[mode] ?? "file" };
  }
}

function readPath(bytes: Buffer): Pick<TreeEntry, "path" | "name"> {
  try {
    return { path: strict.decode(bytes), name: "text" };
  } catch {
    return { path: bytes.toString("utf8"), name: "odd bytes" };
  }
}
