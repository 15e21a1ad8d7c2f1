/** Texts that stand in JSON as they are, printable ASCII but for quotes and backslashes: names and paths nearly always do. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A text as JSON, what `JSON.stringify` gives. Several times as fast for names. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
