/**
 * Lines that are met while documents are looked for: unpacking text is most of what a search of lines takes, so it is not done a
 * second time for the hits. What is not remembered is read when it is shown.
 */
import { type FieldLines, LinePacker } from "../../packed-lines.js";
import { LineRanges } from "../../regex/index.js";
import type { MatchingLinesOptions, SearchRequest } from "../../search.js";
import type { LeafContext, MetLines, PieceLines, ReaderContext, SearchEnvironment } from "../exec/context.js";
import type { LinesFilter, Plan } from "../exec/plan.js";
import { positiveLines } from "./positive-lines.js";
import { bytesOf, type LineTools, ShownLines } from "./shown-lines.js";

/** What is held of a document beside its lines. */
const DOCUMENT_BYTES = 100;

/**
 * Makes a search remember what its answer will need: the lines of the first documents, which the page shows unless it is ordered
 * otherwise, and how many lines all have where that is asked. Fields with several patterns are left out.
 */
export function rememberLines(context: ReaderContext, plan: Plan, request: SearchRequest): void {
  const options = request.matchingLines;
  if (options === undefined) return;
  const shown = options.before + options.after === 0 && inDocumentOrder(request) ? request.from + request.size : 0;
  if (!options.totals && (shown === 0 || request.size === 0)) return;
  for (const filters of positiveLines(plan).values()) {
    if (filters.length === 1)
      context.met.set(filters[0], new RememberedLines(filters[0], options, shown, context.environment));
  }
}

/** What is remembered for the filters about one field. */
export function rememberedLines({ met }: ReaderContext, filters: readonly LinesFilter[]): RememberedLines | undefined {
  const found = filters.length === 1 ? met.get(filters[0]) : undefined;
  return found instanceof RememberedLines ? found : undefined;
}

/** Whether hits come as documents do, as far as is known beforehand: all may have the same score. */
function inDocumentOrder({ sort, searchAfter }: SearchRequest): boolean {
  const [first] = sort;
  const byScore = first === undefined || (first.field === "_score" && first.order === "desc");
  return searchAfter === undefined && (byScore || (first.field === "_doc" && first.order === "asc"));
}

/** A document's lines. */
interface Remembered {
  readonly field: FieldLines;
  /** "counted": how many they are is all that is known. */
  readonly as: "shown" | "counted";
}

/** Lines of one pattern in one index. */
class RememberedLines implements MetLines {
  readonly #documents = new Map<LeafContext, Map<number, Remembered>>();
  readonly #tools: LineTools;
  /** Documents whose lines may still be kept. */
  #left: number;
  /** What was charged of the packer's memory. */
  #charged = 0;

  constructor(
    filter: LinesFilter,
    readonly options: MatchingLinesOptions,
    shown: number,
    { kernels }: SearchEnvironment,
  ) {
    let ranges: LineRanges | null = null;
    this.#tools = {
      packer: new LinePacker(),
      options,
      ranges: (text, begin, end) => {
        ranges ??= new LineRanges(filter.pattern); // most searches find nothing
        return ranges.of(text, begin, end);
      },
      countFeeds: ({ address }, from, to) => kernels.countFeeds(address + from, to - from),
    };
    this.#left = shown;
  }

  get open(): boolean {
    return this.#left > 0 || this.options.totals;
  }

  has(leaf: LeafContext, doc: number): boolean {
    return this.#documents.get(leaf)?.has(doc) === true;
  }

  add(leaf: LeafContext, doc: number, piece: PieceLines): void {
    const { field, as } = this.#note(leaf, doc);
    field.total += piece.begins.length;
    const room = as === "counted" ? 0 : this.options.size - field.count;
    if (room <= 0) return;
    // Pieces of a document follow each other, so its lines do in the pack.
    new ShownLines(this.#tools, piece, field).first(room);
    const bytes = bytesOf(this.#tools.packer);
    leaf.context.environment.memory.charge(bytes - this.#charged, "<matching lines>");
    this.#charged = bytes;
  }

  /** A document's lines as a hit shows them; undefined: they were not kept. */
  shown(leaf: LeafContext, doc: number): FieldLines | undefined {
    const found = this.#documents.get(leaf)?.get(doc);
    return found?.as === "shown" ? found.field : undefined;
  }

  /** How many lines of a document match; undefined: nothing is known of it. */
  total(leaf: LeafContext, doc: number): number | undefined {
    return this.#documents.get(leaf)?.get(doc)?.field.total;
  }

  #note(leaf: LeafContext, doc: number): Remembered {
    const documents = this.#documents.get(leaf) ?? new Map<number, Remembered>();
    this.#documents.set(leaf, documents);
    let found = documents.get(doc);
    if (found === undefined) {
      leaf.context.environment.memory.charge(DOCUMENT_BYTES, "<matching lines>");
      found = { field: this.#tools.packer.begin(), as: this.#left > 0 ? "shown" : "counted" };
      this.#left--;
      documents.set(doc, found);
    }
    return found;
  }
}
