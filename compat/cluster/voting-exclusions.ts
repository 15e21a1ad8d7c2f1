/** Nodes that were named not to vote: kept in the engine's metadata. There is one voter, which can't be among them. */
import type { EngineFace } from "../../engine/index.js";

export interface VotingExclusion {
  readonly node_id: string;
  readonly node_name: string;
}

const KEY = "cluster/voting_config_exclusions";
/** What stands for the half that is not known. */
export const ABSENT = "_absent_";

export function votingExclusions(engine: EngineFace): readonly VotingExclusion[] {
  return (engine.metadata.get(KEY) as VotingExclusion[] | undefined) ?? [];
}

/** Adds to them; durable when it resolves. */
export async function addVotingExclusions(engine: EngineFace, further: readonly VotingExclusion[]): Promise<void> {
  const kept = votingExclusions(engine);
  const fresh = further.filter(
    (one) => !kept.some((other) => other.node_id === one.node_id && other.node_name === one.node_name),
  );
  if (fresh.length > 0) await engine.metadata.put({ [KEY]: [...kept, ...fresh] });
}

export async function clearVotingExclusions(engine: EngineFace): Promise<void> {
  if (votingExclusions(engine).length > 0) await engine.metadata.put({ [KEY]: undefined });
}
