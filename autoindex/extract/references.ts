import type { LanguageRules } from "../languages/rules.js";
import { Enclosing } from "./enclosing.js";
import type { FoundReference } from "./matches.js";
import type { Declaration, Reference } from "./model.js";
import { unquote } from "./names.js";

const MAX_NAME = 300;

/** Turns what a query found into references in the order of their places, one a place and kind. */
export function buildReferences(
  found: FoundReference[],
  declarations: Declaration[],
  rules: LanguageRules,
): Reference[] {
  const enclosing = new Enclosing(declarations);
  const sorted = found
    .map(({ kind, node }) => ({ kind, text: node.text, start: node.startIndex, end: node.endIndex }))
    .sort((a, b) => a.start - b.start || (a.kind < b.kind ? -1 : 1));
  const references: Reference[] = [];
  let last = "";
  for (const { kind, text, start, end } of sorted) {
    const name = unquote(text).replace(/\s+/g, "");
    const key = `${start}-${end}-${kind}`;
    if (name === "" || name.length > MAX_NAME || key === last) continue;
    last = key;
    const guess = kind === "call" && rules.capitalCalls === "instantiate" && /^\p{Lu}/u.test(name);
    references.push({
      kind: guess ? "instantiate" : kind,
      name,
      enclosing: enclosing.at(start)?.qualifiedName ?? "",
      start,
      end,
      certainty: guess ? "heuristic" : "exact",
    });
  }
  return references;
}
