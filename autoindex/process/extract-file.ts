import path from "node:path";
import { CodeDocuments } from "../documents/code-documents.js";
import { dataIndex, fileKey, recordId } from "../documents/ids.js";
import { BulkLines } from "../documents/lines.js";
import type { Outline } from "../extract/model.js";
import { outlineRecords, outlineText } from "../extract/outline.js";
import { Positions } from "../extract/positions.js";
import { detectLanguage, type Language } from "../languages/index.js";
import { datasetName } from "../records/name.js";
import { type DataSet, readRecords } from "../records/read.js";
import { blobId } from "../sniff/blob.js";
import { decode, type Encoding } from "../sniff/decode.js";
import { classify, isMinified } from "../sniff/file-class.js";
import { versionFor } from "../version.js";
import type { DataSetFacts, FileFacts, FileJob, FileResult, IndexedFile, RunContext } from "./protocol.js";
import { readFileBounded } from "./read.js";

/** Reads one file and prints its documents. */
export async function extractFile(job: FileJob, context: RunContext): Promise<FileResult> {
  const readAtMs = Date.now();
  const outcome = readFileBounded(path.join(context.root, job.path), context.maxFileBytes);
  const { stamp } = outcome;
  const facts: FileFacts = { path: job.path, stamp, readAtMs, blob: "", language: "", version: "" };
  if (outcome.kind === "skip") {
    return { ...facts, kind: "skipped", reason: outcome.reason, detail: outcome.detail };
  }
  facts.blob = blobId(outcome.bytes);
  const decoded = decode(outcome.bytes);
  if (decoded.kind === "binary") return { ...facts, kind: "skipped", reason: "binary", detail: "" };
  const language = detectLanguage(job.path, decoded.text);
  facts.language = language.name;
  facts.version = versionFor(language.name);
  if (facts.blob === job.knownBlob && facts.version === job.knownVersion) return { ...facts, kind: "same" };
  return new Extraction(job, context, facts, language).run(decoded.text, decoded.encoding);
}

/** The reading of one text. */
class Extraction {
  readonly #lines = new BulkLines();

  constructor(
    private readonly job: FileJob,
    private readonly context: RunContext,
    private readonly facts: FileFacts,
    private readonly language: Language,
  ) {}

  async run(text: string, encoding: Encoding): Promise<IndexedFile> {
    const positions = new Positions(text);
    const dataset = this.job.records === "dataset" ? readRecords(this.language.name, text) : undefined;
    const minified = isMinified(text, positions.lines);
    const whole = { path: this.job.path, language: this.language, positions, isMinified: minified };
    const outline = dataset ? outlineRecords(whole) : await outlineText(whole);
    this.#addDocuments(positions, encoding, outline, {
      isRecords: dataset !== undefined,
      isMinified: minified,
    });
    return {
      ...this.facts,
      kind: "indexed",
      parts: this.#lines.take(),
      declarations: outline.declarations.length,
      references: outline.references.length,
      dataset: dataset && this.#printRecords(dataset),
      detail: "",
    };
  }

  #key(): string {
    return fileKey(this.context.repo, this.job.path, this.facts.blob);
  }

  #addDocuments(
    positions: Positions,
    encoding: Encoding,
    outline: Outline,
    shape: { isRecords: boolean; isMinified: boolean },
  ): void {
    const { job, context, facts, language } = this;
    const common = {
      repo: context.repo,
      path: job.path,
      language: language.name,
      class: classify({ path: job.path, language: language.name, text: positions.text, ...shape }),
      blob: facts.blob,
      branches: context.branches,
    };
    const documents = new CodeDocuments(common, this.#key(), positions, this.#lines);
    documents.addFile({
      name: path.posix.basename(job.path),
      size: facts.stamp.size,
      lines: positions.lines,
      encoding,
      symbols: symbolsOf(outline),
      body: positions.text,
      parsed: outline.parsed,
    });
    for (const declaration of outline.declarations) documents.addDeclaration(declaration);
    for (const reference of outline.references) documents.addReference(reference);
  }

  #printRecords({ records, fields, properties }: DataSet): DataSetFacts {
    const name = datasetName(this.context.repo, this.job.path);
    const index = dataIndex(name);
    const key = this.#key();
    const lines = new BulkLines();
    for (const [ordinal, record] of records.entries()) {
      lines.index(index, recordId(key, ordinal), JSON.stringify(record));
    }
    return { name, parts: lines.take(), records: records.length, fields, properties };
  }
}

function symbolsOf(outline: Outline): string[] {
  const named = outline.declarations.filter(({ kind }) => kind !== "window");
  return [...new Set(named.map(({ name }) => name))];
}
