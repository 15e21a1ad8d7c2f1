/**
 * Patterns tried on lines here, for what no node can be asked: a file that has changed since it was indexed, and clusters
 * that do not know `matching_lines`. Linear in the text, like the node's own, and slower.
 */
import type { LineMatcher, LinePattern } from "../code/index.js";

/** A character of no word, for `whole_word`. */
const NO_WORD = "[^\\p{L}\\p{M}\\p{N}\\p{Pc}]";

/**
 * A matcher for any of some patterns; undefined when one of them may cross lines. The engine is loaded at its first use.
 * Throws for a pattern that is none.
 */
export async function lineMatcher(patterns: readonly LinePattern[]): Promise<LineMatcher | undefined> {
  if (patterns.length === 0 || patterns.some(({ multiline }) => multiline)) return undefined;
  const { RE2JS } = await import("re2js");
  const tried = patterns.map((pattern) => {
    const written = pattern.syntax === "literal" ? RE2JS.quote(pattern.pattern) : pattern.pattern;
    const whole = pattern.whole_word ? `(?:^|${NO_WORD})(${written})(?:$|${NO_WORD})` : `(${written})`;
    return RE2JS.compile(whole, pattern.case_insensitive ? RE2JS.CASE_INSENSITIVE : 0);
  });
  return (line) => {
    const bytes = (units: number) => Buffer.byteLength(line.slice(0, units), "utf8");
    const found = tried.flatMap((expression) => [...matches(expression.matcher(line), line.length)]);
    return found.map(([start, end]): [number, number] => [bytes(start), bytes(end)]).sort((a, b) => a[0] - b[0]);
  };
}

interface Finder {
  find(from: number): boolean;
  start(group: number): number;
  end(group: number): number;
}

/** Matches one after another, in UTF-16 units; what ends one may begin the next. */
function* matches(finder: Finder, length: number): Generator<[number, number]> {
  for (let from = 0; from <= length && finder.find(from); ) {
    const [start, end] = [finder.start(1), finder.end(1)];
    yield [start, end];
    from = end > start ? end : end + 1;
  }
}
