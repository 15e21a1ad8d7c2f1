import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { ENCODED_TEXTS } from "../testing/encoded-texts.js";
import { decode } from "./decode.js";

const rows = ENCODED_TEXTS.flatMap(([language, encodings, short, long]) =>
  encodings.split(" ").flatMap((encoding) => [
    { language, encoding, length: "a comment", words: short },
    { language, encoding, length: "some sentences", words: long },
  ]),
);

describe("a text in an encoding before UTF-8, or without a mark", () => {
  it.each(rows)("$encoding, $language, $length among code", ({ encoding, words }) => {
    const text = `// ${words}\nint main() { return 0; }\n`;
    const bytes = iconv.encode(text, encoding);
    expect(iconv.decode(bytes, encoding)).toBe(text);
    expect(decode(bytes)).toMatchObject({ kind: "text", text });
  });

  it.each(["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])(
    "%s with its mark, which is no text",
    (encoding) => {
      const bytes = iconv.encode("größe 🙂\n", encoding, { addBOM: true });
      expect(decode(bytes)).toMatchObject({ kind: "text", text: "größe 🙂\n" });
    },
  );
});

describe("a text of Western Europe", () => {
  it.each([
    "copyright © José Muñoz",
    "// Größe",
    "François Müller <f@x.org>",
    "à la carte",
    "25 °C ± 2 µm",
    "“quoted” – dashes…",
    "§ 5 ½ × 3",
    "prix: 5 €",
    "« entre guillemets » même s'il n'y a qu'un é",
    "Filen »navn« blev ikke fundet på æsken",
    "Bjørn Ærøskøbing, Åse",
    "l·lusió amb accents català",
  ])("is told where little speaks for it: %s", (text) => {
    expect(decode(iconv.encode(text, "windows-1252"))).toMatchObject({ text, encoding: "windows-1252" });
  });
});

describe("bytes that only look like wide characters", () => {
  it.each([
    ["a PNG's beginning", "89504e470d0a1a0a0000000d494844520000000300000005"],
    ["numbers of four bytes", "01000000020000000300000004000000"],
    ["numbers of two bytes", "00010203000407000001020300040700"],
    ["an ELF's beginning", "7f454c46020101000000000000000000"],
  ])("%s", (_, hex) => {
    expect(decode(Buffer.from(hex, "hex"))).toEqual({ kind: "binary" });
  });
});
