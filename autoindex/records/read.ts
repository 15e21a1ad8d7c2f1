import type { DatasetField } from "../../code/index.js";
import { BOUNDS } from "./bounds.js";
import { jsonShape, readJson, readJsonLines } from "./formats/json.js";
import { readLog } from "./formats/logs.js";
import { readSqlDump } from "./formats/sql.js";
import type { Belief } from "./formats/table.js";
import { none, type Reading, type RecordList } from "./record.js";
import { planFields } from "./schema/plan.js";

/** A list of records of a file, with what is known of its fields. */
export interface DataSet extends RecordList {
  fields: DatasetField[];
  properties: Record<string, unknown>;
}

/** What a file holds as records: its data sets, or why it has none. */
export interface FileRecords {
  /** What read it: `table`, `json lines`, `access log`; empty when nothing did. */
  reader: string;
  datasets: DataSet[];
  /** Why there are none, or what was left out; empty when there is nothing to say. */
  note: string;
}

const NOTHING: FileRecords = { reader: "", datasets: [], note: "" };

/** What reads a text, with its name where that follows from the text. */
type TextReader = (text: string) => { reading: Reading; reader?: string };

/** A reader, whose code is loaded when it is first needed: each process starts without those of formats it never meets. */
interface Attempt {
  reader: string;
  load(text: string): Promise<TextReader>;
}

const plain =
  (read: (text: string) => Reading): TextReader =>
  (text) => ({ reading: read(text) });

const NO_XML = none("it does not begin like XML");

function beginsLikeXml(text: string): boolean {
  return /^\s*\ufeff?\s*<[?!a-z_]/i.test(text.slice(0, 1000));
}

const JSON_ATTEMPT: Attempt = {
  reader: "json",
  load: async () => (text) => ({ reading: readJson(text), reader: jsonShape(text) }),
};
const LINES_ATTEMPT: Attempt = { reader: "json lines", load: async () => plain(readJsonLines) };
const LOG_ATTEMPT: Attempt = { reader: "log", load: async () => readLog };
const SQL_ATTEMPT: Attempt = { reader: "sql dump", load: async () => plain(readSqlDump) };
const TABLE_ATTEMPT: Attempt = { reader: "table", load: () => loadTable("named") };
const LOOSE_TABLE_ATTEMPT: Attempt = { reader: "table", load: () => loadTable("unnamed") };
const XML_ATTEMPT: Attempt = {
  reader: "xml",
  load: async (text) => plain(beginsLikeXml(text) ? (await import("./formats/xml.js")).readXml : () => NO_XML),
};
const HTML_ATTEMPT: Attempt = {
  reader: "html tables",
  load: async () => plain((await import("./formats/html-tables.js")).readHtmlTables),
};
const YAML_ATTEMPT: Attempt = {
  reader: "yaml",
  load: async () => plain((await import("./formats/yaml.js")).readYaml),
};

async function loadTable(belief: Belief): Promise<TextReader> {
  const { readTable } = await import("./formats/table.js");
  return plain((text) => readTable(text, belief));
}

/**
 * What is tried on a text by the language of its name, in this order; the content decides. Languages that are not here
 * (code, prose in Markdown and the like) are never lists of records, whatever their lines look like: a Markdown list of
 * `- Key: value` lines is valid YAML.
 */
const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  csv: [JSON_ATTEMPT, TABLE_ATTEMPT],
  html: [HTML_ATTEMPT],
  json: [JSON_ATTEMPT, LOOSE_TABLE_ATTEMPT],
  jsonl: [LINES_ATTEMPT, JSON_ATTEMPT],
  sql: [SQL_ATTEMPT],
  text: [JSON_ATTEMPT, XML_ATTEMPT, LOG_ATTEMPT, LOOSE_TABLE_ATTEMPT],
  tsv: [JSON_ATTEMPT, TABLE_ATTEMPT],
  xml: [XML_ATTEMPT],
  yaml: [YAML_ATTEMPT],
};

/** Beginnings of texts without a telling name. */
const DUMP =
  /^(\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/;?)*(-- (MySQL|MariaDB|PostgreSQL) |PRAGMA foreign_keys|BEGIN TRANSACTION;|INSERT INTO |CREATE TABLE |COPY \S+ )/is;

/** The records of a text; a data set is a list of which every record fits one mapping. */
export async function readRecords(language: string, text: string): Promise<FileRecords> {
  const attempts = language === "text" && DUMP.test(text.slice(0, 4096)) ? [SQL_ATTEMPT] : ATTEMPTS[language];
  if (!attempts || text.trim() === "") return NOTHING;
  const reasons: string[] = [];
  for (const each of attempts) {
    const { reading, reader = each.reader } = guarded(await each.load(text), text);
    const found = finishReading(reading, reader);
    if (found.datasets.length > 0) return found;
    reasons.push(`${each.reader}: ${found.note}`);
  }
  // Of a text without a telling name nobody expects records, so that it is none needs no reason.
  return { ...NOTHING, note: language === "text" ? "" : reasons.join("; ") };
}

/** A reader that throws has met what it cannot read; the file is read as text. */
function guarded(read: TextReader, text: string): { reading: Reading; reader?: string } {
  try {
    return read(text);
  } catch (error) {
    return { reading: { whyNot: `it cannot be read: ${error instanceof Error ? error.message : String(error)}` } };
  }
}

/** Looks at all values of each list; lists that are no data set are told of. */
export function finishReading(reading: Reading, reader: string): FileRecords {
  if ("whyNot" in reading) return { ...NOTHING, note: reading.whyNot };
  const datasets: DataSet[] = [];
  const notes: string[] = [];
  for (const list of reading.lists) {
    const about = list.part === "" ? "" : `${list.part}: `;
    const plan = planFields(list.records);
    if ("whyNot" in plan) notes.push(`${about}${plan.whyNot}`);
    else if (Object.keys(plan.properties).length === 0) notes.push(`${about}its records have no values`);
    else if (datasets.length >= BOUNDS.lists)
      notes.push(`${about}left out, since a file becomes ${BOUNDS.lists} data sets at most`);
    else datasets.push({ ...list, ...plan, notes: [...list.notes, ...plan.notes] });
  }
  const told = datasets.flatMap(({ part, notes: own }) => own.map((note) => (part === "" ? note : `${part}: ${note}`)));
  return { reader: datasets.length > 0 ? reader : "", datasets, note: shorten([...notes, ...told]) };
}

const MAX_NOTE = 1000;

function shorten(notes: string[]): string {
  const text = notes.join("; ");
  return text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE)}…` : text;
}
