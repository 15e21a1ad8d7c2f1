import { describe, expect, it } from "vitest";
import { declared, outlineOf, referred } from "../testing/outline.js";
import { Positions } from "./positions.js";

const lines = (...all: string[]) => `${all.join("\n")}\n`;

async function find(path: string, text: string, qualifiedName: string) {
  const { declarations } = await outlineOf(path, text);
  const found = declarations.find((declaration) => declaration.qualifiedName === qualifiedName);
  if (!found) throw new Error(`${qualifiedName} is not among ${declarations.map((one) => one.qualifiedName)}`);
  return { ...found, code: text.slice(found.start, found.end) };
}

describe("decorated definitions", () => {
  const text = lines(
    "from dataclasses import dataclass",
    "",
    '@app.route("/status")',
    "@cache",
    "def status():",
    '    return "up"',
    "",
    "@dataclass(frozen=True)",
    "class Order:",
    "    amount: int",
    "",
    "    @property",
    "    def double(self):",
    "        return self.amount * 2",
    "",
    "@wraps(status)",
    "async def fetch(url):",
    "    return url",
  );

  it("are definitions that begin at their first decorator", async () => {
    expect(await declared("a.py", text)).toEqual([
      "function status 3-6",
      "route status./status 3-3",
      "class Order 8-14",
      "field Order.amount 10-10",
      "method Order.double 12-14",
      "function fetch 16-18",
    ]);
  });

  it("have the signature of what is defined, not of the decorator", async () => {
    expect((await find("a.py", text, "Order.double")).signature).toBe("def double(self)");
  });
});

describe("nested definitions", () => {
  const text = lines(
    "def outer():",
    "    first = 1",
    "    def inner():",
    "        return first",
    "    class Part:",
    "        def run(self): pass",
    "    return inner() + first",
  );

  it("keep the text of the outer whole", async () => {
    expect((await find("a.py", text, "outer")).code).toBe(text.trimEnd());
  });

  it("are named by what they lie in, and local variables are none", async () => {
    expect(await declared("a.py", text)).toEqual([
      "function outer 1-7",
      "function outer.inner 3-4",
      "class outer.Part 5-6",
      "method outer.Part.run 6-6",
    ]);
  });

  it("give a call the innermost definition around it", async () => {
    expect(await referred("a.py", text)).toContain("call inner in outer");
  });
});

describe("characters beyond ASCII", () => {
  const text = lines("// größer 漢字 🙂", "fn größe(x: u8) -> u8 {", "    x // 🙂", "}", "fn danach() {}");

  it("do not shift a definition's text", async () => {
    expect((await find("a.rs", text, "größe")).code).toMatch(/^fn größe[\s\S]*\}$/);
    expect((await find("a.rs", text, "danach")).code).toBe("fn danach() {}");
  });

  it("are counted in UTF-8 bytes", () => {
    const positions = new Positions(text);
    for (const index of [0, 5, text.indexOf("漢"), text.indexOf("danach"), text.length]) {
      expect(positions.byteAt(index)).toBe(Buffer.byteLength(text.slice(0, index)));
    }
    const long = "ä🙂".repeat(2000);
    expect(new Positions(long).byteAt(3000)).toBe(6000);
    expect(new Positions("a\ud800b").byteAt(2)).toBe(Buffer.byteLength("a\ud800"));
  });
});

describe("documentation", () => {
  it("is the comment directly above, above attributes too, without its marks", async () => {
    const text = lines("/// First line.", "/// Second.", "#[inline]", "fn f() {}", "", "// Apart.", "", "fn g() {}");
    expect((await find("a.rs", text, "f")).docstring).toBe("First line.\nSecond.");
    expect((await find("a.rs", text, "g")).docstring).toBe("");
  });

  it("is a block comment's words", async () => {
    const text = lines("/**", " * Adds.", " * @param a one", " */", "export function add(a) {}");
    expect((await find("a.js", text, "add")).docstring).toBe("Adds.\n@param a one");
  });

  it("keeps the comment's own lines and where they are, if it lies above", async () => {
    const text = lines(
      "",
      "// First.",
      "//",
      "//   Second.",
      "@Deprecated",
      "class A {",
      "  /* On f. */",
      "  void f() {}",
      "}",
    );
    expect((await find("A.java", text, "A")).comment).toEqual({ raw: "// First.\n//\n//   Second.", firstLine: 2 });
    expect((await find("A.java", text, "A.f")).comment).toEqual({ raw: "  /* On f. */", firstLine: 7 });
    const inside = lines("# above", "def f():", '    """Inside."""');
    const found = await find("a.py", inside, "f");
    expect([found.docstring, found.comment]).toEqual(["Inside.", undefined]);
    expect((await outlineOf("a.py", inside)).declarations.map(({ kind }) => kind)).toEqual(["window", "function"]);
  });

  it("is cut at the end of a line when it is very long, and windows hold the rest", async () => {
    const text = lines(...Array.from({ length: 150 }, (_, n) => `// ${"word ".repeat(30)}${n}`), "function f() {}");
    const { comment } = await find("a.js", text, "f");
    expect(comment!.raw.length).toBeLessThanOrEqual(16 * 1024);
    expect(text).toContain(`${comment!.raw}\n`);
    const windows = (await outlineOf("a.js", text)).declarations.filter(({ kind }) => kind === "window");
    expect(text.slice(windows[0]!.start, windows.at(-1)!.end)).toContain("word 149");
    expect(text.slice(0, windows[0]!.start)).toBe(`${comment!.raw}\n`);
  });

  it("is a docstring inside the body", async () => {
    const text = lines("class A:", '    """Holds."""', "    def f(self):", "        '''Does", "        it.'''");
    expect((await find("a.py", text, "A")).docstring).toBe("Holds.");
    expect((await find("a.py", text, "A.f")).docstring).toBe("Does\nit.");
  });

  it("is not a first line that names an interpreter", async () => {
    expect((await find("a.py", lines("#!/usr/bin/python3", "def f(): pass"), "f")).docstring).toBe("");
  });
});

