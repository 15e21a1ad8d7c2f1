/** Longest ending that is remembered; a longer one is hardly one. */
const LONGEST_ENDING = 16;
const MOST_ENDINGS = 1000;

/** What stands for other characters in a pattern, up to the last of it. */
const UP_TO_LAST_WILDCARD = /^.*[*?\]]/;

/**
 * Patterns of names: `*` for any characters, `[...]` for one of some, `?` for one. No pattern holds two stars in a row.
 * There are hundreds, and most say how a name ends: of those only the ones for a name's own ending (`.go`) are tried.
 */
export class NamePatterns {
  readonly #all: RegExp;
  /** By ending, the patterns that names with it may fit; nothing when there are none. */
  readonly #byEnding = new Map<string, RegExp | undefined>();

  /** `letters`: whether capitals count. */
  constructor(
    private readonly patterns: readonly string[],
    private readonly letters: "any" | "exact",
  ) {
    this.#all = expressionFor(patterns, letters);
  }

  /** Whether a name fits one of them. */
  test(name: string): boolean {
    const dot = name.lastIndexOf(".");
    const ending = dot < 0 ? "" : this.#folded(name.slice(dot));
    if (ending === "" || ending.length > LONGEST_ENDING) return this.#all.test(name);
    if (!this.#byEnding.has(ending)) {
      if (this.#byEnding.size >= MOST_ENDINGS) this.#byEnding.clear();
      this.#byEnding.set(ending, this.#expressionFor(ending));
    }
    return this.#byEnding.get(ending)?.test(name) === true;
  }

  #expressionFor(ending: string): RegExp | undefined {
    const some = this.patterns.filter((pattern) => {
      const tail = this.#folded(pattern.replace(UP_TO_LAST_WILDCARD, ""));
      return tail.endsWith(ending) || ending.endsWith(tail);
    });
    return some.length === 0 ? undefined : expressionFor(some, this.letters);
  }

  #folded(text: string): string {
    return this.letters === "exact" ? text : text.toLowerCase();
  }
}

/** One expression for all patterns. */
function expressionFor(patterns: readonly string[], letters: "any" | "exact"): RegExp {
  const sources = patterns.map((pattern) =>
    pattern
      .replace(/[.+^${}()|\\]/g, "\\$&")
      .replaceAll("?", ".")
      .replaceAll("*", ".*"),
  );
  return new RegExp(`^(?:${sources.join("|")})$`, letters === "exact" ? "s" : "is");
}
