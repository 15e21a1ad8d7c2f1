/**
 * Lines that are met while documents are looked for: unpacking text is most of what a search of lines takes, so it is not done a
 * second time for the hits. What is not remembered is read when it is shown.
 */
import { LineRanges } from "../../regex/index.js";
import type { FieldLines, MatchingLine, MatchingLinesOptions, SearchRequest } from "../../search.js";
import type { LeafContext, MetLines, PieceLines, ReaderContext } from "../exec/context.js";
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
    if (filters.length === 1) context.met.set(filters[0], new RememberedLines(filters[0], options, shown));
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

/** A document's lines; `lines` is null where they are only counted. */
interface Remembered {
  total: number;
  readonly lines: MatchingLine[] | null;
}

/** Lines of one pattern in one index. */
class RememberedLines implements MetLines {
  readonly #documents = new Map<LeafContext, Map<number, Remembered>>();
  readonly #ranges: LineRanges;
  /** Documents whose lines may still be kept. */
  #left: number;

  constructor(
    filter: LinesFilter,
    readonly options: MatchingLinesOptions,
    shown: number,
  ) {
    this.#ranges = new LineRanges(filter.pattern);
    this.#left = shown;
  }

  get open(): boolean {
    return this.#left > 0 || this.options.totals;
  }

  has(leaf: LeafContext, doc: number): boolean {
    return this.#documents.get(leaf)?.has(doc) === true;
  }

  add(leaf: LeafContext, doc: number, piece: PieceLines): void {
    const { memory, kernels } = leaf.context.environment;
    const { lines } = this.#note(leaf, doc, piece.begins.length);
    const room = lines === null ? 0 : this.options.size - lines.length;
    if (lines === null || room <= 0) return;
    const tools: LineTools = {
      ranges: (text, begin, end) => this.#ranges.of(text, begin, end).map(([from, to]) => [from, to]),
      countFeeds: ({ address }, from, to) => kernels.countFeeds(address + from, to - from),
    };
    const shown = new ShownLines(tools, piece, this.options).first(room);
    memory.charge(bytesOf(shown), "<matching lines>");
    for (const line of shown) lines.push(line);
  }

  /** A document's lines as a hit shows them; undefined: they were not kept. */
  shown(leaf: LeafContext, doc: number): FieldLines | undefined {
    const found = this.#documents.get(leaf)?.get(doc);
    return found === undefined || found.lines === null ? undefined : { total: found.total, lines: found.lines };
  }

  /** How many lines of a document match; undefined: nothing is known of it. */
  total(leaf: LeafContext, doc: number): number | undefined {
    return this.#documents.get(leaf)?.get(doc)?.total;
  }

  #note(leaf: LeafContext, doc: number, count: number): Remembered {
    const documents = this.#documents.get(leaf) ?? new Map<number, Remembered>();
    this.#documents.set(leaf, documents);
    let found = documents.get(doc);
    if (found === undefined) {
      leaf.context.environment.memory.charge(DOCUMENT_BYTES, "<matching lines>");
      found = { total: 0, lines: this.#left > 0 ? [] : null };
      this.#left--;
      documents.set(doc, found);
    }
    found.total += count;
    return found;
  }
}
