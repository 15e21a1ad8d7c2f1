import type { Deadline } from "../limits.js";
import { readXml } from "../xml.js";

/** Built-in number formats that show a date or a time (ECMA-376 part 1, 18.8.30). */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const DAY_MS = 86_400_000;
/** Day 0 of either way of counting; 1900 was no leap year, but spreadsheets count its 29th of February. */
const DAY_ZERO = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;

/** Styles of cells whose numbers are dates, by their place in a workbook's table of styles. */
export function dateStyles(source: string | undefined, deadline: Deadline): Set<number> {
  const custom = new Map<number, boolean>();
  const styles = new Set<number>();
  let isCells = false;
  let index = 0;
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      const id = Number(attributes.numFmtId);
      if (name === "numFmt") custom.set(id, isDateFormat(attributes.formatCode ?? ""));
      else if (name === "cellXfs") isCells = true;
      else if (name === "xf" && isCells) {
        if (custom.get(id) ?? BUILT_IN.has(id)) styles.add(index);
        index++;
      }
    },
    close(name: string) {
      if (name === "cellXfs") isCells = false;
    },
  };
  readXml(source ?? "", listener, deadline);
  return styles;
}

/** A format with parts of a date in it, quoted words and colours aside. */
function isDateFormat(format: string): boolean {
  return /[ymdhs]/i.test(format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "").replace(/General/gi, ""));
}

/** A count of days as `2024-05-01` or `2024-05-01 13:30:00`; a time alone as `13:30:00`. */
export function serialDate(days: number, epoch: 1900 | 1904): string {
  const time = new Date(DAY_ZERO[epoch] + Math.round(days * DAY_MS));
  if (!Number.isFinite(days) || Number.isNaN(time.getTime())) return String(days);
  const printed = time.toISOString().slice(0, 19).replace("T", " ");
  if (days >= 0 && days < 1) return printed.slice(11);
  return Number.isInteger(days) ? printed.slice(0, 10) : printed;
}
