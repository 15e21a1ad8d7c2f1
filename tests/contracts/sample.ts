/** A request whose answer is judged by a declared type. */

/** Answers so far, by the label of their sample. */
// biome-ignore lint/suspicious/noExplicitAny: samples name the properties that they use
export type Answers = Readonly<Record<string, any>>;

export interface Sample {
  /** The specification's name of the endpoint. */
  readonly name: string;
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly path: string | ((answers: Answers) => string);
  /** A list is sent line by line. */
  readonly body?: object | readonly object[] | ((answers: Answers) => object);
  /** The declared type, if it is not that of the endpoint's response. */
  readonly type?: string;
  /** Status that is right, if it is not one below 400. */
  readonly status?: number;
  /** Under which the answer is kept for later samples. */
  readonly label?: string;
}

/** `indices.get_alias` answers with an `IndicesGetAliasResponse`. */
export function declaredType({ name, type }: Sample): string {
  if (type !== undefined) return type;
  return `${name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Response`;
}
