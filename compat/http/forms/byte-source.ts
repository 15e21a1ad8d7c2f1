/** Reads the bytes of a binary format from a request. What ends too early, or says lengths beyond the end, is a 400. */
import { isUtf8 } from "node:buffer";
import { ApiError } from "../../errors.js";
import { MAX_DEPTH } from "../../json/parse.js";

/** 400 for a body that is not what its content type says. */
export function notReadable(form: string, problem: string): ApiError {
  return new ApiError(400, "json_parse_exception", `the body is no valid ${form}: ${problem}`);
}

export class ByteSource {
  #at = 0;
  #depth = 0;

  /** `form`: the format's name, for errors. */
  constructor(
    readonly bytes: Buffer,
    readonly form: string,
  ) {}

  get done(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.bytes.length - this.#at;
  }

  /** The next byte without taking it; -1 at the end. */
  peek(): number {
    return this.done ? -1 : this.bytes[this.#at];
  }

  byte(): number {
    return this.take(1)[0];
  }

  /** A view of the next bytes. */
  take(count: number): Buffer {
    if (count > this.left) throw this.wrong("it ends too early");
    this.#at += count;
    return this.bytes.subarray(this.#at - count, this.#at);
  }

  /** Big-endian, 1 to 6 bytes. */
  unsigned(bytes: number): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  /** Bytes up to and without an end mark, which is taken too. */
  until(mark: number): Buffer {
    const end = this.bytes.indexOf(mark, this.#at);
    if (end === -1) throw this.wrong("a text without an end");
    const text = this.bytes.subarray(this.#at, end);
    this.#at = end + 1;
    return text;
  }

  /** The JSON string of UTF-8 bytes. */
  text(bytes: Buffer): string {
    if (!isUtf8(bytes)) throw this.wrong("a text that is no UTF-8");
    return JSON.stringify(bytes.toString("utf8"));
  }

  /** Reads what lies one level deeper. */
  within<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      throw this.wrong(`its nesting exceeds the maximum allowed (${MAX_DEPTH})`);
    }
    const value = read();
    this.#depth--;
    return value;
  }

  wrong(problem: string): ApiError {
    return notReadable(this.form, `${problem}, at byte ${this.#at}`);
  }
}

/** A number as JSON, integers apart: what JSON lacks is refused. */
export function numberText(source: ByteSource, value: number, print: (value: number) => string): string {
  if (Number.isFinite(value)) return print(value);
  throw source.wrong(`[${value}] is no number of JSON`);
}
