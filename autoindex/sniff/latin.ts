import { createRequire } from "node:module";
import { decodeWith } from "./decode-with.js";

/** The library is loaded when the first text needs it, which most folders have none of. */
const require = createRequire(import.meta.url);

/** An encoding of one byte a character for Latin letters beyond those of Western Europe. */
export type LatinEncoding = "windows-1250" | "iso-8859-2" | "windows-1254" | "windows-1257" | "windows-1258";

const WESTERN = "windows-1252";

/**
 * Letters above ASCII of each language that an encoding is used for. A text is in one language: with the wrong table it
 * has letters that no single language has. Western Europe first, so that it wins where nothing speaks against it.
 */
const ALPHABETS: readonly [encoding: LatinEncoding | typeof WESTERN, letters: readonly string[]][] = [
  [
    WESTERN,
    [
      "äöüß",
      "àâæçéèêëîïôœùûüÿ",
      "áéíñóúü",
      "àáâãçéêíóôõúü",
      "àèéìîòù",
      "åäöé",
      "æøåé",
      "áðéíóúýþæö",
      "ëïéèöüóá",
      "àçèéíïòóúü",
    ],
  ],
  ["windows-1250", ["ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"]],
  ["iso-8859-2", ["ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"]],
  ["windows-1254", ["çğıiöşüâîû"]],
  ["windows-1257", ["ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"]],
  ["windows-1258", ["ăâđêôơưàáèéìíòóùúỳýãõñ\u0300\u0301\u0303\u0309\u0323"]],
];
/** What the library's own confidence (0 to 100) adds at most: it counts triples of letters, which need longer texts. */
const LIBRARY_WEIGHT = 0.6;
/** How much better than Western Europe another reading must be: at least, and more where there are few letters. */
const LEAD = { least: 0.05, perLetter: 0.2 } as const;
/** Of the two tables for Central Europe the one whose bytes are there: only windows-1250 has letters below 0xa0. */
const TABLE_BONUS = 0.02;
/** Letters of the language that must be there. */
const MIN_LETTERS = 2;
/** The encodings that the library's answers stand for: it tells languages, and the table by a few bytes. */
const LIBRARY_NAMES: Readonly<Record<string, readonly string[]>> = {
  "iso-8859-1": [WESTERN],
  "iso-8859-15": [WESTERN],
  "windows-1252": [WESTERN],
  "iso-8859-2": ["windows-1250", "iso-8859-2"],
  "windows-1250": ["windows-1250", "iso-8859-2"],
  "iso-8859-9": ["windows-1254"],
  "windows-1254": ["windows-1254"],
  "iso-8859-13": ["windows-1257"],
  "windows-1257": ["windows-1257"],
  "windows-1258": ["windows-1258"],
};

/** The Latin encoding that a sample reads best in; nothing where that is Western Europe's or nothing tells. */
export function guessLatin(sample: Uint8Array): LatinEncoding | undefined {
  const text = withoutQuotes(sample);
  const confidence = libraryConfidence(text);
  const lead = LEAD.least + LEAD.perLetter / text.filter((byte) => byte >= 0x80).length;
  const likelyTable = text.some((byte) => byte >= 0x80 && byte < 0xa0) ? "windows-1250" : "iso-8859-2";
  let best: { encoding: LatinEncoding | typeof WESTERN; score: number } | undefined;
  for (const [encoding, alphabets] of ALPHABETS) {
    const score = bestScore(
      decodeWith(encoding, text, "part") ?? "",
      alphabets,
      encoding === WESTERN ? 0 : MIN_LETTERS,
    );
    if (score === undefined) continue;
    const bonus = encoding === likelyTable ? TABLE_BONUS : 0;
    const whole = score + ((confidence.get(encoding) ?? 0) / 100) * LIBRARY_WEIGHT + bonus;
    const needed = best === undefined ? 0 : best.score + (best.encoding === WESTERN ? lead : 0.001);
    if (whole > needed) best = { encoding, score: whole };
  }
  return best === undefined || best.encoding === WESTERN ? undefined : best.encoding;
}

/**
 * Without quotation marks like «these», which one of the encodings has letters for: a mark that opens stands before a
 * word, one that closes behind.
 */
function withoutQuotes(sample: Uint8Array): Buffer {
  const bytes = Buffer.from(sample).toString("latin1");
  const plain = bytes.replace(
    /(?<![^\s(])([\xab\xbb])([^\xab\xbb\n]{1,200})([\xab\xbb])(?![\w\x80-\xff])/g,
    (all, open, words, close) => (open === close ? all : words),
  );
  return Buffer.from(plain, "latin1");
}

/** For the language that fits best: of the letters above ASCII, those it has, less twice those it has not. */
function bestScore(text: string, alphabets: readonly string[], least: number): number | undefined {
  const foreign = [...text.matchAll(/[\u0080-\u{10ffff}]/gu)];
  if (foreign.length === 0) return undefined;
  let best: number | undefined;
  for (const alphabet of alphabets) {
    let own = 0;
    let odd = 0;
    for (const { 0: char, index } of foreign) {
      if (isOf(alphabet, char)) own++;
      else odd += oddness(text, char, index);
    }
    if (own < least) continue;
    const score = own + odd === 0 ? 0 : (own - 2 * odd) / (own + odd);
    if (best === undefined || score > best) best = score;
  }
  return best;
}

function isOf(alphabet: string, char: string): boolean {
  return alphabet.includes(char === "İ" ? "i" : char.toLowerCase());
}

/** How much a character that is no letter of the language speaks against it: signs do inside words only. */
function oddness(text: string, char: string, index: number): number {
  if (/[\u0080-\u009f]/.test(char)) return 3;
  if (/[\p{L}\p{M}]/u.test(char)) return 1;
  // In Central Europe's tables these are letters that many words end with.
  if (/[¹¼¾]/.test(char)) return /\p{L}/u.test(text[index - 1] ?? "") ? 1 : 0;
  const isInWord = /\p{L}/u.test(text[index - 1] ?? "") && /\p{L}/u.test(text[index + 1] ?? "");
  return isInWord && !/[\u2019\u2018\u00b7\u2013\u00ad]/.test(char) ? 2 : 0;
}

function libraryConfidence(sample: Uint8Array): Map<string, number> {
  const { analyse } = require("chardet") as typeof import("chardet");
  const found = new Map<string, number>();
  for (const { name, confidence } of analyse(sample)) {
    for (const key of LIBRARY_NAMES[name.toLowerCase()] ?? []) {
      found.set(key, Math.max(confidence, found.get(key) ?? 0));
    }
  }
  return found;
}
