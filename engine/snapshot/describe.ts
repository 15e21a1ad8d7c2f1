/** A finished snapshot's manifest in other words: its line in the index, what is shown of it. */
import type { SnapshotDetails } from "../snapshots.js";
import { amountOf, type Listed, type Manifest } from "./format.js";

/** A manifest's line in the index. */
export function listedOf({ name, uuid, state, startedAt, endedAt, indices }: Manifest): Listed {
  return { name, uuid, state, startedAt, endedAt, indices: indices.map((index) => index.name) };
}

/** A finished snapshot as it is shown. */
export function detailsOf(repository: string, manifest: Manifest): SnapshotDetails {
  const { name, uuid, state, startedAt, endedAt, partial, note, globalState, indices } = manifest;
  return {
    ...{ name, uuid, repository, state, startedAt, endedAt, partial, note },
    indices: indices.map((index) => index.name),
    contents: indices.map((index) => ({
      name: index.name,
      definition: { ...index.definition, mapping: index.fields.mapping },
      attachment: index.attachment,
      stage: index.failure === null ? ("done" as const) : ("failed" as const),
      startedAt: index.startedAt,
      endedAt: index.endedAt,
      total: amountOf(index.files, index.commit),
      incremental: index.incremental,
      segments: index.commit?.segments.length ?? 0,
      failure: index.failure,
    })),
    globalState: globalState && { ...globalState },
  };
}
