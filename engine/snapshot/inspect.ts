/** Looking at a repository: quickly, by names and sizes, or at every byte. */
import { EngineError } from "../errors.js";
import type { RepositoryReport } from "../snapshots.js";
import { readBlob } from "./blobs.js";
import { blobPath, type Listed, type Manifest } from "./format.js";
import type { Repository } from "./repository.js";

/** Throws repository_unverified when something is missing that snapshots need, or nothing can be written. */
export async function verify(repository: Repository, readonly: boolean): Promise<void> {
  try {
    if (!readonly) repository.probe();
    const listing = repository.listing();
    for await (const manifest of repository.manifests(listing?.snapshots ?? [])) checkBlobs(repository, manifest);
  } catch (cause) {
    const { name, root } = repository;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError("repository_unverified", `[${name}] [${root}]: ${reason}`, { repository: name }, { cause });
  }
}

function checkBlobs(repository: Repository, { name, indices }: Manifest): void {
  for (const { definition, files } of indices) {
    for (const file of files) {
      const fault = repository.fault(definition.uuid, file);
      if (fault) throw new EngineError("corrupt", `snapshot [${name}]: ${fault}`, { file: file.name });
    }
  }
}

/** Reads all descriptions and all blobs that they name, each once. Throws CorruptionError for the index itself. */
export async function inspect(repository: Repository): Promise<RepositoryReport> {
  const report: RepositoryReport = { snapshots: 0, files: 0, bytes: 0, anomalies: [] };
  const seen = new Set<string>();
  for (const listed of repository.listing()?.snapshots ?? []) {
    const manifest = readOrReport(repository, listed, report);
    if (manifest) await inspectBlobs(repository, manifest, { report, seen });
  }
  return report;
}

function readOrReport(repository: Repository, listed: Listed, report: RepositoryReport): Manifest | undefined {
  report.snapshots++;
  try {
    return repository.manifest(listed);
  } catch (error) {
    report.anomalies.push(`snapshot [${listed.name}]: ${messageOf(error)}`);
    return undefined;
  }
}

async function inspectBlobs(
  { files, root }: Repository,
  { name, indices }: Manifest,
  { report, seen }: { report: RepositoryReport; seen: Set<string> },
): Promise<void> {
  for (const { name: index, definition, files: stored } of indices) {
    for (const file of stored) {
      const blob = blobPath(definition.uuid, file);
      if (seen.has(blob)) continue;
      seen.add(blob);
      report.files++;
      report.bytes += file.size;
      try {
        await readBlob({ files, root, indexUuid: definition.uuid }, file, async () => {});
      } catch (error) {
        report.anomalies.push(`snapshot [${name}], index [${index}]: ${messageOf(error)}`);
      }
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
