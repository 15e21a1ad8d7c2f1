import { describe, expect, it } from "vitest";
import { declared, outlineOf } from "../testing/outline.js";
import { processorMs } from "../testing/processor-time.js";
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

  it("that declare something are variables of the name they are given, others are nothing", async () => {
    const text =
      'static DEFINE_MUTEX(lock);\nDEFINE_PER_CPU(struct cpu, cpu_data);\nLIST_HEAD(all);\nEXPORT_SYMBOL(all);\nMODULE_LICENSE("GPL");\nmodule_init(start);\n';
    expect(await declared("a.c", text)).toEqual(["variable lock 1-1", "variable cpu_data 2-2", "variable all 3-3"]);
  });

  it("between a type and a name, or behind arguments, do not hide the function", async () => {
    const text =
      "void __lockfunc lock(int a) __acquires(a);\nint __init_memblock reserve(int a)\n{\n\treturn a;\n}\nstruct ops __net_initdata net_ops = { 1 };\n";
    expect(await declared("a.c", text)).toEqual(["function lock 1-1", "function reserve 2-5", "variable net_ops 6-6"]);
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

  it("cost no more than the length of the text", async () => {
    const texts = [
      "A_B\n".repeat(200_000),
      `SYSCALL_DEFINE1(${"a,".repeat(300_000)}`,
      `${"\n".repeat(100_000)}A_B`,
      "static ".repeat(100_000),
      'asm("a" : : "b" (c)'.repeat(20_000),
      `asm(${"(".repeat(100_000)}`,
      "__attribute__((a(b)".repeat(20_000),
      "DEFINE_MUTEX(a, ".repeat(20_000),
      `f() ${" ".repeat(100_000)}A_B_C`,
      "struct A_B_C(".repeat(20_000),
      "a b c ".repeat(50_000),
    ];
    for (const text of texts) {
      const spent = await processorMs(() => blankMacros(text));
      expect(spent, text.slice(0, 20)).toBeLessThan(2000);
    }
  });
});
