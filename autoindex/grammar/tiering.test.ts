import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { GRAMMARS } from "../languages/grammars.js";
import { grammarFile } from "./load.js";
import { isWorthTwice } from "./tiering.js";
import { HEADER_BYTES, largestFunction } from "./wasm-sections.js";

const module = (...bytes: number[]) => Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, ...bytes]);

/** A section of code: two functions, of 3 and of 130 bytes. */
const CODE = [10, 136, 1, 2, 3, 0, 1, 11, 130, 1, ...new Array<number>(129).fill(1), 11];

it("the largest function of a module is found behind its other sections", () => {
  expect(largestFunction(module(...CODE))).toBe(130);
  expect(largestFunction(module(0, 3, 1, 10, 10, ...CODE))).toBe(130);
});

it("a module without code has none", () => {
  expect(largestFunction(module())).toBe(0);
  expect(largestFunction(module(0, 3, 1, 10, 10))).toBe(0);
});

it("a module that ends in the middle is refused", () => {
  expect(() => largestFunction(module(...CODE).subarray(0, HEADER_BYTES + 4))).toThrow(/bad number/);
});

it("grammars with lexers too large to be compiled for speed are told by their files", () => {
  const large = Object.entries(GRAMMARS).filter(([, grammar]) => !isWorthTwice(readFileSync(grammarFile(grammar))));
  const names = large.map(([name]) => name).sort();
  expect(names).toEqual(["bash", "cpp", "kotlin", "ocaml", "powershell", "rescript", "swift", "tlaplus"]);
});
