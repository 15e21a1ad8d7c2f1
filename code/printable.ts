const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * A text on one line that no terminal obeys: control characters and line separators as `\\n`, `\\x1b`, `\\u2028`.
 * File names may hold any of them. `keep` are characters to leave alone.
 */
export function printable(text: string, keep = ""): string {
  return text.replace(CONTROL, (character) => (keep.includes(character) ? character : escapeOf(character)));
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return NAMED[character] ?? (code < 256 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
}

/** What printable made, led back to the text: for names that somebody copied out of an answer. */
export function fromPrintable(shown: string): string {
  return shown.replace(/\\(?:[nrt]|x[01][\da-f]|x7f|x[89][\da-f]|u202[89])/g, (escaped) => {
    const named = Object.keys(NAMED).find((character) => NAMED[character] === escaped);
    return named ?? String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
  });
}
