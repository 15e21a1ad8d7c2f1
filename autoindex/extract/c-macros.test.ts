import { describe, expect, it } from "vitest";
import { declared, outlineOf } from "../testing/outline.js";
import { blankMacros } from "./c-macros.js";

describe("macros in C and C++", () => {
  it("are overwritten without moving anything", () => {
    const text =
      "class EXPORT_API Bar : public B {\n  Q_OBJECT_X\n int größe; };\r\nSYSCALL_DEFINE1(close, unsigned int, fd)\n{ }\n";
    const blanked = blankMacros(text);
    expect(blanked).toHaveLength(text.length);
    for (const word of ["Bar", "größe", "close"]) expect(blanked.indexOf(word)).toBe(text.indexOf(word));
    expect(blanked).not.toMatch(/EXPORT_API|Q_OBJECT_X|SYSCALL/);
  });

  it("leave enumerators, types in capitals and calls alone", () => {
    const text = "enum e {\n  FIRST_ONE,\n  LAST_ONE\n};\nBOOL run(HANDLE h);\nint f() { return ANY_CALL(1)\n + 1; }\n";
    expect(blankMacros(text)).toBe(text);
  });

  it("do not hide functions and classes", async () => {
    const c =
      "static int __init start(void)\n{\n\treturn 0;\n}\nSYSCALL_DEFINE2(read, unsigned int, fd, char __user *, buf)\n{\n\treturn 1;\n}\n";
    expect(await declared("a.c", c)).toEqual(["function start 1-4", "function read 5-8"]);
    const cpp =
      "LIB_BEGIN_NAMESPACE\nclass LIB_API Store : public Base {\n  int at;\n};\nLIB_EXPORT int open(int a) { return a; }\n";
    expect(await declared("a.cpp", cpp)).toEqual(["class Store 2-4", "field Store.at 3-3", "function open 5-5"]);
  });

  it("that define functions give them the name they are given", async () => {
    const text = "BEGIN_CASE(first) {\n  f();\n}\nEND_CASE\n\nBEGIN_CASE(second, int a)\n{\n}\nEND_CASE\n";
    expect(await declared("a.c", text)).toEqual(["function first 1-3", "function second 6-8"]);
  });

  it("that define tests give them their names", async () => {
    expect(await declared("a.cc", "TEST_F(Store, Opens) {\n  EXPECT_EQ(1, open());\n}\n")).toEqual([
      "test Store.Opens 1-3",
    ]);
  });

  it("keep their text in what is found", async () => {
    const text = "LIB_EXPORT int open(int a) { return a; }\n#if X\nint y = ;;;\n";
    const { declarations } = await outlineOf("a.cpp", text);
    expect(declarations.some(({ start, end }) => text.slice(start, end).includes("LIB_EXPORT"))).toBe(true);
  });

  it("cost no more than the length of the text", () => {
    const texts = [
      "A_B\n".repeat(200_000),
      `SYSCALL_DEFINE1(${"a,".repeat(300_000)}`,
      `${"\n".repeat(100_000)}A_B`,
      "static ".repeat(100_000),
    ];
    for (const text of texts) {
      const started = performance.now();
      blankMacros(text);
      expect(performance.now() - started, text.slice(0, 20)).toBeLessThan(2000);
    }
  });
});
