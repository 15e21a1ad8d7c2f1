/** What is known of a document right now: versions since the last refresh first, then the write buffer's and the segments' own. */
import type { DocumentState } from "./conflicts.js";
import type { Located, SegmentSet } from "./segment-set.js";
import type { VersionEntry, VersionMap } from "./version-map.js";

/** The primary term: a single node never hands its indices over, so it stays at the first. */
export const PRIMARY_TERM = 1;

/** What the write buffer gives back of a document in it. */
export interface BufferedDocuments {
  source(doc: number): Uint8Array;
}

/** The newest state of an id and where it was found. */
export interface CurrentDocument {
  state: DocumentState;
  /** Where a segment has it; null when it is newer than the segments. */
  located: Located | null;
  entry: VersionEntry | null;
}

export interface CurrentSource {
  source: Uint8Array;
  routing: string | undefined;
}

export class CurrentDocuments {
  constructor(
    private readonly versions: VersionMap,
    private readonly segments: SegmentSet,
    private readonly buffer: () => BufferedDocuments,
  ) {}

  /** The state that the next operation builds on, operations not yet durable included; a tombstone is a state too. */
  newest(id: string): CurrentDocument | undefined {
    return this.#current(id, this.versions.newest(id));
  }

  /** The same without operations that are not yet durable: what anyone but the writer may see. */
  durable(id: string): CurrentDocument | undefined {
    return this.#current(id, this.versions.published(id));
  }

  /** Source and routing of a document that is not deleted. */
  source(current: CurrentDocument): CurrentSource {
    const { entry, located } = current;
    if (located) {
      const { segment } = located.holder;
      return reading(located, () => {
        return { source: segment.source(located.doc), routing: segment.routing(located.doc) };
      });
    }
    const { source, doc, routing } = entry as VersionEntry;
    return { source: source ?? this.buffer().source(doc), routing };
  }

  #current(id: string, entry: VersionEntry | undefined): CurrentDocument | undefined {
    if (entry) return { state: entry, located: null, entry };
    const located = this.segments.find(id);
    if (!located) return undefined;
    const { segment } = located.holder;
    return reading(located, () => {
      const { doc } = located;
      const [seqNo, version] = [segment.seqNo(doc), segment.version(doc)];
      return { state: { seqNo, version, primaryTerm: PRIMARY_TERM, deleted: false }, located, entry: null };
    });
  }
}

function reading<T>({ holder }: Located, action: () => T): T {
  holder.segment.beginUse();
  try {
    return action();
  } finally {
    holder.segment.endUse();
  }
}
