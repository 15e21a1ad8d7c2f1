import { Enclosing } from "./enclosing.js";
import type { Declaration, Outline } from "./model.js";

/**
 * The sections of a text of prose, with what the reader of its language found in it besides: scripts of a page, what it
 * includes. What that took for sections gives way; references in one are in the innermost of these.
 */
export function withSections(sections: readonly Declaration[], own: Outline): Outline {
  if (sections.length === 0) return own;
  // A declaration is the only one of its range.
  const taken = new Set(sections.map(({ start, end }) => `${start}-${end}`));
  const declared = own.declarations.filter(
    ({ kind, start, end }) => kind !== "section" && !taken.has(`${start}-${end}`),
  );
  const names = new Set(declared.map(({ qualifiedName }) => qualifiedName));
  const enclosing = new Enclosing(sections);
  const references = own.references.map((reference) => {
    if (reference.enclosing === "" || names.has(reference.enclosing)) return reference;
    return { ...reference, enclosing: enclosing.at(reference.start)?.qualifiedName ?? "" };
  });
  const declarations = [...declared, ...sections].sort((a, b) => a.start - b.start || b.end - a.end);
  return { ...own, declarations, references, parsed: own.parsed === "partial" ? "partial" : "sections" };
}
