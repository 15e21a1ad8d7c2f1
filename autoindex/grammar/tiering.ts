/**
 * Which grammars V8 may compile a second time, for speed (see process/child.ts). It takes a function for hot by the bytes
 * of code that it ran through, and each return counts as all of them: so a lexer, one function of up to 600 KB, is hot
 * after a few files. Compiling it takes seconds, and it has a few percent of the time that reading takes: most of that is
 * spent in the parser's runtime, which all grammars have in common.
 */
import { setFlagsFromString } from "node:v8";
import { largestFunction } from "./wasm-sections.js";

/**
 * Bytes of code in one function from which on its grammar stays as it was compiled first. Ruby's lexer, of 83 KB, takes as
 * long to compile as it gains over 20 MB; Bash's, of 162 KB, ten times as long as a few scripts gain.
 */
const LARGE_FUNCTION = 100_000;

let hasTiers = false;

/** Says that this process compiles what is hot a second time, which the grammars loaded from now on are chosen for. */
export function chooseTiers(): void {
  hasTiers = true;
}

/** To be called before a grammar's module is compiled. */
export function tuneFor(wasm: Uint8Array): void {
  if (hasTiers) setFlagsFromString(isWorthTwice(wasm) ? "--wasm-dynamic-tiering" : "--no-wasm-dynamic-tiering");
}

/** Whether none of its functions is so large that it is dear to compile for speed. */
export function isWorthTwice(wasm: Uint8Array): boolean {
  return largestFunction(wasm) < LARGE_FUNCTION;
}
