import { decodeWith } from "./decode-with.js";

/** An encoding of one byte a character for a script that is not Latin. */
export type ScriptEncoding =
  | "koi8-r"
  | "koi8-u"
  | "windows-1251"
  | "iso-8859-5"
  | "ibm866"
  | "windows-1253"
  | "iso-8859-7"
  | "windows-1255"
  | "windows-1256"
  | "iso-8859-6"
  | "windows-874";

/** How texts of a script are made. */
interface Script {
  /** A word: letters of the script alone, small ones but for the first where it has capitals. */
  word: RegExp;
  /** The most frequent letters, and the share of all that they have at least. */
  common: RegExp;
  share: number;
  encodings: readonly ScriptEncoding[];
}

const around = (word: string): RegExp => new RegExp(`(?<![\\w\\u0080-\\uffff])${word}(?![\\w\\u0080-\\uffff])`, "g");

/** One row a script; encodings that are rarer come later. */
const SCRIPTS: readonly Script[] = [
  {
    word: around("[\\u0400-\\u042fҐа-яё\\u0450-\\u045fґ][а-яё\\u0450-\\u045fґ]{1,}"),
    common: /[оеаинті]/g,
    share: 0.3,
    encodings: ["windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "ibm866"],
  },
  {
    word: around("[Ά-Ϋα-ώ][ά-ώ]{1,}"),
    common: /[αοιετσν]/g,
    share: 0.35,
    encodings: ["windows-1253", "iso-8859-7"],
  },
  { word: around("[א-ת\\u05b0-\\u05c2]{2,}"), common: /[יולהמרת]/g, share: 0.35, encodings: ["windows-1255"] },
  {
    word: around("[ء-\\u0652پچژگ]{2,}"),
    common: /[اليمنر]/g,
    share: 0.35,
    encodings: ["windows-1256", "iso-8859-6"],
  },
  { word: around("[ก-ฺเ-๎]{2,}"), common: /[านรกเง่อวย]/g, share: 0.3, encodings: ["windows-874"] },
];

/** Of the characters above ASCII, those in words of the script. */
const WORDS_SHARE = 0.6;

/** An encoding with how well a text reads in it; more is better. */
export interface Guess<E extends string> {
  encoding: E;
  score: number;
}

/**
 * The encodings in which a sample reads as words of their script. Read by another table of the same script, words are
 * capitals or broken; in Western texts a letter above ASCII stands between letters of ASCII.
 */
export function guessScripts(sample: Uint8Array): Guess<ScriptEncoding>[] {
  const guesses = SCRIPTS.flatMap((script) =>
    script.encodings.map((encoding) => ({ encoding, score: scoreOf(sample, encoding, script) })),
  );
  return guesses.filter(({ score }) => score > 0);
}

function scoreOf(sample: Uint8Array, encoding: ScriptEncoding, { word, common, share }: Script): number {
  const text = decodeWith(encoding, sample, "part") ?? "";
  const foreign = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
  const letters = (text.match(word) ?? []).join("");
  if (foreign === 0 || letters.length < foreign * WORDS_SHARE) return 0;
  const frequent = letters.match(common)?.length ?? 0;
  if (frequent < letters.length * share) return 0;
  return (letters.length / foreign) * (0.5 + frequent / letters.length / 2);
}
