import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { blobId } from "./blob.js";
import type { Expected } from "./controls.js";
import { decode } from "./decode.js";
import { classify, isMinified } from "./file-class.js";

/** Bytes that look like packed ones, the same each time. */
function noise(length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash("sha256").update(`${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("decoding", () => {
  const cases: [name: string, bytes: Uint8Array, text: string, encoding: string][] = [
    ["nothing", Buffer.alloc(0), "", "utf-8"],
    ["UTF-8", Buffer.from("größe 🙂"), "größe 🙂", "utf-8"],
    ["UTF-8 with a mark", Buffer.from("\uFEFFgröße"), "größe", "utf-8-bom"],
    ["UTF-16, low byte first", Buffer.from("\uFEFFgröße", "utf16le"), "größe", "utf-16le"],
    ["UTF-16, high byte first", swapped("\uFEFFgröße"), "größe", "utf-16be"],
    ["one-byte Western", Buffer.from("gr\xf6\xdfe \x80", "latin1"), "größe €", "windows-1252"],
    ["escape sequences", Buffer.from("\x1b[31mred\x1b[0m\t\r\n"), "\x1b[31mred\x1b[0m\t\r\n", "utf-8"],
  ];
  it.each(cases)("%s", (_, bytes, text, encoding) => {
    expect(decode(bytes)).toEqual({ kind: "text", text, encoding });
  });

  const legacy: [encoding: string, text: string, base64: string][] = [
    [
      "shift_jis",
      "// 設定ファイルを読み込む\nint load(void);\n",
      "Ly8gkN2S6IN0g0CDQ4OLgvCTx4LdjZ6C3gppbnQgbG9hZCh2b2lkKTsK",
    ],
    [
      "euc-jp",
      "# ユーザーの一覧を返す\ndef users(): pass\n",
      "IyCl5qG8pbahvKTOsOzN96TyytakuQpkZWYgdXNlcnMoKTogcGFzcwo=",
    ],
    ["gb18030", "// 返回所有用户的列表\nfunc users() {}\n", "Ly8gt7W72Mv509DTw7untcTB0LHtCmZ1bmMgdXNlcnMoKSB7fQo="],
    ["big5", "// 傳回所有使用者的清單\nvar a = 1;\n", "Ly8gtsemXqnSprOoz6XOqsyqurJNs+YKdmFyIGEgPSAxOwo="],
    [
      "euc-kr",
      "// 사용자 목록을 반환하는 함수\nint f();\n",
      "Ly8gu+e/68DaILjxt8/AuyC53civx8+0wiDH1Lz2CmludCBmKCk7Cg==",
    ],
    [
      "koi8-r",
      "# Возвращает список пользователей\nx = 1\n",
      "IyD3z9rX0sHdwcXUINPQydPPyyDQz8zY2s/XwdTFzMXKCnggPSAxCg==",
    ],
    ["windows-1251", "// Читает настройки из файла\nint x;\n", "Ly8g1+jy4OXyIO3g8fLw7unq6CDo5yD04Onr4AppbnQgeDsK"],
    [
      "windows-1252",
      "// Größe für Straße, déjà créée à l’été\nint x;\n",
      "Ly8gR3L232UgZvxyIFN0cmHfZSwgZOlq4CBjcunpZSDgIGyS6XTpCmludCB4Owo=",
    ],
    ["windows-1252", "copyright © José Muñoz\n", "Y29weXJpZ2h0IKkgSm9z6SBNdfFvego="],
  ];
  it.each(legacy)("tells %s by the letters of the text: %s", (encoding, text, base64) => {
    expect(decode(Buffer.from(base64, "base64"))).toEqual({ kind: "text", text, encoding });
  });

  it("keeps UTF-8 in which a few bytes are damaged, each of them marked", () => {
    const bytes = Buffer.concat([Buffer.from("größer, schöner, weiß "), Buffer.of(0xe9), Buffer.from(" ende")]);
    expect(decode(bytes)).toEqual({
      kind: "text",
      text: "größer, schöner, weiß \ufffd ende",
      encoding: "utf-8 (damaged)",
    });
    const cut = Buffer.from("日本語のテキスト").subarray(0, -1);
    expect(decode(cut)).toEqual({ kind: "text", text: "日本語のテキス\ufffd", encoding: "utf-8 (damaged)" });
  });

  it.each([
    ["text before packed bytes", Buffer.concat([Buffer.from("exit\n".repeat(1000)), noise(5000)])],
    ["NULs between names", Buffer.from("one.ts\0two.ts\0three.ts\0".repeat(50))],
    ["a short name and NULs", Buffer.from("LABEL\0\0\0\0\0\0\0\0")],
    ["NULs alone", Buffer.alloc(4096)],
    ["many control bytes", Buffer.from(Array.from({ length: 100 }, (_, at) => (at % 5 === 0 ? 1 : 65)))],
    ["two-byte numbers", Buffer.from([0, 1, 2, 3, 0, 4, 7, 0])],
  ])("%s is binary", (_, bytes) => {
    expect(decode(bytes)).toEqual({ kind: "binary" });
  });
});

describe("a text with a few bytes that no text has", () => {
  const source = "export function first() {}\n\nexport function second() {}\n";
  const cases: [name: string, text: string, expected: Expected][] = [
    ["a NUL between two functions", source.replace("\n\n", "\n\0\n"), "text"],
    ["a NUL in 2 KB, by whatever name", `${source.repeat(40)}\0${source}`, "anything"],
    ["a padding of NULs", `${source}${"\0".repeat(4096)}`, "text"],
    ["a padding of NULs, by whatever name", `${source}${"\0".repeat(4096)}`, "anything"],
    ["separators of records and vertical tabs", "a = 1\x0b\x1c\x1d\nb = 2\nc = 33\n", "text"],
    ["backspaces", "s\bse\bee\be\n", "anything"],
  ];
  it.each(cases)("%s is that text, every character of it", (_, text, expected) => {
    expect(decode(Buffer.from(text), expected)).toEqual({ kind: "text", text, encoding: "utf-8" });
  });

  it("may have a byte order mark, or wide characters", () => {
    const text = `${source.repeat(40)}\0`;
    expect(decode(Buffer.from(`\ufeff${text}`))).toMatchObject({ text, encoding: "utf-8-bom" });
    expect(decode(Buffer.from(`\ufeff${text}`, "utf16le"))).toMatchObject({ text, encoding: "utf-16le" });
  });

  it("may be Latin-1 where only its end is padded", () => {
    const bytes = Buffer.concat([Buffer.from("// Gr\xf6\xdfe\n", "latin1"), Buffer.alloc(100)]);
    expect(decode(bytes, "text")).toMatchObject({ kind: "text", encoding: "windows-1252" });
  });

  it.each([
    ["an ELF's beginning", "7f454c4602010100000000000000000003003e0001000000"],
    ["a PNG's beginning", "89504e470d0a1a0a0000000d494844520000000300000005"],
    ["a class of Java", "cafebabe00000034001d0a0006000f09001000110800120a"],
  ])("%s is binary by whatever name", (_, hex) => {
    expect(decode(Buffer.from(hex, "hex"), "text")).toEqual({ kind: "binary" });
  });
});

describe("the blob id", () => {
  it("is git's", () => {
    for (const text of ["", "hello\n", "größe"]) {
      const git = execFileSync("git", ["hash-object", "--stdin"], { input: text, encoding: "utf8" }).trim();
      expect(blobId(Buffer.from(text))).toBe(git);
    }
  });
});

describe("the class of a file", () => {
  const cases: [path: string, language: string, text: string, expected: string][] = [
    ["src/a.ts", "typescript", "", "source"],
    ["src/a.test.ts", "typescript", "", "test"],
    ["tests/a.py", "python", "", "test"],
    ["pkg/a_test.go", "go", "", "test"],
    ["src/latest.ts", "typescript", "", "source"],
    ["src/contest/a.py", "python", "", "source"],
    ["node_modules/x/index.js", "javascript", "", "vendored"],
    ["a.pb.go", "go", "", "generated"],
    ["a.go", "go", "// Code generated by x. DO NOT EDIT.", "generated"],
    ["package-lock.json", "json", "", "generated"],
    ["package.json", "json", "", "config"],
    ["docs/a.md", "markdown", "", "docs"],
    ["a.csv", "csv", "", "data"],
  ];
  it.each(cases)("of %s is %s", (path, language, text, expected) => {
    expect(classify({ path, language, text, isRecords: false, isMinified: false })).toBe(expected);
  });

  it("knows minified text by its lines", () => {
    expect(isMinified("x".repeat(50_000), 3)).toBe(true);
    expect(isMinified(`${"x".repeat(40)}\n`.repeat(5000), 5000)).toBe(false);
  });
});
