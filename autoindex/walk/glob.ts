/**
 * gitignore's wildcards, matched without regular expressions.
 *
 * Both levels (characters of a segment, segments of a path) use the same greedy walk that remembers only its last star,
 * so a rule costs at most length x length steps whatever it contains: an ignore file comes with the folder and is not
 * to be trusted.
 */
type Token =
  | { kind: "literal"; char: string }
  | { kind: "any" }
  | { kind: "never" }
  | { kind: "star" }
  | { kind: "set"; negated: boolean; ranges: [string, string][] };

/** One path segment of a pattern; `**` stands for any number of segments. */
export type GlobSegment = { kind: "deep" } | { kind: "exact"; text: string } | { kind: "tokens"; tokens: Token[] };

/** Parses one segment (no `/` in it). */
export function parseSegment(source: string): GlobSegment {
  if (source === "**") return { kind: "deep" };
  const chars = [...source];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; ) {
    const [token, next] = parseToken(chars, at);
    const last = tokens.at(-1);
    if (!(token.kind === "star" && last?.kind === "star")) tokens.push(token);
    at = next;
  }
  if (tokens.every((token) => token.kind === "literal")) {
    return { kind: "exact", text: tokens.map((token) => (token.kind === "literal" ? token.char : "")).join("") };
  }
  return { kind: "tokens", tokens };
}

function parseToken(chars: string[], at: number): [Token, number] {
  const char = chars[at]!;
  if (char === "*") return [{ kind: "star" }, at + 1];
  if (char === "?") return [{ kind: "any" }, at + 1];
  if (char === "\\" && at + 1 < chars.length) return [{ kind: "literal", char: chars[at + 1]! }, at + 2];
  if (char === "[") return parseSet(chars, at) ?? [{ kind: "never" }, chars.length];
  return [{ kind: "literal", char }, at + 1];
}

/**
 * A bracket expression, or nothing when it is not closed or names a class that there is not: then the pattern matches
 * nothing, as in git.
 */
function parseSet(chars: string[], open: number): [Token, number] | undefined {
  let at = open + 1;
  const negated = chars[at] === "!" || chars[at] === "^";
  if (negated) at++;
  const ranges: [string, string][] = [];
  for (let first = true; at < chars.length; first = false) {
    if (chars[at] === "]" && !first) return [{ kind: "set", negated, ranges }, at + 1];
    const named = namedClass(chars, at);
    if (named) {
      if (!named.ranges) return undefined;
      ranges.push(...named.ranges);
      at = named.next;
      continue;
    }
    if (chars[at] === "\\" && at + 1 < chars.length) at++;
    const low = chars[at]!;
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length && chars[at + 2] !== "]";
    ranges.push([low, isRange ? chars[at + 2]! : low]);
    at += isRange ? 3 : 1;
  }
  return undefined;
}

/** Pairs of first and last character, by class. A map: a class's name comes with the folder and may be `constructor`. */
const NAMED = new Map<string, string[]>([
  ["alnum", ["09", "AZ", "az"]],
  ["alpha", ["AZ", "az"]],
  ["blank", ["  ", "\t\t"]],
  ["cntrl", ["\0\x1f", "\x7f\x7f"]],
  ["digit", ["09"]],
  ["graph", ["!~"]],
  ["lower", ["az"]],
  ["print", [" ~"]],
  ["punct", ["!/", ":@", "[`", "{~"]],
  ["space", ["  ", "\t\r"]],
  ["upper", ["AZ"]],
  ["xdigit", ["09", "AF", "af"]],
]);

function namedClass(chars: string[], at: number): { ranges: [string, string][] | undefined; next: number } | undefined {
  if (chars[at] !== "[" || chars[at + 1] !== ":") return undefined;
  const end = chars.findIndex((char, index) => index > at + 1 && char === ":" && chars[index + 1] === "]");
  if (end < 0) return undefined;
  const pairs = NAMED.get(chars.slice(at + 2, end).join(""));
  return { ranges: pairs?.map((pair) => [pair[0]!, pair[1]!]), next: end + 2 };
}

function tokenMatches(token: Token, char: string): boolean {
  if (token.kind === "literal") return token.char === char;
  if (token.kind === "set") {
    return token.ranges.some(([low, high]) => low <= char && char <= high) !== token.negated;
  }
  return token.kind === "any";
}

/** Whether one name is what the segment describes. */
export function segmentMatches(segment: GlobSegment, name: string): boolean {
  if (segment.kind === "deep") return true;
  if (segment.kind === "exact") return segment.text === name;
  const chars = [...name];
  return greedy(segment.tokens, chars, (token) => token.kind === "star", tokenMatches);
}

/** Whether a path, cut into names, is what the segments describe from its first name to its last. */
export function pathMatches(segments: GlobSegment[], names: string[]): boolean {
  return greedy(segments, names, (segment) => segment.kind === "deep", segmentMatches);
}

function greedy<P, I>(
  pattern: P[],
  input: I[],
  isStar: (part: P) => boolean,
  matches: (part: P, item: I) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < input.length; ) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = at++;
      resume = index;
    } else if (part !== undefined && matches(part, input[index]!)) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at]!)) at++;
  return at === pattern.length;
}
