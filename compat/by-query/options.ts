/** What requests by query and reindexing have in common. */
import { oneOf } from "../body/shape.js";
import { illegalArgument, validationFailed } from "../errors.js";
import type { Parameters } from "../http/parameters.js";

/** How documents are worked off. */
export interface CopyOptions {
  readonly conflicts: "abort" | "proceed";
  /** Infinity: all. */
  readonly maxDocs: number;
  readonly pageSize: number;
  readonly refresh: "true" | "false";
  readonly slices: number | "auto";
  /** Infinity: as fast as it goes. */
  readonly requestsPerSecond: number;
}

const DEFAULT_PAGE = 1_000;
const LARGEST_PAGE = 10_000;
const MOST_SLICES = 1_024;

/** What a body says of them. */
export interface CopyBody {
  readonly conflicts?: string;
  readonly max_docs?: number;
}

/** Reads the parameters and what the body says. Throws ApiError 400. */
export function copyOptions(parameters: Parameters, body: CopyBody, pageSize?: number): CopyOptions {
  const size = pageSize ?? parameters.integer("scroll_size") ?? DEFAULT_PAGE;
  checkPageSize(size);
  const slices = readSlices(parameters.text("slices"));
  const maxDocs = readMaxDocs(parameters, body);
  if (maxDocs < (slices === "auto" ? 1 : slices)) throw illegalArgument("[max_docs] should be >= [slices]");
  return {
    conflicts: oneOf(
      body.conflicts ?? parameters.text("conflicts") ?? "abort",
      ["abort", "proceed"] as const,
      "[conflicts]",
    ),
    maxDocs,
    pageSize: size,
    refresh: parameters.boolean("refresh", false) ? "true" : "false",
    slices,
    requestsPerSecond: readPace(parameters) ?? Number.POSITIVE_INFINITY,
  };
}

function readMaxDocs(parameters: Parameters, { max_docs }: CopyBody): number {
  const named = parameters.integer("max_docs");
  if (named !== undefined && max_docs !== undefined && named !== max_docs) {
    throw illegalArgument(`[max_docs] set to two different values [${named}] and [${max_docs}]`);
  }
  const wanted = named ?? max_docs;
  if (wanted === undefined) return Number.POSITIVE_INFINITY;
  // -1 is how Elasticsearch notes that nothing was asked; asked for in so many words it is refused like all below zero.
  if (wanted < 0) throw illegalArgument(`[max_docs] parameter cannot be negative, found [${wanted}]`);
  return wanted;
}

function checkPageSize(size: number): void {
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  if (size === 0) throw validationFailed("[size] cannot be [0] in a scroll context");
  if (size <= LARGEST_PAGE) return;
  throw illegalArgument(
    `Batch size is too large, size must be less than or equal to: [${LARGEST_PAGE}] but was [${size}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
  );
}

function readSlices(text: string | undefined): number | "auto" {
  if (text === undefined) return 1;
  if (text === "auto") return "auto";
  const slices = Number(text);
  if (!/^[-+]?\d+$/.test(text) || slices < 1) {
    throw illegalArgument(`[slices] must be a positive integer or the string "auto", but was [${text}]`);
  }
  if (slices > MOST_SLICES) throw illegalArgument(`[slices] must be at most ${MOST_SLICES}, was [${slices}]`);
  return slices;
}

/** Requests per second, Infinity for -1; undefined where the request says nothing. Throws ApiError 400. */
export function readPace(parameters: Parameters): number | undefined {
  const text = parameters.text("requests_per_second");
  if (text === undefined) return undefined;
  const pace = parameters.number("requests_per_second") ?? Number.NaN;
  if (pace === -1) return Number.POSITIVE_INFINITY;
  if (pace > 0) return pace;
  throw illegalArgument("[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.");
}
