import {
  containerOf,
  declarationsNamed,
  heritageOf,
  lastOf,
  type SymbolDeclaration,
  TYPE_KINDS,
} from "../code/index.js";
import { groupBy } from "./group-by.js";
import type { SymbolIndex } from "./symbol-index.js";

/** How far inheritance is followed up. */
const MOST_STEPS = 8;

/** What is declared by names, looked up once for a question. */
export class DeclaredNames {
  readonly #known = new Map<string, readonly SymbolDeclaration[]>();

  constructor(private readonly index: SymbolIndex) {}

  /** Looks up names of types, the containers of declarations, and all that those inherit from. */
  async lookUp(types: ReadonlySet<string>, declared: readonly SymbolDeclaration[]): Promise<void> {
    if (types.size === 0) return;
    let names = [...types, ...declared.map((one) => lastOf(containerOf(one)))];
    for (let step = 0; step < MOST_STEPS && names.length > 0; step++) {
      const rows = await this.#ask([...new Set(names)].filter((name) => name !== "" && !this.#known.has(name)));
      names = rows.filter(({ kind }) => TYPE_KINDS.has(kind)).flatMap(heritageOf);
    }
  }

  /** Declarations of a name that was looked up. */
  named(name: string): readonly SymbolDeclaration[] {
    return this.#known.get(name) ?? [];
  }

  async #ask(names: readonly string[]): Promise<SymbolDeclaration[]> {
    if (names.length === 0) return [];
    const rows = await this.index.declarations(declarationsNamed(names));
    const byName = groupBy(rows, ({ name }) => name);
    for (const name of names) this.#known.set(name, byName.get(name) ?? []);
    return rows;
  }
}
