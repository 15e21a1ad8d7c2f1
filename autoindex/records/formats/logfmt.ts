import { isFieldName } from "../field-name.js";
import { emptyRecord, type RecordValue } from "../record.js";

/** Pairs of a line from which on it is taken for logfmt. */
const MIN_PAIRS = 3;
const PAIR = /([A-Za-z_][\w.@/-]{0,63})=(?:"((?:[^"\\]|\\.)*)"|([^\s"=]*))(?:\s+|$)/y;

/** `time=... level=info msg="..."`: a line that is pairs alone. */
export function readLogfmt(line: string): RecordValue | undefined {
  const record = emptyRecord();
  let pairs = 0;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < line.length) {
    const match = PAIR.exec(line);
    if (!match) return undefined;
    const name = match[1]!.replaceAll(".", "_");
    if (!isFieldName(name)) return undefined;
    const value =
      match[2] === undefined
        ? match[3]!
        : match[2].replace(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char === "t" ? "\t" : char));
    if (value !== "") record[name] = value;
    pairs++;
  }
  return pairs >= MIN_PAIRS ? record : undefined;
}
