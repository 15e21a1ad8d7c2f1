import type { Field } from "../mapping/field-table.js";
import type { FieldType } from "../mapping/mapping.js";

/** A field from whose column a value could be printed. */
export interface SlotField {
  readonly ordinal: number;
  readonly type: FieldType;
}

/** No column holds it. */
export const NO_COLUMNS: readonly SlotField[] = [];

/** What lies at a path of a document: which columns hold its value, and whether it is an object with fields inside. */
export class FieldPaths {
  readonly #columns = new Map<string, SlotField[]>();
  readonly #objects = new Set<string>();

  constructor(readonly fields: readonly Field[]) {
    const leaves = new Set<string>();
    for (const field of fields) if (field !== undefined) leaves.add(field.path);
    for (const field of fields) if (field !== undefined) this.#add(field, leaves);
  }

  /** The field itself before its multi-fields. */
  columnsOf(path: string): readonly SlotField[] {
    return this.#columns.get(path) ?? NO_COLUMNS;
  }

  isObject(path: string): boolean {
    return this.#objects.has(path);
  }

  #add({ path, ordinal, type, column, trigrams }: Field, leaves: ReadonlySet<string>): void {
    let source = path;
    for (let dot = path.lastIndexOf("."); dot >= 0; dot = path.lastIndexOf(".", dot - 1)) {
      const parent = path.slice(0, dot);
      // A field with fields inside has multi-fields: they hold its own value.
      if (leaves.has(parent)) source = parent;
      else this.#objects.add(parent);
      if (dot === 0) break;
    }
    if (column === null && !trigrams) return;
    const columns = this.#columns.get(source) ?? [];
    columns.splice(source === path ? 0 : columns.length, 0, { ordinal, type });
    this.#columns.set(source, columns);
  }
}
