/**
 * Making a commit of the segments in a folder when the one that was there can't be read. A folder holds what the commit
 * named and, after a crash, what was merged into something newer or not yet committed: of segments whose documents
 * overlap the newest is taken, which has all of the others' that were alive.
 */
import type { Commit, CommittedSegment } from "../segment/index.js";
import type { Storage } from "../store/storage.js";
import { isSound, type ReadSegment, readSegment } from "./read-index.js";
import { inUse } from "./segment-ids.js";

/** What a commit can be made of. */
export interface FoundSegments {
  /** Sound, in the order of their sequence numbers; of some it may not be known what was deleted. */
  readonly chosen: readonly ReadSegment[];
  readonly damaged: readonly ReadSegment[];
  /** What the commit says beside them. */
  readonly rest: Pick<Commit, "generation" | "user">;
}

interface Candidate {
  readonly read: ReadSegment;
  /** How late it was made. */
  readonly number: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Reads all segments of the folder and chooses. */
export function findSegments(storage: Storage, folder: string): FoundSegments {
  const names = storage.files.list(folder);
  const read = names
    .filter((name) => name.endsWith(".seg"))
    .map((name) => readSegment(storage, folder, newestOf(names, name.slice(0, -".seg".length))));
  const candidates = read.filter(isSound).map((one) => candidateOf(storage, folder, one));
  const chosen = withoutOverlap(candidates);
  const last = Math.max(0, ...read.map(({ committed }) => numberOf(committed.name)));
  return {
    chosen: chosen.map((one) => one.read),
    damaged: read.filter((one) => !isSound(one)),
    rest: {
      generation: 1 + Math.max(0, ...read.map(({ committed }) => committed.live)),
      user: { maxSeqNo: Math.max(-1, ...chosen.map(({ highest }) => highest)), nextSegment: last + 1 },
    },
  };
}

/** A segment with the newest file of what of it is alive. */
function newestOf(names: readonly string[], segment: string): CommittedSegment {
  const generations = names
    .filter((name) => name.startsWith(`${segment}.`) && name.endsWith(".live"))
    .map((name) => Number(name.slice(segment.length + 1, -".live".length)));
  return { name: segment, live: Math.max(0, ...generations) };
}

function numberOf(name: string): number {
  return Number.parseInt(name.slice(1), 36);
}

function candidateOf(storage: Storage, folder: string, read: ReadSegment): Candidate {
  const { name } = read.committed;
  const range = inUse(storage, folder, name, (segment) => ({
    lowest: segment.seqNo(0),
    highest: segment.seqNo(segment.docCount - 1),
  }));
  return { read, number: numberOf(name), ...range };
}

/** The newest of those that overlap, in the order of their sequence numbers. */
function withoutOverlap(all: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const one of [...all].sort((a, b) => b.number - a.number)) {
    if (!chosen.some(({ lowest, highest }) => one.lowest <= highest && lowest <= one.highest)) chosen.push(one);
  }
  return chosen.sort((a, b) => a.lowest - b.lowest);
}
