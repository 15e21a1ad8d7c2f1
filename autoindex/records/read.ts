import { type FieldPlan, planFields, type RecordValue } from "./fields.js";
import { readJsonLines, readJsonList } from "./json.js";
import { readTable } from "./table.js";

/** A file that is a list of records. */
export interface DataSet extends FieldPlan {
  records: RecordValue[];
}

const READERS: Readonly<Record<string, (text: string) => RecordValue[] | undefined>> = {
  json: (text) => readJsonList(text) ?? readJsonLines(text),
  jsonl: readJsonLines,
  csv: (text) => readTable(text, ","),
  tsv: (text) => readTable(text, "\t"),
};

/** The records of a text in one of the record languages; nothing when it is not really a list of records. */
export function readRecords(language: string, text: string): DataSet | undefined {
  const records = READERS[language]?.(text);
  if (!records || records.length === 0) return undefined;
  const plan = planFields(records);
  return plan && plan.fields.length > 0 ? { records, ...plan } : undefined;
}
