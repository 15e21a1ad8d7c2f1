import { expect, test } from "vitest";
import { DECLARATION_KINDS, TEXT_KINDS } from "../kinds.js";
import { PROPERTIES } from "../mappings.js";
import * as weights from "./weights.js";

const { BOOST, FORM_FIELDS, KINDS, PHRASE_FIELDS, PROSE_BOOST, PROSE_FIELDS, PROSE_KINDS, PROSE_PARTS, WORD_FIELDS } =
  weights;

test("every weight is a positive number", () => {
  const tables = [BOOST, FORM_FIELDS, PHRASE_FIELDS, PROSE_BOOST, PROSE_FIELDS, PROSE_PARTS, WORD_FIELDS];
  for (const weight of tables.flatMap((table) => Object.values<number>(table))) expect(weight).toBeGreaterThan(0);
});

test.each([
  ["words", KINDS],
  ["prose", PROSE_KINDS],
] as const)("each kind of declaration weighs once for %s, the heavier first, and text nothing", (_of, table) => {
  const kinds = table.flatMap((row) => row.kinds);
  expect([...kinds].sort()).toEqual(
    DECLARATION_KINDS.filter((kind) => !TEXT_KINDS.some((text) => text === kind)).sort(),
  );
  const boosts = table.map(({ boost }) => boost);
  expect(boosts).toEqual([...boosts].sort((a, b) => b - a));
});

test("every field is one of declarations", () => {
  const properties = PROPERTIES["pinakes-decls"] as Record<string, { fields?: Record<string, unknown> }>;
  const fields = [FORM_FIELDS, PHRASE_FIELDS, PROSE_FIELDS, WORD_FIELDS].flatMap((table) => Object.keys(table));
  for (const field of fields) {
    const [name = "", sub] = field.split(".");
    expect(properties[name], field).toBeDefined();
    if (sub !== undefined) expect(properties[name]?.fields, field).toHaveProperty(sub);
  }
});

test("a name as it was typed counts more than in another case, and there more when it was typed without capitals", () => {
  expect(BOOST.exactName).toBeGreaterThan(BOOST.anyCaseName);
  expect(BOOST.anyCaseName).toBeGreaterThan(BOOST.otherCaseName);
  expect(BOOST.exactQualifiedName).toBeGreaterThan(BOOST.anyCaseQualifiedName);
});

test("the whole name counts more than names joined of words, and these more than names with all words in them", () => {
  expect(BOOST.exactName).toBeGreaterThan(BOOST.joinedName);
  expect(BOOST.joinedName).toBeGreaterThan(BOOST.allWordsInName);
  expect(BOOST.nameBegins).toBeLessThan(BOOST.exactName);
});
