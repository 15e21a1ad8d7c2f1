/**
 * Classes of code points for word breaking: the Word_Break property of UAX #29, refined as Lucene's
 * StandardTokenizerImpl.jflex does. JavaScript knows no Word_Break property, so the classes are built from the properties
 * that define it (UAX #29, table 3).
 */
export const WordClass = {
  other: 1,
  letter: 2,
  hebrew: 3,
  hangul: 4,
  number: 5,
  katakana: 6,
  /** Joins like `_`. */
  connector: 7,
  midLetter: 8,
  midNumber: 9,
  /** Between letters or digits: `.` and its kin, `'`. */
  midBoth: 10,
  singleQuote: 11,
  doubleQuote: 12,
  /** Combining marks and format characters: belong to what stands before them. */
  extend: 13,
  han: 14,
  hiragana: 15,
  southeastAsian: 16,
  pictograph: 17,
  regionalIndicator: 18,
} as const;

const SOUTHEAST_ASIAN = ["Thai", "Lao", "Khmer", "Myanmar", "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Ahom"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Tried in order; the first that matches gives the class. */
const CLASSES: readonly [RegExp, number][] = [
  [/^'$/, WordClass.singleQuote],
  [/^"$/, WordClass.doubleQuote],
  [/^[:\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a]$/u, WordClass.midLetter],
  [/^[.\u2018\u2019\u2024\ufe52\uff07\uff0e]$/u, WordClass.midBoth],
  [/^[,;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b]$/u, WordClass.midNumber],
  [/^[\p{Pc}\u202f]$/u, WordClass.connector],
  [/^\p{Regional_Indicator}$/u, WordClass.regionalIndicator],
  [/^\u200b$/, WordClass.other],
  [/^[\p{M}\p{Cf}\u{ff9e}\u{ff9f}\p{Emoji_Modifier}]$/u, WordClass.extend],
  [/^\p{Nd}$/u, WordClass.number],
  [/^[\p{Script=Katakana}\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]$/u, WordClass.katakana],
  // Iteration marks are letters to Unicode 12, which Lucene's scanner was made from.
  [/^[\u3005\u303b]$/, WordClass.letter],
  [/^\p{Script=Han}$/u, WordClass.han],
  [/^\p{Script=Hiragana}$/u, WordClass.hiragana],
  [new RegExp(`^[${SOUTHEAST_ASIAN}]$`, "u"), WordClass.southeastAsian],
  [/^(?=\p{Script=Hebrew})\p{Lo}$/u, WordClass.hebrew],
  [/^(?=\p{Script=Hangul})\p{Alphabetic}$/u, WordClass.hangul],
  [/^[\p{Alphabetic}\u02c2-\u02c5\u02d2-\u02d7\u02de\u02df\u02ed\u02ef-\u02ff]$/u, WordClass.letter],
  [/^\p{Extended_Pictographic}$/u, WordClass.pictograph],
];

const known = new Uint8Array(0x110000);

/** The WordClass of a code point; found once, then remembered. */
export function wordClass(codePoint: number): number {
  const found = known[codePoint];
  if (found !== 0) return found;
  const char = String.fromCodePoint(codePoint);
  const made = CLASSES.find(([pattern]) => pattern.test(char))?.[1] ?? WordClass.other;
  known[codePoint] = made;
  return made;
}
