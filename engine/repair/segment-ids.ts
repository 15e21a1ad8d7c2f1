/** Ids of documents in segments, for saying what is lost and for telling old versions from new ones. */
import { EngineError } from "../errors.js";
import { OpenSegment } from "../segment/index.js";
import { allSet, clearBit, isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import type { ReadSegment } from "./read-index.js";

/** Ids of the documents of a segment that are alive, as far as they can be read; null: they can't. */
export function idsOf(storage: Storage, folder: string, { committed, docCount, live }: ReadSegment): string[] | null {
  if (docCount < 0) return null;
  try {
    return inUse(storage, folder, committed.name, (segment) => {
      const ids: string[] = [];
      for (let doc = 0; doc < docCount; doc++) {
        if (live === null || live === "damaged" || isSet(live, doc)) ids.push(segment.id(doc));
      }
      return ids;
    });
  } catch (error) {
    if (error instanceof EngineError && error.code === "corrupt") return null;
    throw error;
  }
}

/** The documents of a sound segment of whose ids no later segment knows a newer version. */
export function withoutSuperseded(
  storage: Storage,
  folder: string,
  name: string,
  later: readonly string[],
): Uint32Array {
  const others = later.map((one) => OpenSegment.open(storage, folder, one));
  try {
    for (const other of others) other.beginUse();
    return inUse(storage, folder, name, (segment) => {
      const alive = allSet(segment.docCount);
      for (let doc = 0; doc < segment.docCount; doc++) {
        const id = segment.id(doc);
        const newer = segment.findId(id) !== doc || others.some((other) => other.findId(id) >= 0);
        if (newer) clearBit(alive, doc);
      }
      return alive;
    });
  } finally {
    for (const other of others) {
      other.endUse();
      other.close();
    }
  }
}

/** Opens a segment, lets it be used, closes it. */
export function inUse<T>(storage: Storage, folder: string, name: string, work: (segment: OpenSegment) => T): T {
  const segment = OpenSegment.open(storage, folder, name);
  try {
    segment.beginUse();
    try {
      return work(segment);
    } finally {
      segment.endUse();
    }
  } finally {
    segment.close();
  }
}
