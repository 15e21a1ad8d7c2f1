/** How a quote is written inside a text: doubled (the standard), or after a backslash too (MySQL). */
export type Escapes = "doubled" | "backslash";

/** Cells of one row, and characters of one expression that is no plain value. */
const MAX_CELLS = 2000;
const MAX_EXPRESSION = 4000;
const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?(?=[\s,)])/y;
const NOT_A_COLUMN = /^(PRIMARY|FOREIGN|UNIQUE|KEY|INDEX|CONSTRAINT|CHECK|FULLTEXT|SPATIAL|EXCLUDE|LIKE)\b/i;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0", b: "\b", Z: "\x1a" };

/** A place in the text of a dump that only moves on. */
export class SqlScanner {
  at = 0;

  constructor(
    private readonly text: string,
    private readonly escapes: Escapes,
  ) {}

  /** Whether a comma stands next; it is taken. */
  takeComma(): boolean {
    return this.take(",");
  }

  /** Whether a character stands next after blanks; it is taken. */
  take(char: string): boolean {
    this.#skipBlanks();
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  /** The line that begins here, without its end; nothing at the end of the text. */
  takeLine(): string | undefined {
    if (this.at >= this.text.length) return undefined;
    const feed = this.text.indexOf("\n", this.at);
    const end = feed < 0 ? this.text.length : feed;
    const line = this.text.slice(this.at, end);
    this.at = end + 1;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  /** The next value; null for NULL, nothing where no value can be read. */
  value(): { value: unknown } | undefined {
    this.#skipBlanks();
    const char = this.text[this.at];
    if (char === "'") return this.#quoted();
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(this.text)?.[0];
    if (number !== undefined) {
      this.at += number.length;
      return { value: numberOf(number) };
    }
    return this.#expression();
  }

  /** Names of the columns of `CREATE TABLE (`, whose bracket has been taken. */
  columnNames(): string[] {
    const names: string[] = [];
    let [depth, start] = [1, this.at];
    const cut = (end: number): void => {
      const part = this.text
        .slice(start, Math.min(end, start + 500))
        .replace(/^(\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)+/, "");
      const name = /^(?:`([^`]+)`|"([^"]+)"|\[([^\]]+)\]|([\p{L}\p{M}\p{N}_$]+))/u.exec(part);
      if (name && !NOT_A_COLUMN.test(part)) names.push(name.slice(1).find((each) => each !== undefined)!);
    };
    for (; this.at < this.text.length && depth > 0 && names.length < MAX_CELLS; this.at++) {
      const char = this.text[this.at]!;
      if (char === "'" || char === '"' || char === "`") {
        const close = this.text.indexOf(char, this.at + 1);
        this.at = close < 0 ? this.text.length : close;
      } else if (char === "(") depth++;
      else if (char === ")" && --depth === 0) cut(this.at);
      else if (char === "," && depth === 1) {
        cut(this.at);
        start = this.at + 1;
      }
    }
    return names;
  }

  #quoted(): { value: unknown } | undefined {
    const { text } = this;
    let [value, from] = ["", this.at + 1];
    for (let at = from; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === 92 && this.escapes === "backslash") {
        const next = text[++at] ?? "";
        value += text.slice(from, at - 1) + (ESCAPES[next] ?? next);
        from = at + 1;
      } else if (char === 39 && text.charCodeAt(at + 1) === 39) {
        value += text.slice(from, ++at);
        from = at + 1;
      } else if (char === 39) {
        this.at = at + 1;
        return { value: value + text.slice(from, at) };
      }
    }
    this.at = text.length;
    return undefined;
  }

  /** NULL, a truth value, or what is kept as it is written: `CURRENT_TIMESTAMP`, `0x1F`, `_binary '...'`, a call. */
  #expression(): { value: unknown } | undefined {
    const { text } = this;
    const start = this.at;
    const limit = Math.min(text.length, start + MAX_EXPRESSION);
    let depth = 0;
    for (; this.at < limit; this.at++) {
      const char = text[this.at]!;
      if (char === "'") {
        if (!this.#quoted()) return undefined;
        this.at--;
      } else if (char === "(") depth++;
      else if (char === ")" && depth-- === 0) break;
      else if ((char === "," && depth === 0) || char === ";") break;
    }
    const word = text.slice(start, this.at).trim();
    if (word === "" || this.at >= limit) return undefined;
    if (/^null$/i.test(word)) return { value: null };
    return { value: /^(true|false)$/i.test(word) ? word.toLowerCase() === "true" : word };
  }

  #skipBlanks(): void {
    while (this.at < this.text.length && this.text.charCodeAt(this.at) <= 32) this.at++;
  }
}

/** A number beyond what a double holds stays as it is written. */
function numberOf(text: string): number | string {
  return text.replace(/[^\d]/g, "").length > 16 ? text : Number(text);
}

/** One row in brackets, nothing when it cannot be read. */
export function readTuple(scanner: SqlScanner): unknown[] | undefined {
  if (!scanner.take("(")) return undefined;
  const row: unknown[] = [];
  do {
    const read = scanner.value();
    if (!read || row.length >= MAX_CELLS) return undefined;
    row.push(read.value);
  } while (scanner.takeComma());
  return scanner.take(")") ? row : undefined;
}
