import { expect, test } from "vitest";
import { outlineOf } from "../testing/outline.js";
import { edgesOf, importsOf } from "./edges.js";

async function edges(path: string, ...lines: string[]): Promise<Record<string, object>> {
  const outline = await outlineOf(path, lines.join("\n"));
  return Object.fromEntries(
    [...edgesOf(outline)].map(([{ kind, qualifiedName }, lists]) => [`${kind} ${qualifiedName}`, lists]),
  );
}

test("a call counts for the innermost declaration around it, each name once, sorted", async () => {
  const found = await edges(
    "a.ts",
    "class A extends Base implements I {",
    "  run() {",
    "    const inner = () => leaf();",
    "    z(); inner(); z(); new Thing();",
    "  }",
    "}",
    "start();",
  );
  expect(found).toEqual({
    "class A": { uses: ["Base", "I"], supers: ["Base", "I"] },
    "method A.run": { calls: ["Thing", "inner", "z"] },
    "function A.run.inner": { calls: ["leaf"] },
    "window a.ts": { calls: ["start"] },
  });
});

test("a trait counts for the type that it is implemented for, in the file that declares both", async () => {
  const found = await edges(
    "a.rs",
    "struct Dog;",
    "impl Speak for Dog {",
    "  fn speak(&self) { bark(); }",
    "}",
    "impl Run for Cat {}",
  );
  expect(found["struct Dog"]).toEqual({ supers: ["Speak"] });
  expect(found["method Dog.speak"]).toEqual({ calls: ["bark"] });
});

test("a type inherits what an extension that is all in one line says", async () => {
  const found = await edges(
    "a.swift",
    "struct S {}",
    "extension S: Equatable { static func == (a: S, b: S) -> Bool { true } }",
  );
  expect(found["struct S"]).toEqual({ supers: ["Equatable"] });
});

test.each<[string, string, string[]]>([
  [
    "a.ts",
    'import { b as c } from "./b.js";\nexport { d } from "./e.js";\nimport "./f.js";',
    ["./b.js", "./e.js", "./f.js"],
  ],
  ["a.py", "from a.b import c, d\nfrom .e import f as g\nimport h.i as j, k\n", [".e", "a.b", "h.i", "k"]],
  ["a.rs", "use a::b::C;\nuse d::{e, f::G};\nuse h::*;\n", ["a::b", "d", "h"]],
  ["a.go", 'package a\n\nimport (\n  "fmt"\n  x "a.com/y"\n)\n', ["a.com/y", "fmt"]],
])("the imports of %s are modules, not what is taken out of them", async (path, text, expected) => {
  const { references } = await outlineOf(path, text);
  expect(importsOf(references)).toEqual(expected);
});
