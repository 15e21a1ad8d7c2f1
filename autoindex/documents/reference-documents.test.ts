import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEdge, type ReferenceDocument, type ReferenceKind } from "../../code/index.js";
import type { Reference } from "../extract/model.js";
import { Positions } from "../extract/positions.js";
import { printReferences } from "./reference-documents.js";

type Document = Required<Pick<ReferenceDocument, "enclosing" | "name" | "kind" | "start_byte" | "edges">>;

const TEXT = "größe(\n".repeat(400);
const positions = new Positions(TEXT);

function refer(name: string, start: number, more: Partial<Reference> = {}): Reference {
  return { kind: "call", name, enclosing: "f", start, end: start + 1, certainty: "exact", ...more };
}

function documentsOf(references: readonly Reference[], text = positions): Document[] {
  return [...printReferences(references, text)].map(({ fields }) => JSON.parse(`{${fields}}`) as Document);
}

/** A place in one line, with all that is known of it. */
function placesOf(documents: readonly Document[]): string[] {
  return documents.flatMap(({ enclosing, edges }) =>
    edges
      .map(parseEdge)
      .flatMap(({ kind, name, certainty, lines, startBytes }) =>
        lines.map((line, at) => JSON.stringify([enclosing, kind, name, certainty, line, startBytes[at]])),
      ),
  );
}

function expectedPlaces(references: readonly Reference[], text = positions): string[] {
  return references.map(({ enclosing, kind, name, certainty, start }) =>
    JSON.stringify([enclosing, kind, name, certainty, text.lineAt(start), text.byteAt(start)]),
  );
}

describe("documents of references", () => {
  it("are one a declaration, with its edges in the order of their first places", () => {
    const references = [
      refer("os", 0, { kind: "import", enclosing: "" }),
      refer("load", 1),
      refer("Base", 2, { kind: "inherit", enclosing: "" }),
      refer("open", 8),
      refer("load", 15),
      refer("load", 16, { certainty: "heuristic" }),
    ];
    expect(documentsOf(references)).toEqual([
      {
        enclosing: "",
        name: ["Base", "os"],
        kind: ["import", "inherit"],
        start_byte: 0,
        edges: ["import 1:0 os", "inherit 1:2 Base"],
      },
      {
        enclosing: "f",
        name: ["load", "open"],
        kind: ["call"],
        start_byte: 1,
        edges: ["call 1:1,3:19 load", "call 2:10 open", "call? 3:20 load"],
      },
    ]);
  });

  it("lose nothing, whatever names there are", () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, unit: "binary" }),
      fc.constantFrom("a b", " ", "1:2,3:4 x", "call", "call?", '"', "\\", "\n", "\ud800", "größe", "x".repeat(300)),
    );
    const kind = fc.constantFrom<ReferenceKind[]>("call", "import", "inherit", "instantiate", "type");
    const certainty = fc.constantFrom("exact", "heuristic");
    const enclosing = fc.constantFrom("", "f", "f.g h", '"');
    const start = fc.nat(TEXT.length - 1);
    const reference = fc.record({ kind, name, enclosing, certainty, start, end: fc.constant(TEXT.length) });
    fc.assert(
      fc.property(fc.array(reference, { maxLength: 60 }), (some) => {
        const references = some.sort((a, b) => a.start - b.start);
        const documents = documentsOf(references);
        expect(placesOf(documents).sort()).toEqual(expectedPlaces(references).sort());
        for (const { name: names, kind: kinds, start_byte: first, edges } of documents) {
          const read = edges.map(parseEdge);
          expect(names).toEqual([...new Set(read.map((edge) => edge.name))].sort());
          expect(kinds).toEqual([...new Set(read.map((edge) => edge.kind))].sort());
          expect(read.map((edge) => edge.startBytes[0])).toEqual(
            read.map((edge) => edge.startBytes[0]!).sort((a, b) => a - b),
          );
          expect(first).toBe(read[0]!.startBytes[0]);
        }
      }),
    );
  });

  it.each([
    ["one name", () => "row"],
    ["as many names", (at: number) => `row${at}`],
  ])("a table of a hundred thousand calls of %s is many small ones", (_, nameOf) => {
    const table = new Positions("row(1)\n".repeat(100_000));
    const references = Array.from({ length: 100_000 }, (__, at) => refer(nameOf(at), at * 7));
    const printed = [...printReferences(references, table)];
    const documents = printed.map(({ fields }) => JSON.parse(`{${fields}}`) as Document);
    expect(Math.max(...printed.map(({ fields }) => fields.length))).toBeLessThan(16_384);
    expect(printed.length).toBeLessThan(400);
    expect(placesOf(documents)).toEqual(expectedPlaces(references, table));
    expect(new Set(printed.map(({ first }) => first)).size).toBe(printed.length);
  });
});
