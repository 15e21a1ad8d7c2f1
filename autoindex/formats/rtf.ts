import type { Deadline } from "./limits.js";
import type { Reader } from "./reader.js";
import type { TextBuilder } from "./text-builder.js";

/** Groups that hold no text of the document (RTF specification 1.9.1, destinations). */
const UNREAD = new Set(
  (
    "fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore listtable listoverridetable " +
    "rsidtbl generator xmlnstbl fldinst header footer headerl headerr footerl footerr latentstyles revtbl bkmkstart bkmkend"
  ).split(" "),
);
/** Words that stand for characters. */
const CHARACTERS: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  row: "\n",
  cell: "\t",
  tab: "\t",
  emdash: "\u2014",
  endash: "\u2013",
  lquote: "\u2018",
  rquote: "\u2019",
  ldblquote: "\u201c",
  rdblquote: "\u201d",
  bullet: "\u2022",
  emspace: " ",
  enspace: " ",
};
/** A control word with its number, a byte, a symbol, a brace, or a run of text. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi;
/** Code pages (`\\ansicpg`) by the name they have elsewhere. */
const CODE_PAGES: Readonly<Record<number, string>> = { 932: "shift_jis", 936: "gb18030", 949: "euc-kr", 950: "big5" };
const MAX_DEPTH = 1000;
/** Tokens between two looks at the clock. */
const STEP = 10_000;

/** What holds inside one pair of braces. */
interface Group {
  isUnread: boolean;
  /** Characters that stand after `\\u` for readers that know no Unicode. */
  fallback: number;
}

/** Rich Text: its text without the layout; there are no sections. */
export const readRtf: Reader = (bytes, out, deadline) => {
  new RtfText(out, deadline).read(bytes.toString("latin1"));
};

class RtfText {
  #groups: Group[] = [];
  #group: Group = { isUnread: false, fallback: 1 };
  #codePage = "windows-1252";
  /** Bytes of a code page that wait for the rest of their character. */
  #bytes: number[] = [];
  /** Characters that are still to be passed over after `\\u`. */
  #skip = 0;

  constructor(
    private readonly out: TextBuilder,
    private readonly deadline: Deadline,
  ) {}

  read(source: string): void {
    let steps = 0;
    for (const [, word, number, byte, symbol, brace, text] of source.matchAll(TOKEN)) {
      if (++steps % STEP === 0) this.deadline.check();
      if (byte !== undefined) this.#byte(Number.parseInt(byte, 16));
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (brace !== undefined) this.#brace(brace);
      else if (text !== undefined) this.#text(text);
    }
    this.#flush();
  }

  #word(word: string, number: number | undefined): void {
    if (word === "u" && number !== undefined) this.#unicode(number);
    else if (word === "uc") this.#group.fallback = Math.max(0, number ?? 1);
    else if (word === "ansicpg") this.#codePage = codePageName(number ?? 1252);
    else if (UNREAD.has(word)) this.#group.isUnread = true;
    else if (Object.hasOwn(CHARACTERS, word)) this.#text(CHARACTERS[word]);
  }

  #unicode(number: number): void {
    this.#flush();
    this.#write(String.fromCharCode(number & 0xffff));
    this.#skip = this.#group.fallback;
  }

  #symbol(symbol: string): void {
    // `\\*` begins a group that a reader may leave out if it does not know it.
    if (symbol === "*") this.#group.isUnread = true;
    else if (symbol === "~") this.#text(" ");
    else if (symbol === "_") this.#text("-");
    else if (symbol === "\n" || symbol === "\r") this.#text("\n");
    else if ("{}\\".includes(symbol)) this.#text(symbol);
  }

  #brace(brace: string): void {
    this.#flush();
    this.#skip = 0;
    if (brace === "{") {
      if (this.#groups.length < MAX_DEPTH) this.#groups.push(this.#group);
      this.#group = { ...this.#group };
    } else this.#group = this.#groups.pop() ?? this.#group;
  }

  #byte(byte: number): void {
    if (this.#skip > 0) this.#skip--;
    else this.#bytes.push(byte);
  }

  #text(text: string): void {
    this.#flush();
    const passed = Math.min(this.#skip, text.length);
    this.#skip -= passed;
    this.#write(text.slice(passed));
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Uint8Array.from(this.#bytes);
    this.#bytes = [];
    this.#write(new TextDecoder(this.#codePage).decode(bytes));
  }

  #write(text: string): void {
    if (!this.#group.isUnread) this.out.add(text);
  }
}

function codePageName(number: number): string {
  const name = CODE_PAGES[number] ?? `windows-${number}`;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    // A code page that nobody has a table for.
    return "windows-1252";
  }
}
