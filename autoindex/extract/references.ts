import type { LanguageRules } from "../languages/rules.js";
import { Enclosing } from "./enclosing.js";
import type { Findings, FoundDeclaration, FoundReference } from "./matches.js";
import type { Declaration, Reference } from "./model.js";
import { qualify, splitName, unquote } from "./names.js";

const MAX_NAME = 300;

/** Which of several references at one place comes first. */
const RANK: Readonly<Record<FoundReference["kind"], number>> = {
  none: 0,
  import: 1,
  imported: 2,
  inherit: 3,
  instantiate: 4,
  type: 5,
  call: 6,
};

/** Turns what a query found into references in the order of their places, one a place and kind. */
export function buildReferences(
  { references: found, declarations: placed }: Pick<Findings, "references" | "declarations">,
  declarations: Declaration[],
  { text: whole, rules }: { text: string; rules: LanguageRules },
): Reference[] {
  const enclosing = new Enclosing(declarations);
  const scopes = new Enclosing(scopesOf(placed));
  const sorted = [...found].sort((a, b) => a.start - b.start || RANK[a.kind] - RANK[b.kind]);
  const references: Reference[] = [];
  let lastStart = -1;
  let lastKind = "";
  for (const { kind, start, end } of sorted) {
    // At one place a call gives way to what is said more exactly, and everything to `none`.
    const givesWay = kind === lastKind || kind === "call" || kind === "imported" || lastKind === "none";
    if (start === lastStart && givesWay) continue;
    lastStart = start;
    lastKind = kind;
    if (kind === "none") continue;
    const text = whole.slice(start, end);
    const name = nameIn(text, rules);
    if (name === undefined) continue;
    const guess = kind === "call" && rules.capitalCalls === "instantiate" && /^\p{Lu}/u.test(name);
    const isImport = kind === "import" || kind === "imported";
    const around = enclosing.at(start);
    const scope = kind === "inherit" ? scopes.at(start) : undefined;
    // `impl Trait for Type` stands in no declaration; what inherits is the type that it lends its name to.
    const isInScope = scope !== undefined && (around === undefined || around.start <= scope.start);
    const outer = around?.qualifiedName ?? "";
    const reference: Reference = {
      kind: guess ? "instantiate" : isImport ? "import" : kind,
      name,
      enclosing: isInScope ? qualify(outer, scope.name) : outer,
      start,
      end: start + text.length,
      certainty: guess ? "heuristic" : "exact",
    };
    if (isImport) reference.names = kind === "import" ? "module" : "member";
    references.push(reference);
  }
  return references;
}

/** What a reference is written as when it is nothing but a name, which nearly all are. */
const BARE_NAME = /^[A-Za-z]\w*$/;

/** The name that a reference is to; nothing when it has none. */
function nameIn(text: string, rules: LanguageRules): string | undefined {
  if (BARE_NAME.test(text)) return text.length <= MAX_NAME ? text : undefined;
  const name = unquote(text)
    .replace(/\s+/g, "")
    .replace(rules.nameMark, "")
    .replace(/(?<=.)\.$/, "");
  const isName = name !== "" && name.length <= MAX_NAME && !/^[^\p{L}\p{N}_$]+$/u.test(name);
  return isName ? name : undefined;
}

function scopesOf(placed: readonly FoundDeclaration[]): { start: number; end: number; name: string }[] {
  return placed
    .filter(({ kind }) => kind === "scope")
    .map(({ node, name }) => ({ start: node.startIndex, end: node.endIndex, name: splitName(name.text).name }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}
