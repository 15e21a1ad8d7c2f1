import type { Language, Node } from "web-tree-sitter";

/** Numbers of fields by language and name; null where the language has no such field. */
const idsOf = new WeakMap<Language, Map<string, number | null>>();

/** The child in a field; as `childForFieldName`, which looks the name up among all fields each time. */
export function childOf(node: Node, field: string): Node | undefined {
  const id = fieldId(node.tree.language, field);
  return (id === null ? null : node.childForFieldId(id)) ?? undefined;
}

function fieldId(language: Language, field: string): number | null {
  let ids = idsOf.get(language);
  if (!ids) {
    ids = new Map();
    idsOf.set(language, ids);
  }
  const known = ids.get(field);
  if (known !== undefined) return known;
  const id = language.fieldIdForName(field);
  ids.set(field, id);
  return id;
}
