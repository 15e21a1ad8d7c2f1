import type { BufferedDocument } from "../memtable/buffered-documents.js";
import type { CurrentDocument } from "./current-documents.js";
import type { VersionEntry } from "./version-map.js";

/**
 * An operation with a sequence number, on its way into the write buffer: what the version map shows of it, and where its
 * document lies (meaningless for a delete). One object serves all, since there is one for every document that is written.
 */
export interface Operation extends VersionEntry, BufferedDocument {
  /** The document that was there when it got its number, which it deletes or replaces. */
  readonly replaces: CurrentDocument | undefined;
}
