/**
 * RE2's syntax of regular expressions (its page "Syntax"), flags of Perl included, `\C` excluded. One addition, from Rust's `regex`:
 * the flag `u`, on by default, says whether `\d \w \s \b` are Unicode's or, after `(?-u)`, ASCII's.
 */
import { foldRanges } from "./fold.js";
import { PatternReader } from "./pattern-reader.js";
import { LAST_CODE_POINT, mergeRanges, negateRanges, type Ranges } from "./ranges.js";
import { concat, EMPTY, type Look, literal, type Node, or } from "./syntax.js";
import { widthOf } from "./width.js";

/** Brackets inside of each other. */
const MAX_DEPTH = 500;
/** Characters that may be looked at ahead or behind. */
const MAX_AROUND = 255;
/** A counted repeat's largest number. */
const MAX_REPEAT = 1000;
/** Characters that a group of nothing but flags may take: all of them, switched on and off again. */
const MAX_FLAGS = 20;
const LINE_FEED = 0x0a;
const LINE_FEEDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
];

/** How a pattern begins; flags inside of it change that. */
export interface ParseOptions {
  readonly caseInsensitive: boolean;
  /** Whether `\d \w \s \b` are Unicode's or ASCII's. */
  readonly classes: "unicode" | "ascii";
  /** "lines": `^` and `$` are about lines; "text": about the whole text, unless the flag m says otherwise. */
  readonly anchors: "lines" | "text";
  /** Whether a match may hold a line feed; where not, one that is written out is refused. */
  readonly lineFeeds: "allowed" | "refused";
  /** Groups and looks around are wanted; absent, groups only hold together and looking around is refused. */
  readonly groups?: GroupOptions;
}

/** How a pattern is parsed whose groups are wanted. */
export interface GroupOptions {
  /** Ruby's (Oniguruma's) `(?m)` lets the dot match line feeds; elsewhere that is `(?s)`. */
  readonly dialect: "java" | "ruby";
  /** Filled while parsing: the names of groups by their number, 0 the whole match. */
  readonly names: (string | undefined)[];
}

/** What the brackets of a group mean. */
type GroupHead =
  | { readonly kind: "plain" }
  | { readonly kind: "capture"; readonly name: string | undefined }
  | { readonly kind: "around"; readonly where: "ahead" | "behind"; readonly wanted: boolean };

const PLAIN: GroupHead = { kind: "plain" };

interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
  U: boolean;
  u: boolean;
}

/** Parses a pattern. Throws `invalid_value` naming the column (from 1, in characters) and the reason. */
export function parsePattern(pattern: string, options: ParseOptions): Node {
  const parser = new Parser(pattern, options);
  return parser.whole();
}

class Parser {
  readonly #reader: PatternReader;
  readonly #names = new Set<string>();
  #flags: Flags;
  #depth = 0;

