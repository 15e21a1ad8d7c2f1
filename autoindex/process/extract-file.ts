import path from "node:path";
import type { FolderAttributes } from "../classes/attributes.js";
import { Deadline } from "../formats/limits.js";
import { type Told, tell } from "../formats/tell.js";
import { detectLanguage } from "../languages/index.js";
import { readRecords } from "../records/read.js";
import { binaryFormat } from "../records/read-binary.js";
import { isSettings } from "../records/settings.js";
import { blobId } from "../sniff/blob.js";
import { NO_STAMP } from "../stamp.js";
import { unsettled, versionFor } from "../version.js";
import { ContentReading } from "./content-reading.js";
import type { FileFacts, FileJob, FileResult, RunContext } from "./protocol.js";
import { readFileBounded } from "./read.js";

/** Reads one file and prints its documents; `attributes`: what files read in one go share, `deadline`: the file's own time. */
export async function extractFile(
  asked: FileJob,
  context: RunContext,
  attributes?: FolderAttributes,
  deadline = new Deadline(),
): Promise<FileResult> {
  const readAtMs = Date.now();
  const job = isSettings(asked.path) ? { ...asked, records: "text" as const } : asked;
  const outcome = job.stored
    ? { kind: "bytes" as const, bytes: job.stored.bytes, stamp: { ...NO_STAMP, size: job.stored.bytes.length } }
    : readFileBounded(path.join(context.root, job.path), context.maxFileBytes);
  const { stamp } = outcome;
  const facts: FileFacts = { path: job.path, stamp, readAtMs, blob: "", language: "", version: "" };
  if (outcome.kind === "skip") {
    return { kind: "skipped", reason: outcome.reason, detail: outcome.detail, ...facts };
  }
  facts.blob = blobId(outcome.bytes);
  const bytes = Buffer.from(outcome.bytes.buffer, outcome.bytes.byteOffset, outcome.bytes.length);
  const told = await tell(bytes, deadline, job.path);
  facts.language = languageOf(told, job.path);
  facts.version = versionFor(facts.language);
  if (facts.blob === job.knownBlob && facts.version === job.knownVersion) return { kind: "same", ...facts };
  if (await isThereForOthers(job, facts, told, bytes)) return { kind: "same", ...facts };
  return readContent({ job, context, facts, deadline, attributes }, bytes, told);
}

/** Whether the documents of this blob at this path are there already; records belong to one folder alone. */
async function isThereForOthers(
  { others = [], records }: FileJob,
  facts: FileFacts,
  told: Told,
  bytes: Buffer,
): Promise<boolean> {
  if (!others.some(({ blob, version }) => blob === facts.blob && version === facts.version)) return false;
  if (records === "text") return true;
  if (told.kind === "text") return (await readRecords(facts.language, told.text)).datasets.length === 0;
  // A packed table is one too.
  return told.kind !== "archive" && binaryFormat(bytes) === undefined;
}

interface Asked {
  job: FileJob;
  context: RunContext;
  facts: FileFacts;
  deadline: Deadline;
  attributes: FolderAttributes | undefined;
}

async function readContent({ facts, ...asked }: Asked, bytes: Buffer, told: Told): Promise<FileResult> {
  const { job, context, deadline, attributes } = asked;
  const { stored, grammars } = job;
  const reading = new ContentReading({ context, deadline, packedBytes: bytes.length, stored, attributes, grammars });
  const source = { path: job.path, container: "", blob: facts.blob, bytes, records: job.records };
  await reading.read(source, told);
  const { isBinary, unsettled: time, parts, documents, detail, ...read } = reading.take();
  // What the processor was too slow for twice stays as it is; out of an object database, once.
  const isSecond =
    stored !== undefined || (job.knownBlob === facts.blob && job.knownVersion === unsettled(facts.version));
  if (time === "again" || (time === "once more" && !isSecond)) facts.version = unsettled(facts.version);
  if (isBinary) return { kind: "skipped", reason: "binary", detail, parts, documents, ...facts };
  return { kind: "indexed", parts, documents, detail, ...facts, ...read };
}

/** What the file counts as; a notebook's and an archive's documents name languages of their own. */
function languageOf(told: Told, filePath: string): string {
  if (told.kind === "text") return detectLanguage(filePath, told.text).name;
  if (told.kind === "document") return told.format === "notebook" ? "notebook" : "text";
  return told.kind;
}
