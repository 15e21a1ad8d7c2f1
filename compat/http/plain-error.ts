/** An error whose `error` member is a plain string, as Elasticsearch answers wrong content types and methods. */
export class PlainError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly withStatus = true,
  ) {
    super(message);
    this.name = "PlainError";
  }
}
