/** Letters that decomposition does not take apart but ASCIIFoldingFilter spells in ASCII. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  ǽ: "ae",
  Ǽ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ǿ: "o",
  Ǿ: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ł: "l",
  Ł: "L",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  ĸ: "q",
  ŋ: "n",
  Ŋ: "N",
  ŧ: "t",
  Ŧ: "T",
  ƒ: "f",
  ƀ: "b",
  ɨ: "i",
  ə: "a",
  Ə: "A",
  "‘": "'",
  "’": "'",
  "‚": "'",
  "‛": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "⁄": "/",
  "…": "...",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the class is ASCII
const BEYOND_ASCII = /[^\x00-\x7f]/u;

/** Letters with marks, ligatures and typographic signs as plain ASCII where there is a usual spelling (Lucene's ASCIIFoldingFilter). */
export function foldToAscii(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  let out = "";
  for (const char of text) out += foldChar(char);
  return out;
}

function foldChar(char: string): string {
  if (char.charCodeAt(0) < 0x80) return char;
  const spelled = SPELLED[char];
  if (spelled !== undefined) return spelled;
  const bare = char.normalize("NFKD").replace(/\p{M}/gu, "");
  return bare !== "" && !BEYOND_ASCII.test(bare) ? bare : char;
}