describe("every line with a word in it", () => {
  const texts: Record<string, string> = {
    "a.py": lines(
      "import os",
      "",
      "X = 1",
      "# about f",
      "",
      "def f():",
      "    return 1",
      "print(f())",
      "class A: pass",
      "A()",
    ),
    "a.rs": lines("//! crate", "use a::b;", "impl X {", "    fn f() {}", "}", "x!{}"),
    "a.md": lines("before", "# One", "text", "Two", "---", "more"),
    "a.unknown": lines(...Array.from({ length: 200 }, (_, index) => `line ${index}`)),
    "broken.ts": lines("class {{{", "function f( {", "let ok = 1"),
    "a.sql": `${"x ".repeat(20_000)}\nlast`,
    "empty.py": "",
    "long.ts": lines(
      "export function long() {",
      `${"word() + ".repeat(20_000)}LAST_OF_LINE;`,
      ...Array.from({ length: 9000 }, (_, n) => `  call${n}();`),
      "}",
    ),
    "crlf.py": "def f():\r\n    return 1\r\nx = 2\r\n",
  };
  it.each(Object.keys(texts))("of %s is in a declaration or a window", async (path) => {
    const text = texts[path]!;
    const { declarations } = await outlineOf(path, text);
    const seen = declarations.map(({ start, end, docstring }) => `${text.slice(start, end)}\n${docstring}`).join("\n");
    const words = (all: string) => new Set(all.match(/[\p{L}\p{N}_]+/gu));
    const found = words(seen);
    expect([...words(text)].filter((word) => !found.has(word))).toEqual([]);
  });

  it("is cut into windows of bounded size, in order, without overlap", async () => {
    const { declarations } = await outlineOf("a.sql", texts["a.sql"]!);
    expect(declarations.every(({ start, end }) => end - start <= 8192)).toBe(true);
    for (const [index, { start }] of declarations.entries()) {
      if (index > 0) expect(start).toBeGreaterThanOrEqual(declarations[index - 1]!.end);
    }
  });
});

/** The same characters each time, of the kinds that programs are made of. */
function randomText(length: number): string {
  const characters = "abc xyz(){}[]<>;:,.\"'`/*#@=+-\\\n\t01é漢";
  let seed = 7;
  let text = "";
  while (text.length < length) {
    seed = (seed * 16807) % 2147483647;
    text += characters[seed % characters.length];
  }
  return text;
}

describe("hostile texts", () => {
  const texts: [name: string, path: string, text: string][] = [
    ["a minified line of 5 MB", "a.js", "function a(b){return b(c,1)};".repeat(180_000)],
    ["200,000 open brackets", "a.ts", "(".repeat(200_000)],
    ["200,000 braces", "a.c", "{".repeat(200_000)],
    ["3 MB of short lines", "a.go", "x := 1\n".repeat(450_000)],
    ["100,000 nested quotes", "a.md", "> ".repeat(100_000)],
    ["a heading of a megabyte", "a.md", `#${" #".repeat(500_000)}`],
    ["one long run of spaces", "a.py", `def f(${" ".repeat(300_000)}): pass`],
    ["5,000 functions inside each other", "a.js", `${"function a(){".repeat(5000)}${"}".repeat(5000)}`],
    ["a line of 10 MB", "a.py", `x = "${"a b ".repeat(2_500_000)}"`],
    ["random bytes", "a.ts", randomText(200_000)],
    ["random bytes in C", "a.c", randomText(200_000)],
    ["100,000 keys", "a.json", `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`],
    ["700 levels of a mapping", "a.yaml", Array.from({ length: 700 }, (_, n) => `${" ".repeat(n)}a:`).join("\n")],
    ["20,000 nested elements", "a.xml", `${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}`],
    ["20,000 scripts", "a.html", "<script>f()</script>".repeat(20_000)],
    ["100,000 attributes", "a.rs", `${"#[a]\n".repeat(100_000)}fn f() {}`],
  ];
  it.each(texts)("%s are read within the bounds", { timeout: 120_000 }, async (_, path, text) => {
    const before = process.cpuUsage();
    const { declarations } = await outlineOf(path, text);
    // Of the processor, in seconds: the clock says how busy the machine is.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(12);
    expect(declarations.length).toBeLessThan(100_000);
    const written = declarations.reduce(
      (sum, { start, end, qualifiedName }) => sum + end - start + qualifiedName.length,
      0,
    );
    expect(written).toBeLessThan(20 * text.length + 5_000_000);
  });
});
