import path from "node:path";
import { attributesOf, type FolderAttributes } from "../classes/attributes.js";
import { CodeDocuments } from "../documents/code-documents.js";
import { CountedLines, type DocumentCounts } from "../documents/counted-lines.js";
import { fileKey } from "../documents/ids.js";
import type { BulkPart } from "../documents/lines.js";
import { edgesOf, importsOf } from "../extract/edges.js";
import type { Declaration, Outline } from "../extract/model.js";
import {
  isMostlyRecords,
  outlineAroundRecords,
  outlineRecords,
  outlineText,
  type TextToRead,
  withWindows,
} from "../extract/outline.js";
import { Positions } from "../extract/positions.js";
import { ArchiveBudget } from "../formats/archive/budget.js";
import { MEMBER_MARK } from "../formats/archive/member-path.js";
import { convert } from "../formats/convert.js";
import { type Deadline, LIMITS } from "../formats/limits.js";
import { readNotebook } from "../formats/notebook.js";
import { type Told, tell } from "../formats/tell.js";
import { detectLanguage, type Language, languageNamed } from "../languages/index.js";
import { type FileRecords, readRecords } from "../records/read.js";
import { binaryFormat, readBinaryRecords } from "../records/read-binary.js";
import { blobId } from "../sniff/blob.js";
import { classify, isMinified } from "../sniff/file-class.js";
import { outlineNotebook } from "./notebook-outline.js";
import { outlineOfRecords, printRecords } from "./print-records.js";
import type { DataSetFacts, FileJob, RunContext } from "./protocol.js";

/** What a reading works with. */
export interface ReadingOptions {
  context: RunContext;
  deadline: Deadline;
  /** Bytes of the file on disk. */
  packedBytes: number;
  /** Whose the bytes are when they come out of git's object database. */
  stored?: FileJob["stored"];
  /** Whether grammars are asked; they are when it is absent. */
  grammars?: FileJob["grammars"];
  attributes?: FolderAttributes;
}

/** Bytes to read: of a file on disk, or of one inside it. */
export interface Content {
  /** As documents have it. */
  path: string;
  /** The file on disk that it is in, empty when it is that file. */
  container: string;
  blob: string;
  bytes: Buffer;
  records: FileJob["records"];
}

/** All that a reading gave. */
export interface ReadContent {
  parts: BulkPart[];
  documents: DocumentCounts;
  declarations: number;
  references: number;
  datasets: DataSetFacts[];
  /** Why the file is no list of records, or what of them was left out. */
  recordsNote: string;
  /** What was left out, or what a binary is. */
  detail: string;
  /** Whether the file on disk has no text at all. */
  isBinary: boolean;
  /**
   * Whether it was cut short by what may be other on the next run: `again` by time that a busy machine takes longer for;
   * `once more` by the processor's own time, which is nearly the same on every run, and by the end of a process, which
   * somebody else may have ended.
   */
  unsettled: "no" | "once more" | "again";
}

/** A text that is ready to become documents. */
interface ReadyText {
  text: TextToRead;
  /** As documents have it. */
  language: string;
  encoding: string;
  format: string;
  outline: Outline;
  isRecords: boolean;
}

/** Reads one file on disk, and what is inside it, into documents. */
export class ContentReading {
  readonly #lines = new CountedLines();
  readonly #notes: string[] = [];
  readonly #budget: ArchiveBudget;
  #declarations = 0;
  #references = 0;
  #datasets: DataSetFacts[] = [];
  #recordsNote = "";
  #isBinary = false;
  #isTimedOut = false;
  #isWithoutGrammar = false;

  constructor(private readonly options: ReadingOptions) {
    const { packedBytes, deadline, context } = options;
    this.#budget = new ArchiveBudget(packedBytes, deadline, context.maxFileBytes);
  }

  /** Reads a content by what it is. */
  async read(content: Content, told: Told, depth = 0): Promise<void> {
    if (told.kind === "text") await this.#readText(content, told);
    else if (told.kind === "document" && told.format === "notebook") await this.#readNotebook(content, told);
    else if (told.kind === "document") await this.#readDocument(content, told);
    else if (told.kind === "archive" && depth < LIMITS.depth) await this.#readArchive(content, told, depth);
    else await this.#readBinary(content, told);
  }

  /** All that was read; nothing is left behind. */
  take(): ReadContent {
    return {
      parts: this.#lines.take(),
      documents: this.#lines.counts,
      declarations: this.#declarations,
      references: this.#references,
      datasets: this.#datasets,
      recordsNote: this.#recordsNote,
      detail: this.#notes.join("; "),
      isBinary: this.#isBinary,
      unsettled: this.#unsettled(),
    };
  }

  #unsettled(): ReadContent["unsettled"] {
    const { ended } = this.options.deadline;
    if (this.#isTimedOut || ended === "clock") return "again";
    return ended === "processor" || this.#isWithoutGrammar ? "once more" : "no";
  }

