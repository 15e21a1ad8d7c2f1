/** Addresses as RFC 5952 writes them. Part of the segment's format, see print-number.ts. */
import type { ByteOutput } from "./byte-output.js";
import { printPadded } from "./print-number.js";

const ADDRESS_BYTES = 16;
const DOT = 0x2e;

/** Turns the 16 bytes that `output` ends with (Lucene's InetAddressPoint) into text: IPv4 dotted, IPv6 in groups. */
export function printLastAddress(output: ByteOutput): void {
  const start = output.at - ADDRESS_BYTES;
  const { bytes } = output;
  let zeros = 0;
  while (zeros < 10 && bytes[start + zeros] === 0) zeros++;
  if (zeros === 10 && bytes[start + 10] === 0xff && bytes[start + 11] === 0xff) printQuad(output, start);
  else printGroups(output, start);
}

function printQuad(output: ByteOutput, start: number): void {
  const { bytes } = output;
  const [a, b, c, d] = [bytes[start + 12], bytes[start + 13], bytes[start + 14], bytes[start + 15]];
  output.at = start;
  printPart(a, output);
  output.byte(DOT);
  printPart(b, output);
  output.byte(DOT);
  printPart(c, output);
  output.byte(DOT);
  printPart(d, output);
}

function printPart(value: number, output: ByteOutput): void {
  printPadded(value, value < 10 ? 1 : value < 100 ? 2 : 3, output);
}

/** Eight groups, the first of the longest runs of two or more zeros folded. */
function printGroups(output: ByteOutput, start: number): void {
  const groups: number[] = [];
  for (let at = start; at < start + ADDRESS_BYTES; at += 2) {
    groups.push((output.bytes[at] << 8) | output.bytes[at + 1]);
  }
  output.at = start;
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(":");
  const { first, length } = longestZeros(groups);
  output.ascii(length < 2 ? hex(0, 8) : `${hex(0, first)}::${hex(first + length, 8)}`);
}

function longestZeros(groups: readonly number[]): { first: number; length: number } {
  let best = { first: 0, length: 0 };
  for (let first = 0; first < groups.length; first++) {
    let length = 0;
    while (first + length < groups.length && groups[first + length] === 0) length++;
    if (length > best.length) best = { first, length };
  }
  return best;
}
