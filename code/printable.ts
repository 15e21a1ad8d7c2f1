const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * What a terminal obeys, or shows as nothing: control characters and line separators; marks that reorder what stands
 * around them; characters without a width. Joiners are left where writing needs them: behind Arabic letters, signs of
 * Indic scripts and pictures.
 */
const CONTROL = new RegExp(
  [
    "[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]",
    "[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
    "[\\u180e\\u200b\\u2060-\\u2065\\ufeff]",
    "(?<![\\p{M}\\p{Script=Arabic}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\u200c\\u200d]",
  ].join("|"),
  "gu",
);

/**
 * A text on one line that no terminal obeys: what would be obeyed or not be seen is written as `\\n`, `\\x1b`, `\\u202e`.
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

/** What printable makes. */
const SHOWN = /\\(?:[nrt]|x[01][\da-f]|x7f|x[89][\da-f]|u061c|u180e|u200[b-f]|u202[89a-e]|u206[0-9]|ufeff)/g;

/** What printable made, led back to the text: for names that somebody copied out of an answer. */
export function fromPrintable(shown: string): string {
  return shown.replace(SHOWN, (escaped) => {
    const named = Object.keys(NAMED).find((character) => NAMED[character] === escaped);
    return named ?? String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
  });
}
