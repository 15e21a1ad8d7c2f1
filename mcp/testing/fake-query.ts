import { identifiersOf, type LinePattern, partsOf } from "../../code/index.js";

/** Fields of a document. */
export type Matchable = Record<string, unknown>;
type Query = Record<string, unknown>;

/** Score of a document, -1 where it does not match: one point per matching clause times its boost, for a plain order. */
export function score(source: Matchable, query: Query): number {
  const [kind, inner] = Object.entries(query)[0];
  const handler = KINDS[kind];
  if (handler === undefined) throw new Error(`the fake node has no query ${kind}`);
  return handler(source, inner as Query);
}

const KINDS: Readonly<Record<string, (source: Matchable, inner: Query) => number>> = {
  match_all: () => 1,
  match_none: () => -1,
  dis_max: (source, inner) => Math.max(...(inner.queries as Query[]).map((query) => score(source, query))),
  exists: (source, inner) => points(source[inner.field as string] !== undefined),
  term: (source, inner) => onField(inner, (field, value) => [source[field]].flat().includes(value)),
  terms: (source, inner) =>
    onField(inner, (field, values: unknown[]) => [source[field]].flat().some((value) => values.includes(value))),
  prefix: (source, inner) =>
    onField(inner, (field, value: string) => {
      if (field.endsWith(".text")) return [...wordsOf(source, field)].some((word) => word.startsWith(value));
      return String(source[field]).startsWith(value);
    }),
  wildcard: (source, inner) =>
    onField(inner, (field, { value }: { value: string }) => {
      const pattern = value.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
      return new RegExp(`^${pattern.join(".*")}$`, "s").test(textOf(source, field));
    }),
  match: (source, inner) =>
    onField(inner, (field, { query, operator }: { query: string; operator?: string }) => {
      const wanted = wordsIn(query);
      const has = wordsOf(source, field);
      return operator === "and" ? wanted.every((word) => has.has(word)) : wanted.some((word) => has.has(word));
    }),
  match_phrase: (source, inner) =>
    onField(inner, (field, asked: string | { query: string }) => {
      const wanted = partsIn(typeof asked === "string" ? asked : asked.query).join(" ");
      return ` ${partsIn(String(source[plain(field)] ?? "")).join(" ")} `.includes(` ${wanted} `);
    }),
  multi_match: (source, inner) => {
    const scores = (inner.fields as string[]).map((spec) => {
      const [field, boost] = spec.split("^");
      const has = wordsOf(source, field);
      return wordsIn(inner.query as string).every((word) => has.has(word)) ? Number(boost ?? 1) : -1;
    });
    return Math.max(...scores);
  },
  matching_lines: (source, inner) =>
    onField(inner, (field, pattern: LinePattern) => linesWith(textOf(source, field), [pattern]).total > 0),
  regexp: (source, inner) =>
    onField(inner, (field, { value }: { value: string }) =>
      new RegExp(`^(?:${value})$`, "s").test(textOf(source, field)),
    ),
  constant_score: (source, inner) => (score(source, inner.filter as Query) < 0 ? -1 : Number(inner.boost ?? 1)),
  bool: scoreBool,
};

function scoreBool(source: Matchable, inner: Query): number {
  const of = (key: string) => ((inner[key] ?? []) as Query[]).map((clause) => score(source, clause));
  const must = of("must");
  const filter = of("filter");
  const should = of("should").filter((value) => value >= 0);
  const needed = Number(
    inner.minimum_should_match ?? (must.length + filter.length === 0 && inner.should !== undefined ? 1 : 0),
  );
  if ([...must, ...filter].some((value) => value < 0) || of("must_not").some((value) => value >= 0)) return -1;
  if (should.length < needed) return -1;
  return [...must, ...should].reduce((sum, value) => sum + value, 0);
}

/** Lines that JavaScript's engine finds, in the shape of `ext.matching_lines`: enough for the plain patterns of tests. */
export function linesWith(text: string, patterns: readonly LinePattern[]): { total: number; lines: object[] } {
  const tried = patterns.map(({ pattern, syntax, case_insensitive: isInsensitive }) => {
    const written = syntax === "literal" ? pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : pattern;
    return new RegExp(written, isInsensitive ? "gi" : "g");
  });
  const lines = text.split("\n").flatMap((line, at) => {
    const ranges = tried.flatMap((one) =>
      [...line.matchAll(one)].map((found) => [found.index, found.index + found[0].length]),
    );
    return ranges.length === 0 ? [] : [{ line: at + 1, byte: 0, text: line, ranges, cut_bytes: 0 }];
  });
  return { total: lines.length, lines };
}

/** Patterns on lines in a query, those taken away apart. */
export function linePatternsIn(query: unknown): [field: string, pattern: LinePattern][] {
  if (Array.isArray(query)) return query.flatMap(linePatternsIn);
  if (typeof query !== "object" || query === null) return [];
  return Object.entries(query).flatMap(([key, inner]) => {
    if (key === "must_not") return [];
    return key === "matching_lines" ? (Object.entries(inner) as [string, LinePattern][]) : linePatternsIn(inner);
  });
}

/** The text of a field, a multi-field's of its parent. */
export function textOf(source: Matchable, field: string): string {
  return String(source[field] ?? source[field.split(".")[0]] ?? "");
}

function onField<T>(inner: Query, test: (field: string, value: T) => boolean): number {
  const [field, value] = Object.entries(inner)[0];
  return points(test(field, value as T));
}

function points(matches: boolean): number {
  return matches ? 1 : -1;
}

function plain(field: string): string {
  return field.replace(/\.text$/, "");
}

// A property test asks the same documents thousands of times.
const partsKept = new Map<string, string[]>();
const wordsKept = new Map<string, ReadonlySet<string>>();

function wordsOf(source: Matchable, field: string): ReadonlySet<string> {
  const text = String(source[plain(field)] ?? "");
  const words =
    wordsKept.get(text) ?? new Set([...identifiersOf(text).map((whole) => whole.toLowerCase()), ...partsIn(text)]);
  wordsKept.set(text, words);
  return words;
}

function wordsIn(text: string): string[] {
  return [...new Set(partsIn(text))];
}

function partsIn(text: string): string[] {
  const parts = partsKept.get(text) ?? identifiersOf(text).flatMap(partsOf);
  partsKept.set(text, parts);
  return parts;
}
