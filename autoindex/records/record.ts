/** A record: a JSON object as it was parsed, or a table's row by its header. */
export type RecordValue = { [field: string]: unknown };

/** One list of records of a file. */
export interface RecordList {
  /** Table, sheet or key that it is called by in the file; empty when the file is one list. */
  part: string;
  records: RecordValue[];
  /** The records as JSON on one line each, where printing the parsed value would lose something (digits). */
  sources?: string[];
  /** What of it was not read, and how its values were taken: sentences. */
  notes: string[];
}

/** What a reader makes of a text: lists of records, or the reason why it is none of its kind. */
export type Reading = { lists: RecordList[] } | { whyNot: string };

/** A reading that failed. */
export function none(whyNot: string): Reading {
  return { whyNot };
}

/** A reading of one list that has no name. */
export function oneList(records: RecordValue[], notes: string[] = [], sources?: string[]): Reading {
  return { lists: [{ part: "", records, notes, ...(sources && { sources }) }] };
}

/**
 * A record to be filled by names that are field names: `__proto__` is none, and any other name (`constructor`) becomes the
 * record's own. An object without a prototype would be some ten times slower to fill.
 */
export function emptyRecord(): RecordValue {
  return {};
}

/** Whether a parsed value is an object with fields. */
export function isRecord(value: unknown): value is RecordValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
