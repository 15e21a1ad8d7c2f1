/**
 * Rewrites the module header of older grammars.
 *
 * A side module begins with a custom section of facts for the loader. Older compilers wrote `dylink`: memory size and
 * alignment, table size and alignment, count of needed libraries and their names. The present loader wants `dylink.0`:
 * the same facts as sub-sections, 1 for the four numbers and 2 for the libraries. All else stays as it is.
 */
import { HEADER_BYTES, readNumber, Section } from "./wasm-sections.js";

const MEMORY_FACTS = 1;
const NEEDED_LIBRARIES = 2;

/** The module's bytes with a header that the loader reads; the same bytes when there is nothing to rewrite. */
export function withCurrentHeader(wasm: Uint8Array): Uint8Array {
  if (wasm[HEADER_BYTES] !== Section.custom) return wasm;
  const size = readNumber(wasm, HEADER_BYTES + 1);
  const end = size.next + size.value;
  const length = readNumber(wasm, size.next);
  const name = Buffer.from(wasm.subarray(length.next, length.next + length.value)).toString("latin1");
  if (name !== "dylink") return wasm;
  let at = length.next + length.value;
  const numbersAt = at;
  for (let fact = 0; fact < 4; fact++) at = readNumber(wasm, at).next;
  const body = Buffer.concat([
    Buffer.from([8]),
    Buffer.from("dylink.0"),
    subSection(MEMORY_FACTS, wasm.subarray(numbersAt, at)),
    subSection(NEEDED_LIBRARIES, wasm.subarray(at, end)),
  ]);
  const head = Buffer.from([Section.custom, ...writeNumber(body.length)]);
  return Buffer.concat([wasm.subarray(0, HEADER_BYTES), head, body, wasm.subarray(end)]);
}

function subSection(id: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([id, ...writeNumber(content.length)]), content]);
}

function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}
