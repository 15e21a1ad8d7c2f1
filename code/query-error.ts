/** Characters of the query shown on either side of the trouble. */
const AROUND = 60;

/** A query that cannot be read. */
export class QueryError extends Error {
  /** The 1-based place of the trouble, in characters (code points): what an editor calls a column. */
  readonly column: number;

  /** `place` is 1-based and in UTF-16 units, as texts are read here. */
  constructor(
    readonly reason: string,
    place: number,
    /** The query as it was written. */
    readonly query: string,
  ) {
    const column = [...query.slice(0, place - 1)].length + 1;
    super(`column ${column}: ${reason}`);
    this.name = "QueryError";
    this.column = column;
  }

  /** The query and below it a caret at the trouble, each on a line of its own; a long query is cut. */
  pointed(): string {
    const at = this.column - 1;
    const start = Math.max(0, at - AROUND);
    // Each character stays one, so that the caret stands below it.
    const shown = [...this.query]
      .slice(start, at + AROUND)
      .join("")
      .replace(/\s/g, " ");
    return `${shown}\n${" ".repeat(at - start)}^`;
  }
}
