/**
 * What grams a text must hold so that a pattern can match in it: a tree of "and" and "or" over grams (Cox, "Regular
 * Expression Matching with a Trigram Index", 2012). It never leaves out a text that matches; what it lets through has to be
 * looked at.
 */
import { gramAt, NO_GRAM, printGram } from "./grams.js";

/** A condition on the grams of a text. */
export type GramQuery =
  /** Nothing can be said: any text may match. */
  | { readonly kind: "all" }
  /** No text can match. */
  | { readonly kind: "none" }
  | { readonly kind: "gram"; readonly gram: number }
  /** At least two parts, none of them of this kind, `all` or `none`. */
  | { readonly kind: "and" | "or"; readonly parts: readonly GramQuery[] };

export const ALL_TEXTS: GramQuery = { kind: "all" };
export const NO_TEXTS: GramQuery = { kind: "none" };

/** Both, or all, of them. */
export function allOf(parts: Iterable<GramQuery>): GramQuery {
  return combine("and", parts);
}

/** At least one of them; `none` of no parts. */
export function anyOf(parts: Iterable<GramQuery>): GramQuery {
  return combine("or", parts);
}

/** Texts that hold these bytes in this order, one after the other: all grams of them. */
export function gramsOfBytes(bytes: Uint8Array): GramQuery {
  const grams = new Set<number>();
  for (let at = 0; at < bytes.length; at++) grams.add(gramAt(bytes, at));
  grams.delete(NO_GRAM);
  return allOf([...grams].map((gram) => ({ kind: "gram", gram }) as const));
}

/** Whether texts with these grams may match: what an index answers, in one line. */
export function mayMatch(query: GramQuery, has: (gram: number) => boolean): boolean {
  switch (query.kind) {
    case "all":
      return true;
    case "none":
      return false;
    case "gram":
      return has(query.gram);
    case "and":
      return query.parts.every((part) => mayMatch(part, has));
    case "or":
      return query.parts.some((part) => mayMatch(part, has));
  }
}

/** For tests, `profile` and error messages; parts in order, equal queries print alike. */
export function printGramQuery(query: GramQuery): string {
  if (query.kind === "gram") return `"${printGram(query.gram)}"`;
  if (query.kind === "all" || query.kind === "none") return query.kind;
  return `(${query.parts.map(printGramQuery).join(query.kind === "and" ? " " : "|")})`;
}

function combine(kind: "and" | "or", parts: Iterable<GramQuery>): GramQuery {
  const [neutral, absorbing] = kind === "and" ? [ALL_TEXTS, NO_TEXTS] : [NO_TEXTS, ALL_TEXTS];
  const flat = new Map<string, GramQuery>();
  for (const part of parts) {
    if (part.kind === absorbing.kind) return absorbing;
    if (part.kind === neutral.kind) continue;
    for (const one of part.kind === kind && "parts" in part ? part.parts : [part]) flat.set(printGramQuery(one), one);
  }
  if (flat.size === 0) return neutral;
  const sorted = [...flat].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, query]) => query);
  return sorted.length === 1 ? sorted[0] : { kind, parts: sorted };
}
