/** A place in a query string, and the faults found there. */
import { ApiError } from "../../errors.js";

/** Deepest parentheses. */
const MAX_DEPTH = 100;

export class QueryCursor {
  at = 0;
  #depth = 0;

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** The character here; empty at the end. */
  get char(): string {
    return this.text[this.at] ?? "";
  }

  /** Whether a text stands here. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Goes past a text if it stands here. */
  skip(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  skipSpace(): void {
    while (!this.done && isSpace(this.char)) this.at++;
  }

  /** What an expression matches here, gone past; undefined: nothing. The expression must be sticky. */
  match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found === undefined || found === "") return undefined;
    this.at += found.length;
    return found;
  }

  /** Reads what is in parentheses. */
  within<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.wrong(`more than ${MAX_DEPTH} parentheses in each other`);
    const value = read();
    this.#depth--;
    return value;
  }

  /** 400, in Elasticsearch's words. */
  wrong(why: string): ApiError {
    const reason = `Failed to parse query [${this.text}]`;
    const cause = { type: "parse_exception", reason: `Cannot parse '${this.text}': ${why} at column ${this.at}` };
    return new ApiError(400, "query_shard_exception", reason, { causedBy: cause });
  }
}

/** What Lucene's grammars take for white space. */
export function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r" || char === "\u3000";
}

/** A text without its escapes: `\` before a character, or `\uXXXX`. */
export function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, char: string) =>
    hex === undefined ? char : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
