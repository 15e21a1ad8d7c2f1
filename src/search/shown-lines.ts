/** A line to be printed. */
export interface ShownLine {
  /** 1-based number in the file. */
  line: number;
  text: string;
  /** What matched, in UTF-8 bytes of the line. */
  ranges: readonly (readonly [number, number])[];
  /** Bytes of a long line that are left out. */
  cutBytes: number;
  isContext: boolean;
}

/** Lines of a text, and the number of its first. */
export interface NumberedText {
  lines: readonly string[];
  firstLine: number;
}

/** The lines with those around them, each once and in order. */
export function withContext(
  found: readonly ShownLine[],
  text: NumberedText,
  { before, after }: { before: number; after: number },
): ShownLine[] {
  if (before + after === 0) return [...found];
  const byNumber = new Map(found.map((line) => [line.line, line]));
  for (const { line } of found) {
    for (let number = line - before; number <= line + after; number++) {
      const content = text.lines[number - text.firstLine];
      if (content === undefined || byNumber.has(number)) continue;
      const shown = content.replace(/\r$/, "");
      byNumber.set(number, { line: number, text: shown, ranges: [], cutBytes: 0, isContext: true });
    }
  }
  return [...byNumber.values()].sort((a, b) => a.line - b.line);
}
