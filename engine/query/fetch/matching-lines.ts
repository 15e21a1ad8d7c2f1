/** The lines of a hit, as they are shown: those that were met when it was found, else read now. */
import { type FieldLines, LinePacker } from "../../packed-lines.js";
import type { MatchingLinesOptions } from "../../search.js";
import type { LeafContext } from "../exec/context.js";
import type { LinesFilter, Plan } from "../exec/plan.js";
import { positiveLines } from "../lines/positive-lines.js";
import { rememberedLines } from "../lines/remembered-lines.js";
import { bytesOf, type LineTools, ShownLines } from "../lines/shown-lines.js";
import { LinesReader } from "../lines/value-lines.js";

/** What is held of a field beside its lines. */
const FIELD_BYTES = 100;

/** Shows lines of documents of one index. Holds memory: `close` it. */
export class LinesFetcher {
  readonly #fields: ReadonlyMap<string, readonly LinesFilter[]>;
  readonly #readers = new Map<string, LinesReader>();
  readonly #packer = new LinePacker();

  constructor(
    plan: Plan,
    readonly options: MatchingLinesOptions,
  ) {
    this.#fields = positiveLines(plan);
  }

  /** Lines of each field that the query asks for. */
  fetch(leaf: LeafContext, doc: number): Record<string, FieldLines> {
    const fields: Record<string, FieldLines> = {};
    for (const [asked, filters] of this.#fields) {
      const met = rememberedLines(leaf.context, filters)?.shown(leaf, doc);
      fields[asked] = met ?? this.#read(this.#reader(leaf, asked, filters), leaf, doc);
    }
    return fields;
  }

  /** How many lines of all the fields match. */
  count(leaf: LeafContext, doc: number): number {
    let lines = 0;
    for (const [asked, filters] of this.#fields) {
      const met = rememberedLines(leaf.context, filters)?.total(leaf, doc);
      if (met !== undefined) lines += met;
      else for (const piece of this.#reader(leaf, asked, filters).lines(leaf, doc)) lines += piece.begins.length;
    }
    return lines;
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.close();
  }

  #reader({ context }: LeafContext, asked: string, filters: readonly LinesFilter[]): LinesReader {
    let reader = this.#readers.get(asked);
    if (reader === undefined) {
      const readAs = this.options.before + this.options.after > 0 ? "values" : "pieces";
      reader = new LinesReader(context.environment, filters, readAs);
      this.#readers.set(asked, reader);
    }
    return reader;
  }

  #read(reader: LinesReader, leaf: LeafContext, doc: number): FieldLines {
    const { options } = this;
    const tools: LineTools = {
      packer: this.#packer,
      options,
      ranges: (text, begin, end) => reader.ranges(text, begin, end),
      countFeeds: (piece, from, to) => reader.countFeeds(piece, from, to),
    };
    const field = this.#packer.begin();
    const before = bytesOf(this.#packer);
    let left = options.size;
    for (const piece of reader.lines(leaf, doc)) {
      field.total += piece.begins.length;
      if (left > 0 && piece.begins.length > 0) new ShownLines(tools, piece, field).first(left);
      left -= Math.min(left, piece.begins.length);
    }
    leaf.context.environment.memory.charge(FIELD_BYTES + bytesOf(this.#packer) - before, "<matching lines>");
    return field;
  }
}
