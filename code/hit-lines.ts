/** Lines that patterns found in a hit, as `ext.matching_lines` gives them. */

/** One line, or one around it. */
export interface PatternLine {
  /** 1-based, in the text that was searched. */
  line: number;
  /** UTF-8 offset of the line in that text. */
  byte: number;
  /** Without its end; the beginning or a piece of a long line. */
  text: string;
  /** UTF-8 bytes from the whole line's beginning of every match; none on a line of context. */
  ranges: readonly (readonly [number, number])[];
  /** Bytes of a long line that are left out. */
  cutBytes: number;
}

/** The lines given, and how many there are in all. */
export interface HitLines {
  total: number;
  lines: PatternLine[];
}

/** Reads what a hit says of one field; nothing where no pattern was asked for there. */
export function parseLines(given: unknown, field: string): HitLines {
  const found = (given as Record<string, Partial<HitLines>> | undefined)?.[field];
  if (found === undefined || !Array.isArray(found.lines)) return { total: 0, lines: [] };
  return { total: Number(found.total ?? 0), lines: (found.lines as unknown as WireLine[]).map(lineOf) };
}

interface WireLine {
  line: number;
  byte: number;
  text: string;
  ranges?: [number, number][];
  cut_bytes?: number;
}

function lineOf({ line, byte, text, ranges = [], cut_bytes: cutBytes = 0 }: WireLine): PatternLine {
  return { line, byte, text, ranges, cutBytes };
}

/** The texts that patterns matched, each once, in order; of lines that were cut only what can be seen. */
export function matchedTexts({ lines }: HitLines, most: number): string[] {
  const texts = lines.flatMap(({ text, ranges, cutBytes }) => {
    if (cutBytes > 0) return [];
    const bytes = Buffer.from(text, "utf8");
    return ranges.map(([start, end]) => bytes.subarray(start, end).toString("utf8"));
  });
  return [...new Set(texts)].filter((text) => text.trim() !== "").slice(0, most);
}
