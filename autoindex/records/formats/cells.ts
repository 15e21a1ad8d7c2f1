/** What a column's cells are, and how one becomes a value; nothing for a cell that says that there is no value. */
export interface Column {
  kind: "text" | "number" | "boolean";
  convert(cell: string): unknown;
  note?: string;
}

/** A leading zero makes it a code. */
const PLAIN = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/;
const EXPONENT = /^-?\d(\.\d{1,15})?[eE][-+]?\d{1,3}$/;
const COMMA_DECIMAL = /^-?(\d{1,3}(\.\d{3}){1,4}|0|[1-9]\d{0,11})(,\d{1,12})?$/;
const COMMA_GROUPS = /^-?\d{1,3}(,\d{3}){0,4}(\.\d{1,12})?$/;

/** Up to this length every number prints back to the digits that stood there; longer ones are tried. */
const SURE_LENGTH = 16;
const isPlain = (cell: string): boolean =>
  PLAIN.test(cell) ? cell.length <= SURE_LENGTH || String(Number(cell)) === cell : EXPONENT.test(cell);
const readDecimalComma = (cell: string): number => Number(cell.replaceAll(".", "").replace(",", "."));
const readGroups = (cell: string): number => Number(cell.replaceAll(",", ""));

/** Cells that say that there is no value, in a column whose other cells are numbers or truth values. */
const MISSING: ReadonlySet<string> = new Set(["NULL", "null", "NA", "N/A", "n/a", "NaN", "nan", "None", "\\N", "-"]);

const TEXT: Column = { kind: "text", convert: (cell) => cell };
const BOOLEAN: Column = {
  kind: "boolean",
  convert: (cell) => (MISSING.has(cell) ? undefined : cell.toLowerCase() === "true"),
};

/** Finds out what a column is, cell by cell. */
export class ColumnGuess {
  #isNumber = true;
  #isBoolean = true;
  #count = 0;

  /** False when it is text and no further cell can change that. */
  add(cell: string): boolean {
    if (MISSING.has(cell)) return true;
    this.#count++;
    this.#isNumber &&= isPlain(cell);
    this.#isBoolean &&= cell.length <= 5 && /^(true|false)$/i.test(cell);
    return this.#isNumber || this.#isBoolean;
  }

  column(): Column {
    if (this.#count === 0 || !(this.#isNumber || this.#isBoolean)) return TEXT;
    return this.#isNumber ? numbers(Number) : BOOLEAN;
  }
}

/** Numbers and truth values only where the whole column is. */
export function typeColumn(rows: readonly string[][], at: number, delimiter: string): Column {
  const guess = new ColumnGuess();
  for (const cell of cellsOf(rows, at)) {
    if (!guess.add(cell)) return typeLocal(() => cellsOf(rows, at), delimiter);
  }
  return guess.column();
}

/** Whether a column is more than text. */
export function isTyped({ kind }: Column): boolean {
  return kind !== "text";
}

/**
 * Numbers as people of a country write them. `1,234` alone could be either; so one value at least must say which: a part
 * after the decimal mark that is not three digits long, or two groups.
 */
function typeLocal(values: () => Iterable<string>, delimiter: string): Column {
  let [isComma, isGroups] = [true, true];
  let [provesComma, provesGroups] = [false, delimiter === ","];
  for (const cell of values()) {
    if (MISSING.has(cell)) continue;
    isComma &&= COMMA_DECIMAL.test(cell);
    isGroups &&= COMMA_GROUPS.test(cell);
    if (!isComma && !isGroups) return TEXT;
    provesComma ||= /,(\d{1,2}|\d{4,})$|\.\d{3},/.test(cell);
    provesGroups ||= /,\d{3}[,.]/.test(cell);
  }
  if (isComma && provesComma) {
    return numbers(readDecimalComma, "numbers with a decimal comma");
  }
  if (isGroups && provesGroups) {
    return numbers(readGroups, "numbers with commas between thousands");
  }
  return TEXT;
}

function numbers(read: (cell: string) => number, note?: string): Column {
  return { kind: "number", convert: (cell) => (MISSING.has(cell) ? undefined : read(cell)), ...(note && { note }) };
}

function* cellsOf(rows: readonly string[][], at: number): Generator<string> {
  for (const row of rows) {
    const cell = row[at];
    if (cell !== undefined && cell !== "") yield cell;
  }
}