  async #readText(content: Content, { text, encoding }: Extract<Told, { kind: "text" }>): Promise<void> {
    const language = detectLanguage(content.path, text);
    const whole = this.#textToRead(content.path, language, text);
    const records = content.records === "dataset" ? await readRecords(language.name, text) : NO_RECORDS;
    const hasRecords = records.datasets.length > 0;
    const outline = await (hasRecords ? outlineAroundRecords(whole) : outlineText(whole));
    const isRecords = hasRecords && isMostlyRecords(whole, outline);
    this.#add(content, { text: whole, language: language.name, encoding, format: "text", outline, isRecords });
    this.#keepRecords(content, records);
  }

  async #readNotebook(content: Content, told: Extract<Told, { kind: "document" }>): Promise<void> {
    const notebook = readNotebook(told.text);
    if (!notebook) return this.#readText(content, { kind: "text", text: told.text, encoding: told.encoding });
    const language = languageNamed(notebook.language) ?? languageNamed("text")!;
    const text = this.#textToRead(content.path, language, notebook.text);
    const outline = await outlineNotebook(text, notebook);
    const { encoding } = told;
    this.#note(content, notebook.notes);
    this.#add(content, { text, language: language.name, encoding, format: "notebook", outline, isRecords: false });
  }

  async #readDocument(content: Content, told: Extract<Told, { kind: "document" }>): Promise<void> {
    const { format, encoding } = told;
    if (format === "notebook") return;
    const made = await convert(format, content.bytes, this.options.deadline);
    const text = plainText(content.path, made.text);
    const { sections } = made;
    const parsed = sections.length > 0 ? "sections" : made.text === "" ? "none" : "windows";
    const outline = withWindows(text, { declarations: sections, references: [], parsed });
    this.#note(content, made.notes);
    this.#add(content, { text, language: "text", encoding, format, outline, isRecords: false });
    this.#keepRecords(content, await binaryRecords(content));
  }

  async #readArchive(content: Content, told: Extract<Told, { kind: "archive" }>, depth: number): Promise<void> {
    const archive = { format: told.format, bytes: content.bytes, name: path.posix.basename(content.path) };
    const { openArchive } = await import("../formats/archive/open.js");
    const { members, leftOut } = openArchive(archive, this.#budget);
    const listed: string[] = [];
    for await (const { path: inside, bytes, isAlone } of members) {
      listed.push(inside);
      const memberPath = `${content.path}${MEMBER_MARK}${inside}`;
      const container = content.container || content.path;
      // A file on disk has one data set at most, so the tables of an archive of several files are read as text.
      const records = isAlone ? content.records : "text";
      const member = { path: memberPath, container, blob: blobId(bytes), bytes, records };
      await this.read(member, await tell(bytes, this.options.deadline, inside), depth + 1);
    }
    const notes = leftOut.notes();
    this.#note(content, notes);
    const text = plainText(content.path, [...listed, ...notes, ""].join("\n"));
    const outline = outlineRecords(text);
    const { format } = told;
    this.#add(content, { text, language: "archive", encoding: "utf-8", format, outline, isRecords: true });
  }

  /** A binary is a document with its name and type, so that it is found by them. */
  async #readBinary(content: Content, told: Told): Promise<void> {
    const records = await binaryRecords(content);
    if (records.datasets.length > 0) return this.#readDatabase(content, records);
    const known = told.kind === "archive" ? told.format : undefined;
    const { describeBinary } = await import("../formats/media/describe.js");
    const { format, title, facts } = await describeBinary(content.bytes, known, this.options.deadline);
    const about = [title, ...facts].filter((line) => line !== "");
    const text = plainText(content.path, facts.length > 0 ? `${about.join("\n")}\n` : "");
    const declarations = [wholeWindow(content.path, title, text.positions.text)];
    const outline: Outline = { declarations, references: [], parsed: "none" };
    this.#add(content, { text, language: "binary", encoding: "binary", format, outline, isRecords: true });
    if (known) this.#note(content, [`not opened: archives are opened ${LIMITS.depth} deep`]);
    if (content.container !== "") return;
    this.#isBinary = true;
    this.#notes.push(...about);
    if (records.note !== "") this.#notes.push(`no records: ${records.note}`);
  }

  /** A database is found by the names of its tables and fields. */
  #readDatabase(content: Content, records: FileRecords): void {
    const format = binaryFormat(content.bytes) ?? "binary";
    const text = plainText(content.path, outlineOfRecords(records));
    const outline: Outline = { declarations: [], references: [], parsed: "none" };
    this.#add(content, { text, language: format, encoding: "binary", format, outline, isRecords: true });
    this.#keepRecords(content, records);
  }

  #textToRead(filePath: string, language: Language, text: string): TextToRead {
    const { grammars = "all" } = this.options;
    return { ...textToRead(filePath, language, text), grammars };
  }

  #keepRecords(content: Content, records: FileRecords): void {
    const { datasetRepo, repo } = this.options.context;
    const source = { repo: datasetRepo ?? repo, path: content.path, key: this.#key(content) };
    this.#datasets.push(...printRecords(source, records));
    if (records.note !== "") this.#recordsNote = records.note;
  }

  /** What was left out of a member is said with its path. */
  #note({ path: at, container }: Content, notes: readonly string[]): void {
    for (const note of notes) this.#notes.push(container === "" ? note : `${at}: ${note}`);
  }

  #add(content: Content, { text, language, encoding, format, outline, isRecords }: ReadyText): void {
    const { positions, isMinified: minified } = text;
    const { path: at, blob, container } = content;
    const { context, stored, attributes } = this.options;
    const common = {
      repo: context.repo,
      path: at,
      language,
      class: classify({
        path: at,
        language,
        text: positions.text,
        isRecords,
        isMinified: minified,
        attributes: attributesOf(context.root, container || at, attributes),
      }),
      blob,
      branches: stored?.branches ?? context.branches,
      in_tree: stored?.inTree ?? true,
      ...(container !== "" && { container }),
    };
    const documents = new CodeDocuments(common, this.#key(content), positions, this.#lines);
    const imports = importsOf(outline.references);
    documents.addFile({
      name: path.posix.basename(at),
      size: content.bytes.length,
      lines: positions.lines,
      encoding,
      format,
      symbols: symbolsOf(outline),
      ...(imports.length > 0 && { imports }),
      parsed: outline.parsed,
    });
    const edges = edgesOf(outline);
    for (const declaration of outline.declarations) documents.addDeclaration(declaration, edges.get(declaration));
    documents.addReferences(outline.references);
    if (outline.errorShare) this.#note(content, [parsedInPart(outline.errorShare)]);
    if (outline.gaveUp) this.#note(content, [gaveUpNote(outline.gaveUp, content)]);
    this.#isTimedOut ||= outline.gaveUp === "time";
    this.#isWithoutGrammar ||= outline.gaveUp === "crash";
    this.#declarations += outline.declarations.length;
    this.#references += outline.references.length;
  }

  #key({ path: at, blob }: Content): string {
    return fileKey(this.options.context.repo, at, blob);
  }
}

