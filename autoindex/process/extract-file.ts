import path from "node:path";
import { Deadline } from "../formats/limits.js";
import { type Told, tell } from "../formats/tell.js";
import { detectLanguage } from "../languages/index.js";
import { readRecords } from "../records/read.js";
import { binaryFormat } from "../records/read-binary.js";
import { blobId } from "../sniff/blob.js";
import { NO_STAMP } from "../stamp.js";
import { unsettled, versionFor } from "../version.js";
import { ContentReading } from "./content-reading.js";
import type { FileFacts, FileJob, FileResult, RunContext } from "./protocol.js";
import { readFileBounded } from "./read.js";

/** Reads one file and prints its documents. */
export async function extractFile(job: FileJob, context: RunContext): Promise<FileResult> {
  const readAtMs = Date.now();
  const outcome = job.stored
    ? { kind: "bytes" as const, bytes: job.stored.bytes, stamp: { ...NO_STAMP, size: job.stored.bytes.length } }
    : readFileBounded(path.join(context.root, job.path), context.maxFileBytes);
  const { stamp } = outcome;
  const facts: FileFacts = { path: job.path, stamp, readAtMs, blob: "", language: "", version: "" };
  if (outcome.kind === "skip") {
    return { ...facts, kind: "skipped", reason: outcome.reason, detail: outcome.detail };
  }
  facts.blob = blobId(outcome.bytes);
  const bytes = Buffer.from(outcome.bytes);
  const deadline = new Deadline();
  const told = await tell(bytes, deadline, job.path);
  facts.language = languageOf(told, job.path);
  facts.version = versionFor(facts.language);
  if (facts.blob === job.knownBlob && facts.version === job.knownVersion) return { ...facts, kind: "same" };
  if (await isThereForOthers(job, facts, told, bytes)) return { ...facts, kind: "same" };
  return readContent({ job, context, facts, deadline }, bytes, told);
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
}

async function readContent({ job, context, facts, deadline }: Asked, bytes: Buffer, told: Told): Promise<FileResult> {
  const reading = new ContentReading({ context, deadline, packedBytes: bytes.length, stored: job.stored });
  const source = { path: job.path, container: "", blob: facts.blob, bytes, records: job.records };
  await reading.read(source, told);
  const { isBinary, isUnsettled, parts, documents, detail, ...read } = reading.take();
  if (isUnsettled) facts.version = unsettled(facts.version);
  if (isBinary) return { ...facts, kind: "skipped", reason: "binary", detail, parts, documents };
  return { ...facts, kind: "indexed", parts, documents, detail, ...read };
}

/** What the file counts as; a notebook's and an archive's documents name languages of their own. */
function languageOf(told: Told, filePath: string): string {
  if (told.kind === "text") return detectLanguage(filePath, told.text).name;
  if (told.kind === "document") return told.format === "notebook" ? "notebook" : "text";
  return told.kind;
}
