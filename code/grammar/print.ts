import { queryKey } from "../query-keys.js";
import type { CodeQuery, QueryGroup, QueryLeaf, QueryTerm } from "../query-terms.js";
import { MINUS_MAY_PRECEDE } from "./expression.js";

/** Writes a query so that it reads back the same, `ignored` apart. */
export function printQuery({ terms }: Pick<CodeQuery, "terms"> & Partial<CodeQuery>): string {
  const [first, ...others] = terms;
  // An `or` of the whole query needs no parentheses, and keys for the whole query may stand at its end.
  const isAlone = first?.type === "group" && !first.negated && others.every(isForWholeQuery);
  if (isAlone) return [printBranches(first), ...others.map(printSigned)].join(" ");
  return printAll(terms);
}

/** Whether a term is read as one of the whole query wherever it stands outside parentheses. */
export function isForWholeQuery(term: QueryTerm): boolean {
  return term.type === "key" && queryKey(term.key)?.place !== undefined;
}

function printAll(terms: readonly QueryTerm[]): string {
  return terms.map(printSigned).join(" ");
}

function printSigned(term: QueryTerm): string {
  const text = printTerm(term);
  if (!term.negated) return text;
  return (MINUS_MAY_PRECEDE.test(text) ? "-" : "NOT ") + text;
}

function printBranches({ any }: QueryGroup): string {
  return any.map(printAll).join(" or ");
}

function printTerm(term: QueryTerm): string {
  if (term.type === "group") return `(${printBranches(term)})`;
  // Before a quote or a parenthesis, `not` takes away.
  if (term.type === "word") return term.text === "not" ? "(not)" : term.text;
  if (term.type === "phrase") return quote(term.text);
  if (term.type === "literal") return `content:${quote(term.text)}`;
  if (term.type === "regex") return printRegex(term);
  return `${term.key}:${term.values.map(printValue).join(",")}`;
}

function printRegex({ on, pattern, ignoreCase, multiline }: Extract<QueryLeaf, { type: "regex" }>): string {
  const escaped = pattern.replace(/\\[\s\S]|\//g, (found) => (found === "/" ? "\\/" : found));
  const flags = `${ignoreCase ? "i" : ""}${multiline ? "m" : ""}`;
  return `${on === "lines" ? "" : `${on}:`}/${escaped}/${flags}`;
}

/** A colon or slashes at the beginning would make another thing of the key, a slash a regular expression of the value. */
function printValue(value: string): string {
  return /^[^\s",(){}:/][^\s,(){}]*$/.test(value) ? value : quote(value);
}

function quote(text: string): string {
  return `"${text.replace(/(["\\])/g, "\\$1")}"`;
}
