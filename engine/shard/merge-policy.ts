/**
 * Which segments to merge next. Documents must stay in the order of their sequence numbers, so only neighbours are
 * merged; among the runs of neighbours the choice is that of Lucene's TieredMergePolicy: merge what is small and of
 * like size, a run that sheds deleted documents before one that does not, and nothing while there are few segments
 * for the size of the index.
 */

/** A segment as the policy sees it. */
export interface MergeCandidate {
  sizeBytes: number;
  docCount: number;
  liveCount: number;
}

/** Segments [from, to) of the list are to become one. */
export interface MergeRun {
  from: number;
  to: number;
}

/** What the choice of merges is tuned by. */
export interface MergePolicy {
  /** Segments smaller than this count as this large: tiny ones are merged as soon as there are some. */
  floorBytes: number;
  /** A merge never makes a segment larger than this on purpose. */
  maxMergedBytes: number;
  /** Segments allowed per level of size, and most segments of one merge. */
  segmentsPerTier: number;
  /** Merge to get rid of deleted documents when they are more than this share of all. */
  deletedShareAllowed: number;
}

/** Lucene's numbers, the largest segment apart: a segment has to fit into the arena beside others. */
export const DEFAULT_MERGE_POLICY: MergePolicy = {
  floorBytes: 2 << 20,
  maxMergedBytes: 1 << 30,
  segmentsPerTier: 10,
  deletedShareAllowed: 0.2,
};

/** Lucene's forceMergeDeletesPctAllowed. */
const EXPUNGE_SHARE = 0.1;

/** The best merge now, or null when there is nothing worth doing. */
export function chooseMerge(segments: readonly MergeCandidate[], policy: MergePolicy): MergeRun | null {
  const tooManyDeleted = deletedShare(segments) > policy.deletedShareAllowed;
  if (segments.length <= allowedCount(segments, policy) && !tooManyDeleted) return null;
  let best: MergeRun | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (let from = 0; from < segments.length; from++) {
    for (let to = from + 1; to <= Math.min(segments.length, from + policy.segmentsPerTier); to++) {
      const run = segments.slice(from, to);
      if (run.length === 1 && !(tooManyDeleted && deletedShare(run) > policy.deletedShareAllowed)) continue;
      if (liveBytes(run) > policy.maxMergedBytes) break;
      const score = scoreOf(run, policy);
      if (score < bestScore) {
        bestScore = score;
        best = { from, to };
      }
    }
  }
  return best;
}

/** Merges that bring the list down to `maxSegments`, last first so that earlier places stay true. */
export function planForceMerge(segments: readonly MergeCandidate[], maxSegments: number): MergeRun[] {
  const runs = segments.map((segment, i) => ({ from: i, to: i + 1, bytes: liveBytes([segment]) }));
  while (runs.length > Math.max(1, maxSegments)) {
    let at = 0;
    for (let i = 1; i < runs.length - 1; i++) {
      if (runs[i].bytes + runs[i + 1].bytes < runs[at].bytes + runs[at + 1].bytes) at = i;
    }
    const [left, right] = runs.splice(at, 2);
    runs.splice(at, 0, { from: left.from, to: right.to, bytes: left.bytes + right.bytes });
  }
  const needed = runs.filter(({ from, to }) => to - from > 1 || hasDeleted(segments[from]));
  return needed.map(({ from, to }) => ({ from, to })).reverse();
}

/** Rewrites of the segments of which a tenth or more is deleted, last first. */
export function planExpungeDeletes(segments: readonly MergeCandidate[]): MergeRun[] {
  const runs: MergeRun[] = [];
  for (let i = segments.length - 1; i >= 0; i--) {
    if (deletedShare([segments[i]]) > EXPUNGE_SHARE) runs.push({ from: i, to: i + 1 });
  }
  return runs;
}

/** How many segments an index of this size may have: full tiers, each `segmentsPerTier` times the one before. */
function allowedCount(segments: readonly MergeCandidate[], policy: MergePolicy): number {
  let left = liveBytes(segments);
  let level = Math.max(policy.floorBytes, Math.min(...segments.map((segment) => liveBytes([segment]))));
  let allowed = 0;
  for (;;) {
    const full = left / level;
    if (full < policy.segmentsPerTier || level >= policy.maxMergedBytes)
      return Math.max(policy.segmentsPerTier, allowed + Math.ceil(full));
    allowed += policy.segmentsPerTier;
    left -= policy.segmentsPerTier * level;
    level = Math.min(policy.maxMergedBytes, level * policy.segmentsPerTier);
  }
}

/** Lower is better: skew (how much the largest dominates), times a little for size, times the square of what stays. */
function scoreOf(run: readonly MergeCandidate[], policy: MergePolicy): number {
  const sizes = run.map((segment) => Math.max(policy.floorBytes, liveBytes([segment])));
  const floored = sizes.reduce((sum, size) => sum + size, 0);
  const full = run.length === policy.segmentsPerTier;
  const skew = full ? 1 / run.length : Math.max(...sizes) / floored;
  const before = run.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  const kept = before === 0 ? 1 : liveBytes(run) / before;
  return skew * floored ** 0.05 * kept ** 2;
}

function liveBytes(run: readonly MergeCandidate[]): number {
  let sum = 0;
  for (const { sizeBytes, docCount, liveCount } of run) sum += docCount === 0 ? 0 : (sizeBytes * liveCount) / docCount;
  return sum;
}

function deletedShare(run: readonly MergeCandidate[]): number {
  let docs = 0;
  let live = 0;
  for (const { docCount, liveCount } of run) {
    docs += docCount;
    live += liveCount;
  }
  return docs === 0 ? 0 : 1 - live / docs;
}

function hasDeleted(segment: MergeCandidate): boolean {
  return segment.liveCount < segment.docCount;
}
