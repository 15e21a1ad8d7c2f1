import type { CurrentDocument } from "./current-documents.js";
import type { VersionEntry } from "./version-map.js";

/**
 * An operation with a sequence number, on its way into the write buffer: what the version map shows of it, what the
 * memtable keeps (its DocumentMeta), and where its document was prepared. One object serves all of them, since there is one for every
 * document that is written.
 */
export interface Operation extends VersionEntry {
  readonly id: string;
  /** Its prepared records are [start, end) in the arena, by these fields' ordinals; meaningless for a delete. */
  readonly start: number;
  readonly end: number;
  /** The document that was there when it got its number, which it deletes or replaces. */
  readonly replaces: CurrentDocument | undefined;
}
