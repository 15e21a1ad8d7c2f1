import type { LineRules, Passage } from "../languages/line-rules.js";
import type { Positions } from "./positions.js";

/** Longer lines end no passage. */
const MAX_MARK = 100;

/** Finds the lines of a text that are no code of its own: documentation, texts between marks, what follows the end. */
export class Passages {
  readonly #passages: readonly Passage[];
  /** What ends the passages that were begun, in their order. */
  readonly #ends: { isEnd: (line: string) => boolean; is: Passage["is"] }[] = [];
  #lastLineOf: Map<string, number> | undefined;

  constructor(
    rules: LineRules,
    private readonly positions: Positions,
  ) {
    this.#passages = rules.passages ?? [];
  }

  get isOpen(): boolean {
    return this.#ends.length > 0;
  }

  /** What a line is when it is no code; a line that begins a text between marks is code itself. */
  pass(text: string, line: number): Passage["is"] | undefined {
    const open = this.#ends[0];
    if (open) {
      if (open.isEnd(text)) this.#ends.shift();
      return open.is;
    }
    for (const passage of this.#passages) {
      if (passage.until === "its tag") this.#openTagged(passage, text, line);
      else if (passage.until === "its mark") this.#openMarked(passage, text);
      else if (passage.begins.test(text)) {
        const { until } = passage;
        this.#ends.push({ isEnd: (later) => until !== "the end" && until.test(later), is: passage.is });
        return passage.is;
      }
    }
    return undefined;
  }

  /** Here documents; `<<` is one only where a later line is the tag alone. */
  #openTagged({ begins, is }: Passage, text: string, line: number): void {
    for (const found of text.matchAll(begins)) {
      const tag = found.groups?.tag ?? found.groups?.quoted ?? "";
      if (tag === "" || (this.#lastLines().get(tag) ?? 0) <= line) continue;
      this.#ends.push({ isEnd: (later) => later.trim() === tag, is });
    }
  }

  /** A mark that opens and closes: an odd number of it in a line leaves a text open. */
  #openMarked({ begins, is }: Passage, text: string): void {
    const marks = text.match(begins) ?? [];
    const last = marks.at(-1);
    if (last === undefined || marks.length % 2 === 0) return;
    this.#ends.push({ isEnd: (later) => later.includes(last), is });
  }

  #lastLines(): Map<string, number> {
    if (this.#lastLineOf) return this.#lastLineOf;
    this.#lastLineOf = new Map();
    for (let line = 1; line <= this.positions.lines; line++) {
      const start = this.positions.lineStarts[line - 1]!;
      const end = this.positions.endOfLine(line);
      if (end - start < MAX_MARK) this.#lastLineOf.set(this.positions.text.slice(start, end).trim(), line);
    }
    return this.#lastLineOf;
  }
}
