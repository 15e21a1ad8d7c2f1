/**
 * Where words begin and end, as Java's `BreakIterator.getWordInstance` cuts them (the rules of JDK `BreakIteratorRules`): dashes,
 * periods and quotes inside of words join them, so `x.y.z-more` is one; runs of white space are one piece, and so are runs of
 * one Japanese script; any other character is a piece of its own.
 */
const KANJI = "\\u3005\\u4e00-\\u9fa5\\uf900-\\ufa2d";
const KATAKANA = "\\u30a1-\\u30fa\\u30fd\\u30fe";
const HIRAGANA = "\\u3041-\\u3094\\u309d\\u309e";
/** Marks that go with either kana. */
const KANA_MARKS = "\\u3099-\\u309c\\u30fb\\u30fc";
/** Marks and format characters belong to what stands before them. */
const IGNORED = "[\\p{Mn}\\p{Me}\\p{Cf}]*";

const LETTER = `(?:(?![${KANJI}${KATAKANA}${HIRAGANA}${KANA_MARKS}])\\p{L}${IGNORED})`;
const DIGIT = `(?:\\p{N}${IGNORED})`;
const IN_WORD = `(?:[\\p{Pd}\\p{Pc}\\u00ad\\u2027"'.]${IGNORED})`;
const IN_NUMBER = `(?:["',\\u066b.]${IGNORED})`;
const BEFORE_NUMBER = `(?:(?!\\u00a2)[\\p{Sc}#.]${IGNORED})`;
const AFTER_NUMBER = `(?:[\\u00a2%&\\u2030\\u2031]${IGNORED})`;

const WORD = `(?:${LETTER}+(?:${IN_WORD}${LETTER}+)*[\\u0964\\u0965]?)`;
const NUMBER = `(?:${DIGIT}+(?:${IN_NUMBER}${DIGIT}+)*)`;
const REST = `(?:${NUMBER}${WORD})*(?:${NUMBER}${AFTER_NUMBER}?)?`;
const SPACES = "[\\p{Zs}\\t]*\\r?[\\n\\f\\u2028\\u2029]?";

const PIECE = [
  `${WORD}${REST}`,
  `(?=${DIGIT})${REST}`,
  `${BEFORE_NUMBER}${REST}`,
  `(?=[\\p{Zs}\\t\\r\\n\\f\\u2028\\u2029])${SPACES}`,
  `[${KATAKANA}${KANA_MARKS}]+${IGNORED}`,
  `[${HIRAGANA}${KANA_MARKS}]+${IGNORED}`,
  `[${KANJI}]+${IGNORED}`,
  `.${IGNORED}`,
].join("|");

/** Made when it is first needed: to compile it takes as long as to start a thread. */
let pieces: RegExp | undefined;

/** Offsets where pieces begin, and the end. */
export function* wordBoundaries(text: string): Generator<number> {
  pieces ??= new RegExp(PIECE, "suy");
  let at = 0;
  while (at < text.length) {
    yield at;
    // Others may have used it since.
    pieces.lastIndex = at;
    const piece = pieces.exec(text)?.[0].length ?? 0;
    at += Math.max(1, piece);
  }
  yield text.length;
}
