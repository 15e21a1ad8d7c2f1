import { describe, expect, it } from "vitest";
import { OUTLINES } from "../languages/outlines/index.js";
import { LANGUAGE_FIXTURES } from "../testing/fixtures/index.js";
import { outlineLines } from "./line-outline.js";
import { Positions } from "./positions.js";

/** Words that the languages themselves give a meaning: written with other letters they have none. */
const WORDS_OF_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  awk: ["BEGIN", "END"],
  cmake: [
    "project",
    "find_package",
    "add_library",
    "add_executable",
    "add_test",
    "add_subdirectory",
    "include",
    "option",
    "set",
  ],
  cobol: ["IDENTIFICATION", "ENVIRONMENT", "DATA", "PROCEDURE", "DIVISION"],
  d: ["this", "unittest"],
  // A class is told by its T where one is made.
  pascal: ["Create", "TCart"],
  perl: ["new"],
  scheme: ["syntax"],
  vim: ["g"],
  "visual-basic": ["New"],
};

const ofCase = (word: string, capital: string, small: string) => (word === word.toUpperCase() ? capital : small);

/** Ways to write a word with letters beyond ASCII, as long as before: titles are underlined. */
const SPELLINGS: readonly [where: string, spell: (word: string) => string][] = [
  ["inside", (word) => `${word[0]}${ofCase(word, "Ö", "ö")}${word.slice(2)}`.slice(0, word.length)],
  ["at the end", (word) => `${word.slice(0, -1)}${ofCase(word, "Ñ", "ñ")}`],
  ["at the end, without case", (word) => (word.length > 1 ? `${word.slice(0, -1)}大` : word)],
  ["as a combining mark", (word) => (word.length > 1 ? `${word.slice(0, -1)}\u0308` : word)],
  ["at the beginning", (word) => `${/^[A-Z]/.test(word) ? "Ä" : "ж"}${word.slice(1)}`],
];

/** All that is read of a text, a line each. */
function readBy(language: string, text: string): string[] {
  const positions = new Positions(text);
  const { declarations, references } = outlineLines(OUTLINES[language]!, positions);
  const lineOf = (at: number) => positions.lineAt(at);
  return [
    ...declarations.map((one) => `${one.kind} ${one.qualifiedName} ${lineOf(one.start)}-${lineOf(one.end - 1)}`),
    ...references.map((one) => `${one.kind} ${one.name} in ${one.enclosing} ${lineOf(one.start)}`),
  ];
}

/** Words in the names of what is declared and referred to, but those that the language gives. */
function wordsOf(language: string, text: string): string[] {
  const { declarations, references } = outlineLines(OUTLINES[language]!, new Positions(text));
  const words = [...declarations, ...references].flatMap(({ name }) => name.match(/[A-Za-z_]\w*/g) ?? []);
  return [...new Set(words)].filter((word) => !WORDS_OF_LANGUAGES[language]?.includes(word));
}

describe.each(Object.keys(OUTLINES).filter((name) => name in LANGUAGE_FIXTURES))("names of %s", (language) => {
  const { text } = LANGUAGE_FIXTURES[language]!;
  const words = wordsOf(language, text);

  it.each(SPELLINGS)("are whole with a letter beyond ASCII %s", (_, spell) => {
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) {
      const respell = (all: string) => all.replace(new RegExp(`(?<!\\w)${word}(?!\\w)`, "g"), () => spell(word));
      const changed = respell(text);
      expect(readBy(language, changed), word).toEqual(readBy(language, text).map(respell));
    }
  });
});
