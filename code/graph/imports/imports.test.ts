import { describe, expect, test } from "vitest";
import { importBindings, importsWithin, pathFromFile } from "./index.js";

/** `module name>alias`, with `!` where it is handed on. */
const read = (language: string, ...lines: string[]) =>
  importBindings(language, lines.join("\n")).map(
    ({ module, name, alias, isExported }) => `${module} ${name}>${alias}${isExported ? "!" : ""}`,
  );

describe("JavaScript and TypeScript", () => {
  test.each<[string, string[]]>([
    [`import { a, b as c, type D } from "./x.js";`, ["./x.js a>a", "./x.js b>c", "./x.js D>D"]],
    [`import type { T } from './t'`, ["./t T>T"]],
    [`import whole, { part } from "m";`, ["m part>part", "m default>whole"]],
    [`import * as ns from "m";`, ["m >ns"]],
    ["import {\n  a,\n  b,\n} from './x';", ["./x a>a", "./x b>b"]],
    [`export { a as b } from "./x";`, ["./x a>b!"]],
    [`export * from "./x";`, ["./x *>*!"]],
    [`export * as ns from "./x";`, ["./x >ns!"]],
    ["const a = 1;\nexport { a as b };", [" a>b!"]],
    [`const { a, b: c } = require("./x");`, ["./x a>a", "./x b>c"]],
    [`const x = require('./x');`, ["./x >x"]],
    [`// import { a } from "./x";\n/* import b from "y" */`, []],
    ["const text = `import { a } from './x'`;", []],
    [`import "./effects.js";`, []],
  ])("%s", (text, expected) => {
    expect(read("typescript", text)).toEqual(expected);
  });
});

describe("Python", () => {
  test.each<[string, string[]]>([
    ["from .a import b, c as d", [".a b>b!", ".a c>d!"]],
    ["from a.b import (\n    c,\n    d as e,\n)", ["a.b c>c!", "a.b d>e!"]],
    ["from . import sub", [". sub>sub!"]],
    ["from m import *", ["m *>*!"]],
    ["import a.b, c as d", ["a.b >a.b", "c >d"]],
    ["from a import b  # from c import d", ["a b>b!"]],
    ['"""\nfrom a import b\n"""', []],
  ])("%s", (text, expected) => {
    expect(read("python", text)).toEqual(expected);
  });
});

test("Go: packages by their last part or alias, dots as all names, blanks as nothing", () => {
  const text = [
    'import "fmt"',
    "import (",
    '  "a.com/x/store"',
    '  other "a.com/x/y"',
    '  . "dots"',
    '  _ "side"',
    '  "a.com/z/v2"',
    ")",
  ];
  expect(read("go", ...text)).toEqual([
    "fmt >fmt",
    "a.com/x/store >store",
    "a.com/x/y >other",
    "dots *>.",
    "a.com/z/v2 >z",
  ]);
});

test("Java and Kotlin: types out of packages, static members out of types", () => {
  const text = ["import a.b.C;", "import static a.b.C.run;", "import a.b.*;", "// import x.Y;"];
  expect(read("java", ...text)).toEqual(["a.b C>C", "a.b.C run>run", "a.b *>*"]);
  expect(read("kotlin", "import a.b.C as D")).toEqual(["a.b C>D"]);
});

test("Rust: each leaf of a tree of uses", () => {
  expect(
    read("rust", "use crate::a::{b, c::{self, D as E}, f::*};", "pub use x::Y;", "pub(crate) use self::z;"),
  ).toEqual(["crate::a b>b", "crate::a c>c", "crate::a::c D>E", "crate::a::f *>*", "x Y>Y!", "self z>z!"]);
});

test("Rust: a comment ends where those inside it have ended", () => {
  const text = [
    "/*! To use `a/*.rs` and `**/b`,",
    "use no::No;",
    "*/",
    "use a::B; // use c::D;",
    "/* unended use e::F;",
  ];
  expect(read("rust", ...text)).toEqual(["a B>B"]);
});

describe("Rust: uses of modules inside the file", () => {
  const text = [
    "use std::fs;",
    "mod a {",
    "  // }",
    '  const OPEN: &str = "}"; const RAW: &str = r#"}"}"#; const C: char = \'}\'; fn f<\'x>(v: &\'x str) {}',
    "  use super::Store;",
    "  #[cfg(test)] mod tests { use super::*; use super::super::{Mem}; use fs::read as fs; }",
    "  use crate::Last;",
    "}",
    "use crate::End;",
  ].join("\n");
  const all = importBindings("rust", text);

  test("count for the innermost module around them", () => {
    expect(all.map(({ name, within = "file" }) => `${name} ${within}`)).toEqual([
      ...["fs file", "Store a", "* a.tests", "Mem a.tests", "read a.tests", "Last a", "End file"],
    ]);
  });

  test("reach further in by use super::* alone, where they are not bound anew", () => {
    const within = (module: string) => importsWithin(all, module).map(({ name }) => name);
    expect(within("")).toEqual(["fs", "End"]);
    expect(within("a")).toEqual(["Store", "Last"]);
    expect(within("a.tests")).toEqual(["*", "Mem", "read", "Store", "Last"]);
    expect(within("b")).toEqual([]);
  });

  test.each([
    ["super", "tests", "self"],
    ["super::x", "tests", "self::x"],
    ["super::super", "tests", "super"],
    ["super", "a.tests", "self::a"],
    ["self", "a", "self::a"],
    ["crate::x", "tests", "crate::x"],
    ["super::x", "", "super::x"],
    ["std::fs", "tests", "std::fs"],
  ])("%s in %s is %s of the file", (written, within, expected) => {
    expect(pathFromFile(written, within)).toBe(expected);
  });
});

test("C includes all of a header, Ruby all of a file", () => {
  expect(read("c", '#include "a/b.h"', "#  include <stdio.h>", '// #include "no.h"')).toEqual([
    "a/b.h *>*!",
    "stdio.h *>*!",
  ]);
  expect(read("ruby", 'require "json"', "require_relative 'a'", 'require_relative("../b")')).toEqual([
    "json *>*!",
    "./a *>*!",
    "../b *>*!",
  ]);
});

test("a language without a reader imports nothing", () => {
  expect(read("cobol", "COPY something.")).toEqual([]);
});
