import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageNamed } from "../languages/index.js";
import { loadGrammar } from "./load.js";
import { inputOf } from "./text-input.js";

describe("a text as a parser reads it", () => {
  it("is there at every place, and ends", () => {
    const places = fc.array(fc.nat({ max: 13_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.string({ maxLength: 12_000, unit: "grapheme" }), places, (text, asked) => {
        const input = inputOf(text);
        for (const index of asked) {
          const piece = input(index, { row: 0, column: 0 }) ?? "";
          expect(text.startsWith(piece, index)).toBe(true);
          expect(piece === "").toBe(index >= text.length);
        }
        let read = "";
        for (let piece = input(0, { row: 0, column: 0 }); piece; piece = input(read.length, { row: 0, column: 0 })) {
          read += piece;
        }
        expect(read).toBe(text);
      }),
    );
  });

  it("is copied in short pieces where a scanner comes back to the same place, in long ones otherwise", () => {
    const text = "x".repeat(20_000);
    const input = inputOf(text);
    const lengths = (...indices: number[]) =>
      indices.map((index) => (input(index, { row: 0, column: 0 }) ?? "").length);
    expect(lengths(0, 5119, 5100, 10_219)).toEqual([5119, 5119, 5119, 5119]);
    expect(lengths(10_219, 10_219, 10_347, 10_603, 11_115, 12_139)).toEqual([128, 128, 256, 512, 1024, 2048]);
  });

  it("gives Scala, whose scanner does so, the tree that the text itself gives, and reads it few times", async () => {
    const language = languageNamed("scala")!;
    const { parser } = await loadGrammar({ ...language, grammar: language.grammar! });
    const text = Array.from(
      { length: 300 },
      (_, i) => `object O${i} {\n  def f(x: Int): Int =\n    if x > ${i} then\n      x\n    else\n      -x\n}\n`,
    ).join("\n");
    let copied = 0;
    const input = inputOf(text);
    const tree = parser.parse((index, position) => {
      const piece = input(index, position);
      copied += piece?.length ?? 0;
      return piece;
    });
    expect(tree?.rootNode.toString()).toBe(parser.parse(text)?.rootNode.toString());
    expect(copied / text.length).toBeLessThan(40);
  });
});
