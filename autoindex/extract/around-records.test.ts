import { describe, expect, it } from "vitest";
import { detectLanguage } from "../languages/index.js";
import { isMostlyRecords, MAX_RECORD_WINDOWS, outlineAroundRecords, type TextToRead } from "./outline.js";
import { Positions } from "./positions.js";

function textOf(path: string, text: string): TextToRead {
  return { path, language: detectLanguage(path, text), positions: new Positions(text), isMinified: false };
}

async function namesIn(path: string, text: string): Promise<string[]> {
  const { declarations } = await outlineAroundRecords(textOf(path, text));
  return declarations.filter(({ kind }) => kind !== "window").map(({ kind, name }) => `${kind} ${name}`);
}

const insert = "INSERT INTO t VALUES (1, 'x');\n";

describe("a text that holds records", () => {
  it("of SQL keeps what it creates, before and behind its rows", async () => {
    const text = `CREATE TABLE a1 (a int);\n${insert}CREATE TABLE a2 (a int);\n`;
    expect(await namesIn("s6.sql", text)).toEqual(["struct a1", "struct a2"]);
  });

  it("of SQL keeps what it creates behind millions of characters of rows", async () => {
    const text = `${insert.repeat(100_000)}CREATE TABLE late (a int);\n`;
    expect(await namesIn("dump.sql", text)).toEqual(["struct late"]);
  });

  it("refers to a table once for each declaration, not once for each row", async () => {
    const text = `CREATE VIEW v AS SELECT * FROM t;\n${insert.repeat(50)}`;
    const { references } = await outlineAroundRecords(textOf("dump.sql", text));
    expect(references.map(({ name, enclosing }) => `${name} in ${enclosing}`)).toEqual(["t in v"]);
  });

  it("has windows over its first rows only", async () => {
    const { declarations, parsed } = await outlineAroundRecords(textOf("dump.sql", insert.repeat(10_000)));
    expect([declarations.length, parsed]).toEqual([MAX_RECORD_WINDOWS, "partial"]);
  });

  it("in a page keeps its scripts and sections", async () => {
    const text =
      "<h1>Prices</h1>\n<table><tr><th>a</th></tr><tr><td>1</td></tr></table>\n<script>\nfunction sort() {}\n</script>\n";
    expect(await namesIn("page.html", text)).toEqual(["section Prices", "function sort"]);
  });

  it.each([
    ["two rows behind a schema", `CREATE TABLE a1 (\n  a int,\n  b text\n);\n${insert}`, false],
    ["rows behind a table", `CREATE TABLE t (a int);\n${insert.repeat(20)}`, true],
    ["rows alone", insert, true],
  ])("is mostly records where they are most of its text: %s", async (_, text, mostly) => {
    const read = textOf("a.sql", text);
    expect(isMostlyRecords(read, await outlineAroundRecords(read))).toBe(mostly);
  });
});

describe("a name in SQL", () => {
  it.each([
    ["CREATE TABLE db.shop.orders (a int);", "shop.orders"],
    ['CREATE TABLE "my shop"."big orders" (a int);', "my shop.big orders"],
    ["CREATE TABLE [dbo].[Order Details] (a int);", "dbo.Order Details"],
    ["CREATE TABLE `größe` (a int);", "größe"],
    ["create temporary table if not exists #tmp (a int);", "#tmp"],
  ])("is whole: %s", async (text, name) => {
    const { declarations } = await outlineAroundRecords(textOf("a.sql", `${text}\n`));
    expect(declarations[0]!.qualifiedName).toBe(name);
  });
});