/** Such as `parsed in part: the grammar made no sense of 2 % of the text`. */
function parsedInPart(share: number): string {
  const percent = share * 100;
  const shown = percent < 0.1 ? "less than 0.1" : percent < 10 ? percent.toFixed(1) : Math.round(percent);
  return `parsed in part: the grammar made no sense of ${shown} % of the text`;
}

/** What a file entry says of declarations that are missing. */
function gaveUpNote(why: NonNullable<Outline["gaveUp"]>, { container }: Content): string {
  if (why === "crash" && container !== "")
    return "without declarations: reading the whole with grammars ended the process";
  return GAVE_UP[why];
}

const GAVE_UP: Readonly<Record<NonNullable<Outline["gaveUp"]>, string>> = {
  steps: "declarations may be missing: parsing it is too much work for its size",
  time: "declarations may be missing: parsing took too long; the next run tries again",
  length: "without declarations: longer than 2 M characters, read as windows of lines",
  depth: "without declarations: nested deeper than its grammar bears, read as windows of lines",
  crash: "without declarations: its grammar crashes on it (nested too deep?), read as windows of lines",
  minified: "without declarations: its lines are too long for people (minified), read as windows of lines",
};

const NO_RECORDS: FileRecords = { reader: "", datasets: [], note: "" };

/** The records of what has no text: a database, the tables of a workbook. */
async function binaryRecords({ records, bytes }: Content): Promise<FileRecords> {
  const format = records === "dataset" ? binaryFormat(bytes) : undefined;
  return format ? readBinaryRecords(format, bytes) : NO_RECORDS;
}

function textToRead(filePath: string, language: Language, text: string): TextToRead {
  const positions = new Positions(text);
  return { path: filePath, language, positions, isMinified: isMinified(text, positions.lines) };
}

function plainText(filePath: string, text: string): TextToRead {
  return textToRead(filePath, languageNamed("text")!, text);
}

/** One window over all there is, so that a file without text is found by its name and type too. */
function wholeWindow(filePath: string, signature: string, text: string): Declaration {
  const name = path.posix.basename(filePath);
  const end = text.trimEnd().length;
  return { kind: "window", name, qualifiedName: filePath, signature, docstring: "", start: 0, end };
}

function symbolsOf(outline: Outline): string[] {
  const named = outline.declarations.filter(({ kind }) => kind !== "window");
  return [...new Set(named.map(({ name }) => name))];
}
