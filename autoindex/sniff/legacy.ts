import { decodeWith } from "./decode-with.js";
import { guessLatin, type LatinEncoding } from "./latin.js";
import { type Guess, guessScripts, type ScriptEncoding } from "./scripts.js";

type DoubleByteEncoding = "shift_jis" | "euc-jp" | "gb18030" | "big5" | "euc-kr";

/** An encoding from before UTF-8 that is told by the letters its texts are made of. */
export type LegacyEncoding = DoubleByteEncoding | ScriptEncoding | LatinEncoding;

/** Bytes that the guess is made from. */
const SAMPLE = 256 * 1024;
/** Bytes that a guess among Latin encodings is made from. */
const LATIN_SAMPLE = 16 * 1024;
/** Common letters that a text must hold at least. */
const MIN_COMMON = 2;

/** The most frequent characters of the languages, with those that comments in code are full of. */
const SIMPLIFIED =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运文件输入输出返回参数函数类型注释默认值测试错误";
const TRADITIONAL =
  "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運檔案輸入輸出返回參數函數類型註釋預設值測試錯誤";
const HANGUL =
  "이다는에을가의하고지로한기사도리어를은인자시서나해대일라정스으그들있게부수아보상전과제주만면여장구안위조니소경것공비우동성원유적연되문세계요생할트마신관했발개거호입실용드중터치력영분양선국물오물방속때모없내말습무간체함결파식단설명반환값변호출처테류검색록목글저님음름";

/** Whether a character is one of the language's common ones. */
type IsCommon = (char: string) => boolean;

const among = (letters: string): IsCommon => {
  const set = new Set(letters);
  return (char) => set.has(char);
};
const isKana: IsCommon = (char) => /[\u3041-\u3096\u30a1-\u30fa\u30fc、。「」・]/.test(char);

/** Two-byte encodings, each with its common characters and the share of them that a text must have. */
const WIDE: readonly { encoding: DoubleByteEncoding; isCommon: IsCommon; share: number }[] = [
  { encoding: "shift_jis", isCommon: isKana, share: 0.25 },
  { encoding: "euc-jp", isCommon: isKana, share: 0.25 },
  { encoding: "gb18030", isCommon: among(SIMPLIFIED), share: 0.2 },
  { encoding: "big5", isCommon: among(TRADITIONAL), share: 0.2 },
  { encoding: "euc-kr", isCommon: among(HANGUL), share: 0.25 },
];
/** A text with the encoding it was read by. */
export interface LegacyText {
  text: string;
  encoding: LegacyEncoding;
}

/**
 * The text of bytes that are no UTF-8, if they are valid in one of the encodings and then read like a text of its
 * language: bytes read by a wrong table give rare characters. Nothing when none is convincing (Western texts).
 */
export function decodeLegacy(bytes: Uint8Array): LegacyText | undefined {
  const sample = sampleOf(bytes);
  const guesses = [...WIDE.map((row) => scoreWide(sample, row)), ...guessScripts(sample)];
  const convincing = guesses.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const latin = convincing.length > 0 ? undefined : guessLatin(linesAboveAscii(sample));
  for (const encoding of [...convincing.map((guess) => guess.encoding), ...(latin ? [latin] : [])]) {
    const text = decodeWith(encoding, bytes, "whole");
    if (text !== undefined) return { text, encoding };
  }
  return undefined;
}

/** The lines with a byte above ASCII: those of code alone say nothing of the language. */
function linesAboveAscii(sample: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let start = 0; start < sample.length && length < LATIN_SAMPLE; ) {
    const feed = sample.indexOf(0x0a, start);
    const line = sample.subarray(start, feed < 0 ? sample.length : feed + 1);
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line.subarray(0, LATIN_SAMPLE));
      length += line.length;
    }
    start += line.length;
  }
  return Buffer.concat(lines);
}

/** From the first line with a byte above ASCII on. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = bytes.subarray(0, Math.max(first, 0)).lastIndexOf(0x0a) + 1;
  return bytes.subarray(start, start + SAMPLE);
}

function scoreWide(sample: Uint8Array, { encoding, isCommon, share }: (typeof WIDE)[number]): Guess<LegacyEncoding> {
  const text = decodeWith(encoding, sample, "part") ?? "";
  let foreign = 0;
  let common = 0;
  for (const char of text) {
    if (char < "\u0080") continue;
    foreign++;
    if (isCommon(char)) common++;
  }
  const score = foreign === 0 ? 0 : common / foreign;
  return { encoding, score: common >= MIN_COMMON && score >= share ? score : 0 };
}
