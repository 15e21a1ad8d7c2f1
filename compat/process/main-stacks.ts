/** What the main thread does during an interval: stacks from V8's own sampling profiler, equal ones together. */
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";

/** A stack and in how many samples it was seen. */
export interface SampledStack {
  readonly samples: number;
  /** Innermost first. */
  readonly frames: readonly string[];
}

/** What was seen during an interval. */
export interface SampledStacks {
  readonly samples: number;
  readonly stacks: readonly SampledStack[];
}

const LEAST_INTERVAL_MICROS = 1_000;

/** Samples the thread for so many milliseconds, so many times. Only one at a time can run; another rejects. */
export async function sampleMainThread(millis: number, snapshots: number): Promise<SampledStacks> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    const interval = Math.max(LEAST_INTERVAL_MICROS, Math.floor((millis * 1_000) / snapshots));
    await session.post("Profiler.setSamplingInterval", { interval });
    await session.post("Profiler.start");
    await new Promise((resolve) => setTimeout(resolve, millis));
    const { profile } = await session.post("Profiler.stop");
    return stacksOf(profile);
  } finally {
    session.disconnect();
  }
}

/** Frames that mean that nothing runs. */
const NOT_WORK: ReadonlySet<string> = new Set(["(idle)", "(root)"]);

function stacksOf(profile: Profiler.Profile): SampledStacks {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map<number, number>();
  for (const { id, children } of profile.nodes) for (const child of children ?? []) parents.set(child, id);
  const counts = new Map<number, number>();
  for (const id of profile.samples ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  const stacks: SampledStack[] = [];
  for (const [leaf, samples] of counts) {
    const frames: string[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const node = nodes.get(id);
      if (node !== undefined && !NOT_WORK.has(node.callFrame.functionName)) frames.push(frameText(node.callFrame));
    }
    if (frames.length > 0) stacks.push({ samples, frames });
  }
  stacks.sort((a, b) => b.samples - a.samples);
  return { samples: profile.samples?.length ?? 0, stacks };
}

function frameText({ functionName, url, lineNumber }: Profiler.ProfileNode["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  const file = url.slice(url.lastIndexOf("/") + 1);
  return file === "" ? name : `${name}(${file}:${lineNumber + 1})`;
}
