/** A regular expression whose groups are wanted, in linear time: what grok, gsub and splitting are made of. */
import { type CaptureProgram, compileCaptures } from "./capture-program.js";
import { CaptureScan, type Places } from "./capture-search.js";
import { type GroupOptions, parsePattern } from "./parse.js";

/** How a pattern with groups is read. */
export interface GroupPatternOptions {
  /**
   * "java": `^` and `$` are about the whole text, `\d \w \s` about ASCII. "ruby" (Oniguruma): `^` and `$` are about lines,
   * classes about Unicode, `(?m)` lets the dot match line feeds.
   */
  readonly dialect: GroupOptions["dialect"];
  readonly caseInsensitive: boolean;
}

/** A match: the text of the whole and of each group, undefined where a group took no part. */
export interface GroupMatch {
  readonly begin: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/**
 * A compiled pattern. RE2's syntax, and beyond it: looking ahead and behind by at most 255 characters; atomic groups and
 * possessive repeats, which are read as plain ones. References to groups are refused.
 */
export class GroupPattern {
  /** Names of groups by number, 0 the whole match. */
  readonly names: readonly (string | undefined)[];
  readonly #program: CaptureProgram;

  /** Throws `invalid_value` naming the column and the reason. */
  constructor(
    readonly pattern: string,
    { dialect, caseInsensitive }: GroupPatternOptions,
  ) {
    const names: (string | undefined)[] = [undefined];
    const ruby = dialect === "ruby";
    const node = parsePattern(pattern, {
      caseInsensitive,
      classes: ruby ? "unicode" : "ascii",
      anchors: ruby ? "lines" : "text",
      lineFeeds: "allowed",
      groups: { dialect, names },
    });
    this.names = names;
    this.#program = compileCaptures(node, pattern);
  }

  /** The leftmost match, null when there is none. Throws `invalid_value` for a text too long for the pattern. */
  find(text: string): GroupMatch | null {
    const places = this.#scan(text).next(0);
    return places === null ? null : matchOf(text, places);
  }

  /** All matches that do not overlap, from left to right. */
  *findAll(text: string): Generator<GroupMatch> {
    const scan = this.#scan(text);
    for (let from = 0; from <= text.length; ) {
      const places = scan.next(from);
      if (places === null) return;
      yield matchOf(text, places);
      // Behind an empty match the search goes on with the next character.
      from = places[1] > places[0] ? places[1] : places[1] + ((text.codePointAt(places[1]) ?? 0) > 0xffff ? 2 : 1);
    }
  }

  #scan(text: string): CaptureScan {
    return new CaptureScan(this.#program, text, 2 * this.names.length);
  }
}

function matchOf(text: string, places: Places): GroupMatch {
  const groups = Array.from({ length: places.length / 2 }, (_, group) => {
    const begin = places[2 * group];
    return begin < 0 ? undefined : text.slice(begin, places[2 * group + 1]);
  });
  return { begin: places[0], end: places[1], groups };
}
