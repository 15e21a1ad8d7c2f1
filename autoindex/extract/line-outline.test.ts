import { describe, expect, it } from "vitest";
import { OUTLINES } from "../languages/outlines/index.js";
import { declared, outlineOf } from "../testing/outline.js";
import { processorMs } from "../testing/processor-time.js";
import { outlineLines } from "./line-outline.js";
import { Positions } from "./positions.js";

const lines = (...all: string[]) => `${all.join("\n")}\n`;

describe("a text that is read line by line", () => {
  it("has its comments above declarations as their documentation", async () => {
    const { declarations } = await outlineOf("a.sql", lines("-- Who buys.", "create table people (", "  id int", ");"));
    expect(declarations[0]).toMatchObject({ name: "people", docstring: "Who buys.", comment: { firstLine: 1 } });
  });

  it("has nothing of what stands in comments", async () => {
    expect(
      await declared("a.proto", lines("/*", "message No {", "}", "*/", "// message No {}", "message Yes {", "}")),
    ).toEqual(["struct Yes 6-7"]);
  });

  it("does not take a brace in a string for one", async () => {
    const text = lines("fun = 1", "sub a {", '  my $x = "}";', "}", "sub b { }");
    expect(await declared("a.pl", text)).toEqual(["function a 2-4", "function b 5-5"]);
  });

  it("ends a statement at its semicolon, but not inside dollar quotes", async () => {
    const text = lines(
      "create function f() returns int as $x$",
      "  select 1;",
      "$x$ language sql;",
      "create table t (a int);",
    );
    expect(await declared("a.sql", text)).toEqual(["function f 1-3", "struct t 4-4"]);
  });

  it("whose patterns find nothing is windows", async () => {
    const { parsed, declarations } = await outlineOf("a.sql", "nothing here\n");
    expect([parsed, declarations.map(({ kind }) => kind)]).toEqual(["windows", ["window"]]);
  });
});

describe("hostile lines", () => {
  const texts = [
    "a".repeat(100_000),
    "(".repeat(100_000),
    "{".repeat(100_000),
    `${"function f(".repeat(8)}\n`.repeat(500),
    `${"public static ".repeat(25)}\n`.repeat(300),
    `${"a:b ".repeat(90)}\n`.repeat(300),
    `${"[x] ".repeat(90)}\n`.repeat(300),
    `${" ".repeat(390)}x\n`.repeat(300),
    `${"\t".repeat(390)}(\n`.repeat(300),
    "function f() {\n".repeat(3000),
    "= x\n== y\n".repeat(3000),
    `${"<<A ".repeat(90)}\n`.repeat(300),
    `${'""" '.repeat(91)}\n`.repeat(301),
    "use constant {\n  A => 1,\n".repeat(3000),
    `type T = ${"A | ".repeat(90)}\n`.repeat(300),
    `${"größe.".repeat(60)}(\n`.repeat(300),
  ];
  it.each(Object.keys(OUTLINES))(
    "cost %s no more than their length",
    async (name) => {
      for (const text of texts) {
        let declarations: ReturnType<typeof outlineLines>["declarations"] = [];
        const spent = await processorMs(() => {
          ({ declarations } = outlineLines(OUTLINES[name]!, new Positions(text)));
        });
        expect(spent, JSON.stringify(text.slice(0, 30))).toBeLessThan(4000);
        expect(declarations.every(({ start, end }) => start < end && end <= text.length)).toBe(true);
      }
    },
    60_000,
  );
});
