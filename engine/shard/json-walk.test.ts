import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { twinKernels } from "../kernels/load.js";
import { skipValue } from "./json-skip.js";
import { stringText } from "./json-strings.js";
import { checkEnd, createWalk, readString, startWalk } from "./json-walk.js";

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
const bytes = new Uint8Array(memory.buffer);
const kernels = twinKernels(memory);

function check(source: Uint8Array | string): void {
  bytes.fill(0);
  const raw = typeof source === "string" ? Buffer.from(source) : source;
  bytes.set(raw, 7);
  const walk = createWalk(bytes, kernels);
  startWalk(walk, 7, 7 + raw.length);
  skipValue(walk, 0);
  checkEnd(walk);
}

describe("grammar", () => {
  test.each(['{"a":[1,-2.5e+3,true,false,null,"x"]}', " [ ] ", '{"":{}}', "0", '"\\u00e4\\n"', "1E5"])(
    "%s passes",
    (text) => {
      expect(() => check(text)).not.toThrow();
    },
  );

  test.each([
    ['{"a":1,}', "Unexpected '}', expected a field name at line 1, column 8 (byte 7)"],
    ['{"a" 1}', "Unexpected '1', expected ':' at line 1, column 6 (byte 5)"],
    ["{\n 'a':1}", "Unexpected ''', expected a field name or '}' at line 2, column 2 (byte 3)"],
    ["[1 2]", "Unexpected '2', expected ',' or ']' at line 1, column 4 (byte 3)"],
    ["[1,]", "Unexpected ']', expected a value at line 1, column 4 (byte 3)"],
    ["01", "Leading zeroes not allowed at line 1, column 1 (byte 0)"],
    ["1.", "Unexpected end of the document, expected a digit at line 1, column 3 (byte 2)"],
    ["-", "Unexpected end of the document, expected a digit at line 1, column 2 (byte 1)"],
    ["tru", "Unexpected 't', expected a value at line 1, column 1 (byte 0)"],
    ['"a', "Unexpected end of the document in a string at line 1, column 3 (byte 2)"],
    ['"a\nb"', "Illegal unquoted control character 0xa in a string at line 1, column 3 (byte 2)"],
    ['"\\x"', "Unrecognized character escape at line 1, column 2 (byte 1)"],
    ['"\\u12g4"', "Bad \\u escape at line 1, column 2 (byte 1)"],
    ["1 1", "Found extra data after the document at line 1, column 3 (byte 2)"],
    ["", "Unexpected end of the document, expected a value at line 1, column 1 (byte 0)"],
    ['{"a":1,"\\u0061":2}', "Duplicate field 'a' at line 1, column 8 (byte 7)"],
    ["NaN", "Unexpected 'N', expected a value at line 1, column 1 (byte 0)"],
  ])("%s: %s", (text, message) => {
    expect(() => check(text)).toThrow(message);
  });

  test.each([[0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xc3], [0x80]])(
    "bytes that are no UTF-8 are refused: %j",
    (...bytes) => {
      expect(() => check(Uint8Array.from([0x22, ...bytes, 0x22]))).toThrow("Invalid UTF-8");
    },
  );

  test("accepts and refuses what JSON.parse accepts and refuses", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      '"a"',
      '"b"',
      "1",
      "-",
      ".5",
      "e2",
      "true",
      "null",
      " ",
      "\\",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        let parsed = true;
        let duplicate = false;
        try {
          JSON.parse(text);
        } catch {
          parsed = false;
        }
        let passed = true;
        try {
          check(text);
        } catch (error) {
          passed = false;
          duplicate = error instanceof Error && error.message.startsWith("Duplicate");
        }
        expect(passed || duplicate, text).toBe(parsed);
      }),
      { numRuns: 3000, verbose: true },
    );
  });
});

describe("strings", () => {
  test("escapes mean what JSON.parse says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const ascii = JSON.stringify(text).replace(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        const raw = Buffer.from(ascii);
        bytes.set(raw, 0);
        const walk = createWalk(bytes, kernels);
        startWalk(walk, 0, raw.length);
        readString(walk);
        const length = kernels.unescapeText(walk.stringStart, walk.stringEnd, 2048);
        expect(Buffer.from(bytes.subarray(2048, 2048 + length)).toString()).toBe(text);
        expect(stringText(bytes, walk.stringStart, walk.stringEnd, walk.stringFlags)).toBe(text);
      }),
      { verbose: true },
    );
  });
});