  constructor(
    pattern: string,
    readonly options: ParseOptions,
  ) {
    this.#reader = new PatternReader(pattern);
    this.#flags = {
      i: options.caseInsensitive,
      m: options.anchors === "lines",
      s: false,
      U: false,
      u: options.classes === "unicode",
    };
  }

  whole(): Node {
    const node = this.#alternation();
    if (this.#reader.more) throw this.#reader.error("there is no ( for this )");
    return node;
  }

  readonly #fold = (ranges: Ranges): Ranges => (this.#flags.i ? foldRanges(mergeRanges(ranges)) : mergeRanges(ranges));

  #alternation(): Node {
    const parts = [this.#sequence()];
    while (this.#reader.take("|")) parts.push(this.#sequence());
    return or(parts);
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#reader.more && !this.#reader.sees("|") && !this.#reader.sees(")")) parts.push(this.#repetition());
    return concat(parts);
  }

  #repetition(): Node {
    const start = this.#reader.at;
    const bare = this.#repeatBounds();
    if (bare !== null) throw this.#reader.error("there is nothing before this to repeat", start);
    if (this.#reader.sees("(?") && this.#flagsOnly()) return EMPTY;
    const of = this.#atom();
    const bounds = this.#repeatBounds();
    if (bounds === null) return of;
    const greedy = this.#reader.take("?") === this.#flags.U;
    // A possessive repeat gives nothing back to find another match; here it is a greedy one: whatever it finds, this finds.
    if (this.options.groups !== undefined && greedy) this.#reader.take("+");
    const again = this.#reader.at;
    if (this.#repeatBounds() !== null) throw this.#reader.error("a repeat of a repeat wants brackets", again);
    return { kind: "repeat", of, ...bounds, greedy };
  }

  /** `* + ? {n,m}`; null (and the place as it was) where there is none. */
  #repeatBounds(): { min: number; max: number } | null {
    const reader = this.#reader;
    if (reader.take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (reader.take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (reader.take("?")) return { min: 0, max: 1 };
    if (!reader.sees("{")) return null;
    const start = reader.at;
    reader.at++;
    const [whole, from, comma, to] = /^(\d+)(?:(,)(\d*))?$/.exec(reader.until("}") ?? "") ?? [];
    if (whole === undefined) {
      // As in RE2: what does not read as a count is a brace like any other character.
      reader.at = start;
      return null;
    }
    const min = Number(from);
    const max = comma === undefined ? min : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    if (min > MAX_REPEAT || (max > MAX_REPEAT && to !== "")) {
      throw reader.error(`a repeat may count to ${MAX_REPEAT}, {${whole}} goes further`, start);
    }
    if (min > max) throw reader.error(`the repeat {${whole}} ends before it begins`, start);
    return { min, max };
  }

  #atom(): Node {
    const reader = this.#reader;
    if (reader.sees("(")) return this.#group();
    if (reader.sees("[")) return this.#brackets();
    if (reader.take("."))
      return this.#set(this.#flags.s ? [[0, LAST_CODE_POINT]] : negateRanges([[LINE_FEED, LINE_FEED]]));
    if (reader.take("^")) return this.#look(this.#flags.m ? "line_begin" : "text_begin");
    if (reader.take("$")) return this.#flags.m ? this.#look("line_end") : this.#end();
    if (reader.sees("\\")) return this.#escape();
    return this.#character(reader.next().codePointAt(0) as number, reader.at - 1);
  }

  #set(ranges: Ranges): Node {
    return { kind: "set", ranges };
  }

  #look(look: Look): Node {
    return { kind: "look", look };
  }

  /** The end of a text; where groups are wanted, as in Java, also before a line break that ends it. */
  #end(): Node {
    if (this.options.groups === undefined) return this.#look("text_end");
    const feed: Node = { kind: "set", ranges: LINE_FEEDS };
    const breaks = or([literal("\r\n", mergeRanges), feed]);
    const optional: Node = { kind: "repeat", of: breaks, min: 0, max: 1, greedy: true };
    const of = concat([optional, this.#look("text_end")]);
    return { kind: "mark", mark: { kind: "around", where: "ahead", wanted: true, of } };
  }

  #character(code: number, at: number): Node {
    if (code === LINE_FEED && this.options.lineFeeds === "refused") {
      throw this.#reader.error("a line has no \\n in it: set multiline to match over lines", at);
    }
    return this.#set(this.#fold([[code, code]]));
  }

  #escape(): Node {
    const reader = this.#reader;
    const start = reader.at;
    const ranges = reader.classEscape(this.#flags.u ? "unicode" : "ascii", this.#fold);
    if (ranges !== null) return this.#set(ranges);
    reader.at++;
    if (reader.take("A")) return this.#look("text_begin");
    if (reader.take("z")) return this.#look("text_end");
    if (this.options.groups !== undefined && reader.take("Z")) return this.#end();
    if (reader.take("b")) return this.#look(this.#flags.u ? "word_boundary" : "ascii_word_boundary");
    if (reader.take("B")) return this.#look(this.#flags.u ? "no_word_boundary" : "no_ascii_word_boundary");
    if (reader.take("Q")) return this.#quoted(start);
    if (reader.sees("C")) throw reader.error("\\C (any byte) is not supported", start);
    return this.#character(reader.escapedCharacter(), start);
  }

  /** `\Q...\E`, or to the end. */
  #quoted(start: number): Node {
    const reader = this.#reader;
    let text = "";
    while (reader.more && !reader.take("\\E")) text += reader.next();
    if (text.includes("\n")) this.#character(LINE_FEED, start);
    return literal(text, this.#fold);
  }

  #group(): Node {
    const reader = this.#reader;
    const start = reader.at;
    const before = { ...this.#flags };
    reader.at++;
    const head = reader.sees("?") ? this.#groupHead(start) : ({ kind: "capture", name: undefined } as const);
    const number = head.kind === "capture" ? this.#groupNumber(head.name) : 0;
    if (++this.#depth > MAX_DEPTH) throw reader.error(`more than ${MAX_DEPTH} brackets inside of each other`, start);
    const inner = this.#alternation();
    this.#depth--;
    if (!reader.take(")")) throw reader.error("there is no ) for the ( that opens", start);
    this.#flags = before;
    if (this.options.groups === undefined || head.kind === "plain") return inner;
    if (head.kind === "capture") return concat([this.#save(2 * number), inner, this.#save(2 * number + 1)]);
    if (widthOf(inner).max > MAX_AROUND) {
      const reason = `looking ahead or behind further than ${MAX_AROUND} characters is not supported: no bound on its time is known`;
      throw reader.error(reason, start);
    }
    return { kind: "mark", mark: { ...head, of: inner } };
  }

  #save(slot: number): Node {
    return { kind: "mark", mark: { kind: "save", slot } };
  }

  #groupNumber(name: string | undefined): number {
    const names = this.options.groups?.names;
    return names === undefined ? 0 : names.push(name) - 1;
  }

  /** What follows `(`: `?:`, `?P<name>`, `?<name>`, `?flags:`. */
  #groupHead(start: number): GroupHead {
    const reader = this.#reader;
    if (this.options.groups !== undefined) {
      const around = /^\?(<?)([=!])/.exec(reader.ahead(3));
      if (around !== null) {
        reader.at += around[0].length;
        return { kind: "around", where: around[1] === "" ? "ahead" : "behind", wanted: around[2] === "=" };
      }
      // An atomic group keeps the first way it matched; here it is a plain one: whatever it finds, this finds.
      if (reader.take("?>")) return PLAIN;
    }
    if (/^\?<?[=!]/.test(`${reader.peek()}${reader.peek(1)}${reader.peek(2)}`)) {
      throw reader.error("looking ahead or behind is not supported: no bound on its time is known", start);
    }
    if (reader.take("?P<") || reader.take("?<")) {
      const name = reader.until(">");
      if (name === null || !/^\w+$/.test(name))
        throw reader.error("a group's name is made of letters, digits and _", start);
      if (this.#names.has(name)) throw reader.error(`two groups are called [${name}]`, start);
      this.#names.add(name);
      return { kind: "capture", name };
    }
    reader.at++;
    this.#readFlags();
    if (!reader.take(":")) throw reader.error("flags are followed by : or )");
    return PLAIN;
  }

  /** `(?i)`: flags for the rest of the group. The place is as it was where it is none. */
  #flagsOnly(): boolean {
    const start = this.#reader.at;
    const closing = /^\(\?[a-zA-Z-]*\)/.exec(this.#reader.ahead(MAX_FLAGS));
    if (closing === null) return false;
    this.#reader.at = start + 2;
    this.#readFlags();
    this.#reader.at++;
    return true;
  }

  #readFlags(): void {
    const reader = this.#reader;
    let value = true;
    while (reader.more && !reader.sees(":") && !reader.sees(")")) {
      const given = reader.next();
      const flag = given === "m" && this.options.groups?.dialect === "ruby" ? "s" : given;
      if (flag === "-" && value) value = false;
      else if (Object.hasOwn(this.#flags, flag)) this.#flags[flag as keyof Flags] = value;
      else throw reader.error(`there is no flag [${flag}]: i, m, s, U and u are known`, reader.at - 1);
    }
    if (!value && reader.peek(-1) === "-") throw reader.error("a flag is missing", reader.at);
  }

  #brackets(): Node {
    const reader = this.#reader;
    const start = reader.at;
    reader.at++;
    const negated = reader.take("^");
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || !reader.sees("]"); first = false) {
      if (!reader.more) throw reader.error("there is no ] for the [ that opens", start);
      if (this.options.groups !== undefined && (reader.sees("&&") || (reader.sees("[") && !reader.sees("[:")))) {
        throw reader.error("sets of characters inside of sets are not supported", reader.at);
      }
      const known =
        reader.namedClass(this.#fold) ?? reader.classEscape(this.#flags.u ? "unicode" : "ascii", this.#fold);
      ranges.push(...(known ?? this.#fold([this.#range()])));
    }
    reader.at++;
    return this.#set(negated ? negateRanges(ranges) : mergeRanges(ranges));
  }

  /** `a` or `a-z` inside of brackets. */
  #range(): readonly [number, number] {
    const reader = this.#reader;
    const start = reader.at;
    const low = this.#bracketCharacter();
    if (!reader.sees("-") || reader.peek(1) === "]" || reader.peek(1) === undefined) return [low, low];
    reader.at++;
    const high = this.#bracketCharacter();
    if (high < low) throw reader.error("the range ends before it begins", start);
    return [low, high];
  }

  #bracketCharacter(): number {
    const reader = this.#reader;
    if (!reader.take("\\")) return reader.next().codePointAt(0) as number;
    return reader.escapedCharacter();
  }
}
