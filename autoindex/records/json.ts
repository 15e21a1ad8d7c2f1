import type { RecordValue } from "./fields.js";

/** A JSON array of objects; nothing for anything else (a single object is configuration, not a data set). */
export function readJsonList(text: string): RecordValue[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  const value = parse(text);
  return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

/** One JSON object a line, blank lines aside; at least two, so that a one-line configuration file is not taken for it. */
export function readJsonLines(text: string): RecordValue[] | undefined {
  const records: RecordValue[] = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const value = trimmed.startsWith("{") ? parse(trimmed) : undefined;
    if (!isRecord(value)) return undefined;
    records.push(value);
  }
  return records.length >= 2 ? records : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: the caller reads the text as text.
    return undefined;
  }
}

function isRecord(value: unknown): value is RecordValue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
