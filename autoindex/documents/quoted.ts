/** Texts that stand in JSON as they are: names and paths nearly always do. */
const PLAIN = /^[\w $()*+,\-./:;<=>[\]]*$/;

/** A text as JSON, what `JSON.stringify` gives. Several times as fast for names. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
