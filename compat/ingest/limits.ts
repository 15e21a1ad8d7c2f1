/** What one document may cost while it goes through pipelines, which can double it with every step. */
import type { WriteOperation } from "../../engine/index.js";
import { ApiError, illegalArgument } from "../errors.js";
import { MAX_DEPTH } from "../json/parse.js";
import { isValueObject, type Value } from "./document/values.js";

/** Processors that one document may go through, each round of a `foreach` and each skipped one counted. */
export const MAX_STEPS = 100_000;

/** Estimated bytes that a document may come to where nobody says otherwise: the usual limit of a request's body. */
export const DEFAULT_DOCUMENT_BYTES = 100 * 1024 * 1024;

/** Bytes of a list or an object beside its members, and of what is no text. */
const CONTAINER = 48;
const SCALAR = 8;

/** Bytes of a text or a key beside its characters. */
export const TEXT = 16;

/** A document used up its steps. Nobody may take care of it (`on_failure`, `ignore_failure`): that would take more. */
export class StepsSpent extends ApiError {
  constructor() {
    super(
      400,
      "illegal_argument_exception",
      `the pipelines of this document run more than [${MAX_STEPS}] processors, which Pinakes does not do for one document`,
    );
  }
}

/** 400: a document would come to more than its limit. */
export function tooLarge(limit: number): ApiError {
  return illegalArgument(`the pipelines of this document would make it larger than [${limit}] bytes`);
}

/** Throws ApiError 400 where a text that is being made has more characters than a document may have bytes. */
export function checkLength(length: number, limit: number): void {
  if (length > limit) throw tooLarge(limit);
}

/**
 * About how many bytes a value takes; stops counting beyond `enough`. `depth`: of the value in its document, whose own is 1.
 * Throws ApiError 400 for what is nested deeper than a document may be that is read.
 */
export function estimatedBytes(value: Value, enough: number, depth = 1): number {
  if (typeof value === "string") return TEXT + value.length;
  if (!Array.isArray(value) && !isValueObject(value)) return SCALAR;
  if (depth > MAX_DEPTH) {
    throw illegalArgument(`Document nesting depth (${depth}) exceeds the maximum allowed (${MAX_DEPTH})`);
  }
  let bytes = CONTAINER;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += estimatedBytes(item, enough - bytes, depth + 1);
      if (bytes > enough) return bytes;
    }
    return bytes;
  }
  for (const key in value) {
    bytes += TEXT + key.length + estimatedBytes(value[key], enough - bytes, depth + 1);
    if (bytes > enough) return bytes;
  }
  return bytes;
}

/** Watches how a document grows: whatever was put into it is added up, and counted anew when that comes to the limit. */
export class Growth {
  #added = 0;

  constructor(
    /** Bytes. */
    readonly limit: number,
  ) {}

  /** Before values go into a document of these parts. Throws ApiError 400 where it would be too large or deep with them. */
  add(values: readonly Value[], depth: number, parts: readonly Value[]): void {
    const more = sum(values, this.limit, depth);
    this.#added += more;
    if (this.#added <= this.limit) return;
    this.#added = more + sum(parts, this.limit, 1);
    if (this.#added <= this.limit) return;
    // What is refused does not get in; the next value is measured against what is there.
    this.#added -= more;
    throw tooLarge(this.limit);
  }
}

function sum(values: readonly Value[], enough: number, depth: number): number {
  let bytes = 0;
  for (const value of values) {
    bytes += estimatedBytes(value, enough, depth);
    if (bytes > enough) break;
  }
  return bytes;
}

/** JavaScript's own refusals, of a text too long or values too deep, as a 400; any other error as it is. */
export function asRefusal(error: unknown): unknown {
  return error instanceof RangeError ? illegalArgument(`the document cannot be held: ${error.message}`) : error;
}

/** Watches how all documents of one request or batch grow, which are held until they are written together. */
export class BatchGrowth {
  #bytes = 0;

  constructor(
    /** Bytes that all may grow by. */
    private readonly limit: number,
  ) {}

  /** Throws ApiError 400 where a document grows by more than is left; it is counted only if not. */
  add(before: WriteOperation, after: WriteOperation): void {
    const bytes = this.#bytes + Math.max(0, sourceBytes(after) - sourceBytes(before));
    if (bytes > this.limit) {
      throw illegalArgument(
        `pipelines would make the documents of this request grow by more than [${this.limit}] bytes`,
      );
    }
    this.#bytes = bytes;
  }
}

function sourceBytes(operation: WriteOperation): number {
  if (operation.kind === "index" || operation.kind === "create") return operation.source.length;
  if (operation.kind !== "update") return 0;
  const { doc, upsert } = operation;
  return [doc, upsert].reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : 0), 0);
}
