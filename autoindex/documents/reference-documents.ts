import type { Reference } from "../extract/model.js";
import type { Positions } from "../extract/positions.js";
import { quoted } from "./quoted.js";

/**
 * Characters of edges after which a document ends: the functions of people stay far below, a generated table of calls
 * becomes many documents of this size.
 */
const FULL = 8192;

/** What a document of references has beside what all documents of its file have. */
export interface PrintedReferences {
  /** The place that the document is told by. */
  first: Reference;
  /** Its fields as JSON, without the braces. */
  fields: string;
}

/** Prints references, given in the order of their places, as documents: one a declaration, several where it has very many. */
export function* printReferences(references: readonly Reference[], positions: Positions): Generator<PrintedReferences> {
  for (const { enclosing, edges } of byDeclaration(references)) {
    let document = new ReferencesPrinter(enclosing, positions);
    for (const places of edges) {
      for (let from = 0; from < places.length; ) {
        if (document.isFull) {
          yield document.print();
          document = new ReferencesPrinter(enclosing, positions);
        }
        from = document.add(places, from);
      }
    }
    yield document.print();
  }
}

/** Prints one document; there are as many as declarations, so it is done by hand. */
class ReferencesPrinter {
  #first: Reference | undefined;
  #edges = "";
  readonly #names = new Set<string>();
  readonly #kinds = new Set<string>();

  constructor(
    private readonly enclosing: string,
    private readonly positions: Positions,
  ) {}

  get isFull(): boolean {
    return this.#edges.length >= FULL;
  }

  /** Takes places of one edge from an index on, at least one; gives the index of the first that does not fit. */
  add(places: readonly Reference[], from: number): number {
    const { positions } = this;
    const { kind, name, certainty } = places[from]!;
    this.#first ??= places[from]!;
    this.#names.add(name);
    this.#kinds.add(kind);
    let edge = `${this.#edges === "" ? "" : ","}"${kind}${certainty === "exact" ? "" : "?"} `;
    const room = FULL - this.#edges.length;
    let at = from;
    do {
      const { start } = places[at]!;
      edge += `${at === from ? "" : ","}${positions.lineAt(start)}:${positions.byteAt(start)}`;
      at++;
    } while (at < places.length && edge.length < room);
    // The name without the quote that it begins with.
    this.#edges += `${edge} ${quoted(name).slice(1)}`;
    return at;
  }

  print(): PrintedReferences {
    const first = this.#first!;
    const names = [...this.#names].sort().map(quoted).join();
    const kinds = [...this.#kinds].sort().join('","');
    const fields =
      `"enclosing":${quoted(this.enclosing)},"name":[${names}],"kind":["${kinds}"],` +
      `"start_byte":${this.positions.byteAt(first.start)},"edges":[${this.#edges}]`;
    return { first, fields };
  }
}

/** What one declaration refers to. */
interface Referring {
  enclosing: string;
  /** Places of one name, kind and certainty each, in the order of the first ones. */
  edges: Reference[][];
}

/** References by the declaration around them and by edge, all in the order of first places. */
function byDeclaration(references: readonly Reference[]): Iterable<Referring> {
  const known = new Map<string, EdgesOfDeclaration>();
  // Neighbours are enclosed by the same.
  let last: EdgesOfDeclaration | undefined;
  for (const reference of references) {
    const { enclosing } = reference;
    if (last?.enclosing !== enclosing) {
      last = known.get(enclosing) ?? new EdgesOfDeclaration(enclosing);
      known.set(enclosing, last);
    }
    last.add(reference);
  }
  return known.values();
}

class EdgesOfDeclaration implements Referring {
  readonly edges: Reference[][] = [];
  readonly #byName = new Map<string, Reference[][]>();

  constructor(readonly enclosing: string) {}

  add(reference: Reference): void {
    const { name, kind, certainty } = reference;
    const ofName = this.#byName.get(name);
    // A name is nearly always referred to in one way.
    const known = ofName?.find(([one]) => one!.kind === kind && one!.certainty === certainty);
    if (known) {
      known.push(reference);
      return;
    }
    const made = [reference];
    this.edges.push(made);
    if (ofName) ofName.push(made);
    else this.#byName.set(name, [made]);
  }
}
