/** JSON to Smile (smile-format.ts), without references. */
import type { Tree } from "../../json/tree.js";
import { ByteSink } from "./byte-sink.js";
import { SMILE_HEADER, Token } from "./smile-format.js";

/** A JSON tree as one Smile document. */
export function printSmile(tree: Tree): Buffer {
  const sink = new ByteSink();
  for (const byte of SMILE_HEADER) sink.byte(byte);
  sink.byte(0);
  writeValue(sink, tree);
  return sink.finish();
}

function writeValue(sink: ByteSink, tree: Tree): void {
  if (typeof tree === "string") {
    writeScalar(sink, tree);
    return;
  }
  const array = tree.kind === "array";
  sink.byte(array ? Token.arrayStart : Token.objectStart);
  for (const [at, value] of tree.values.entries()) {
    if (tree.kind === "object") writeName(sink, tree.keys[at]);
    writeValue(sink, value);
  }
  sink.byte(array ? Token.arrayEnd : Token.objectEnd);
}

function writeScalar(sink: ByteSink, text: string): void {
  if (text.startsWith('"')) writeText(sink, JSON.parse(text) as string);
  else if (text === "null") sink.byte(Token.null);
  else if (text === "false") sink.byte(Token.false);
  else if (text === "true") sink.byte(Token.true);
  else if (/[.eE]/.test(text)) writeDouble(sink, Number(text));
  else writeWhole(sink, BigInt(text));
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

function writeText(sink: ByteSink, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  const ascii = isAscii(bytes);
  if (bytes.length === 0) sink.byte(Token.empty);
  else if (ascii && bytes.length <= 64) sink.byte(0x3f + bytes.length);
  else if (!ascii && bytes.length <= 65) sink.byte(0x7e + bytes.length);
  else sink.byte(ascii ? Token.longAscii : Token.longText);
  sink.append(bytes);
  if (bytes.length > (ascii ? 64 : 65)) sink.byte(Token.textEnd);
}

function writeName(sink: ByteSink, name: string): void {
  const bytes = Buffer.from(name, "utf8");
  const ascii = isAscii(bytes);
  const isShort = bytes.length <= (ascii ? 64 : 57);
  if (bytes.length === 0) sink.byte(Token.empty);
  else if (!isShort) sink.byte(Token.longName);
  else sink.byte((ascii ? 0x7f : 0xbe) + bytes.length);
  sink.append(bytes);
  if (!isShort) sink.byte(Token.textEnd);
}

const INT = 2n ** 31n;
const LONG = 2n ** 63n;

function writeWhole(sink: ByteSink, value: bigint): void {
  const zigzag = value < 0n ? (-value << 1n) - 1n : value << 1n;
  if (zigzag < 32n) sink.byte(0xc0 | Number(zigzag));
  else if (value >= -INT && value < INT) {
    sink.byte(Token.int);
    writeVint(sink, zigzag);
  } else if (value >= -LONG && value < LONG) {
    sink.byte(Token.long);
    writeVint(sink, zigzag);
  } else writeBig(sink, value);
}

function writeVint(sink: ByteSink, value: bigint): void {
  const bytes = [0x80 | Number(value & 0x3fn)];
  for (let rest = value >> 6n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn));
  for (const byte of bytes) sink.byte(byte);
}

function writeBig(sink: ByteSink, value: bigint): void {
  let length = 1;
  while (BigInt.asIntN(length * 8, value) !== value) length++;
  const hex = BigInt.asUintN(length * 8, value)
    .toString(16)
    .padStart(length * 2, "0");
  sink.byte(Token.bigInteger);
  writeVint(sink, BigInt(length));
  writePacked(sink, Buffer.from(hex, "hex"));
}

function writePacked(sink: ByteSink, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += 7) {
    const group = bytes.subarray(at, at + 7);
    const bits = BigInt(`0x${group.toString("hex")}`);
    const count = group.length;
    for (let i = 0; i < count; i++) sink.byte(Number((bits >> BigInt(8 * count - 7 * (i + 1))) & 0x7fn));
    sink.byte(Number(bits & BigInt((1 << count) - 1)));
  }
}

function writeDouble(sink: ByteSink, value: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const bits = bytes.readBigUInt64BE();
  sink.byte(Token.double);
  for (let shift = 63n; shift >= 0n; shift -= 7n) sink.byte(Number((bits >> shift) & 0x7fn));
}
