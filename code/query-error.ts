/** Characters of the query shown on either side of the trouble. */
const AROUND = 60;

/** A query that cannot be read; `column` is the 1-based place of the trouble, in UTF-16 units. */
export class QueryError extends Error {
  constructor(
    readonly reason: string,
    readonly column: number,
    /** The query as it was written. */
    readonly query: string,
  ) {
    super(`column ${column}: ${reason}`);
    this.name = "QueryError";
  }

  /** The query and below it a caret at the trouble, each on a line of its own; a long query is cut. */
  pointed(): string {
    const at = this.column - 1;
    const start = Math.max(0, at - AROUND);
    // Each character stays one, so that the caret stands below it.
    const shown = this.query.slice(start, at + AROUND).replace(/\s/g, " ");
    return `${shown}\n${" ".repeat(at - start)}^`;
  }
}
