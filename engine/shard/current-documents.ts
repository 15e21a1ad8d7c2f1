/**
 * What is known of a document right now. In this order: operations that are not yet durable (for the writer only), the
 * write buffer, recent deletes, segments.
 */
import { InternalError } from "../errors.js";
import type { BufferedDocuments } from "../memtable/buffered-documents.js";
import type { SegmentReader } from "../segment/types.js";
import { type DocumentState, PRIMARY_TERM } from "./conflicts.js";
import type { Located, SegmentSet } from "./segment-set.js";
import type { VersionEntry, VersionMap } from "./version-map.js";

/** The newest state of an id and what has it. */
export type CurrentDocument = { readonly state: DocumentState } & (
  | { readonly where: "operation"; readonly entry: VersionEntry }
  | { readonly where: "nowhere" }
  | { readonly where: "buffer"; readonly documents: BufferedDocuments; readonly doc: number }
  | { readonly where: "segment"; readonly located: Located }
);

/** What was written of a document: its raw bytes and its routing value. */
export interface CurrentSource {
  source: Uint8Array;
  routing: string | undefined;
}

/** Finds documents in the write buffer. */
export interface BufferedLookup {
  find(id: string): { readonly documents: BufferedDocuments; readonly doc: number } | undefined;
}

/** Finds the newest state of an id in all places that may have it. */
export class CurrentDocuments {
  constructor(
    private readonly versions: VersionMap,
    private readonly segments: SegmentSet,
    private readonly buffer: BufferedLookup,
  ) {}

  /**
   * The state that the next operation builds on, operations not yet durable included; a tombstone is a state too.
   * `located`: what `locate` says of the id.
   */
  newest(id: string, located?: Located | null): CurrentDocument | undefined {
    const entry = this.versions.pending(id);
    return entry ? { where: "operation", state: entry, entry } : this.durable(id, located);
  }

  /** What segments have of these ids, for `newest`; true until the event loop's next turn. */
  locate(ids: readonly string[]): (Located | null)[] {
    return this.segments.findEach(ids);
  }

  /** The state that anyone may see. `located`: what `locate` says of the id. */
  durable(id: string, located?: Located | null): CurrentDocument | undefined {
    const buffered = this.buffer.find(id);
    if (buffered) return { where: "buffer", state: stateOf(buffered.documents, buffered.doc), ...buffered };
    const tombstone = this.versions.tombstone(id);
    if (tombstone) return { where: "nowhere", state: tombstone };
    return inSegment(located === undefined ? this.segments.find(id) : located);
  }

  /** The state that the newest reader shows. */
  shown(id: string): CurrentDocument | undefined {
    return inSegment(this.segments.findShown(id));
  }

  /** Source and routing of a document that is not deleted. */
  source(current: CurrentDocument): CurrentSource {
    switch (current.where) {
      case "operation":
        return { source: current.entry.source, routing: current.entry.routing };
      case "buffer":
        return contentOf(current.documents, current.doc);
      case "segment": {
        const { segment } = current.located.holder;
        return using(segment, () => contentOf(segment, current.located.doc));
      }
      case "nowhere":
        throw new InternalError(`the source of a deleted document is asked for (sequence ${current.state.seqNo})`);
    }
  }
}

function inSegment(located: Located | null | undefined): CurrentDocument | undefined {
  if (!located) return undefined;
  const { segment } = located.holder;
  return { where: "segment", state: using(segment, () => stateOf(segment, located.doc)), located };
}

/** What write buffers and segments both tell of a document. */
type Documents = Pick<SegmentReader, "seqNo" | "version" | "source" | "routing">;

function stateOf(documents: Documents, doc: number): DocumentState {
  const [seqNo, version] = [documents.seqNo(doc), documents.version(doc)];
  return { seqNo, version, primaryTerm: PRIMARY_TERM, deleted: false };
}

function contentOf(documents: Documents, doc: number): CurrentSource {
  return { source: documents.source(doc), routing: documents.routing(doc) };
}

function using<T>(segment: SegmentReader, action: () => T): T {
  segment.beginUse();
  try {
    return action();
  } finally {
    segment.endUse();
  }
}
