/**
 * CBOR (RFC 8949) from and to JSON text. Numbers keep what they are: a library would hand 1.0 over as 1, and a field made
 * of it would be whole. Tags are passed over but for big numbers; byte strings become base64, as Jackson reads them.
 */
import { printDouble, printFloat } from "../../json/print.js";
import type { Tree } from "../../json/tree.js";
import { ByteSink } from "./byte-sink.js";
import { ByteSource, numberText } from "./byte-source.js";

const BREAK = 0xff;
const INDEFINITE = 31;
const Major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;
const Tag = { positiveBig: 2, negativeBig: 3 } as const;

/** JSON text of one CBOR value. Throws ApiError 400. */
export function readCbor(bytes: Buffer): string {
  const source = new ByteSource(bytes, "CBOR");
  const text = readItem(source);
  if (!source.done) throw source.wrong("something follows the value");
  return text;
}

function readItem(source: ByteSource): string {
  const head = source.byte();
  const major = head >>> 5;
  const low = head & 31;
  switch (major) {
    case Major.unsigned:
      return String(argument(source, low));
    case Major.negative:
      return String(-1n - argument(source, low));
    case Major.bytes:
      return JSON.stringify(stringBytes(source, low, Major.bytes).toString("base64"));
    case Major.text:
      return source.text(stringBytes(source, low, Major.text));
    case Major.array:
      return source.within(() => `[${items(source, low, () => readItem(source)).join(",")}]`);
    case Major.map:
      return source.within(() => `{${items(source, low, () => readMember(source)).join(",")}}`);
    case Major.tag:
      return readTagged(source, argument(source, low));
    default:
      return readSimple(source, low);
  }
}

/** The number that goes with a head: in it, or in the bytes that follow. */
function argument(source: ByteSource, low: number): bigint {
  if (low < 24) return BigInt(low);
  if (low === 24) return BigInt(source.byte());
  if (low === 25) return BigInt(source.unsigned(2));
  if (low === 26) return BigInt(source.unsigned(4));
  if (low === 27) return source.take(8).readBigUInt64BE(0);
  throw source.wrong("a head that means nothing");
}

function lengthOf(source: ByteSource, low: number): number {
  const length = argument(source, low);
  if (length > BigInt(source.left)) throw source.wrong("a length beyond the end");
  return Number(length);
}

/** A string's bytes, its pieces joined. */
function stringBytes(source: ByteSource, low: number, major: number): Buffer {
  if (low !== INDEFINITE) return source.take(lengthOf(source, low));
  const pieces: Buffer[] = [];
  for (let head = source.byte(); head !== BREAK; head = source.byte()) {
    if (head >>> 5 !== major || (head & 31) === INDEFINITE) throw source.wrong("a piece of another kind in a string");
    pieces.push(source.take(lengthOf(source, head & 31)));
  }
  return Buffer.concat(pieces);
}

function items(source: ByteSource, low: number, read: () => string): string[] {
  const texts: string[] = [];
  if (low === INDEFINITE) {
    while (source.peek() !== BREAK) texts.push(read());
    source.byte();
    return texts;
  }
  for (let count = lengthOf(source, low); count > 0; count--) texts.push(read());
  return texts;
}

function readMember(source: ByteSource): string {
  const key = readItem(source);
  if (/^[[{]/.test(key)) throw source.wrong("a key that is no text");
  return `${key.startsWith('"') ? key : JSON.stringify(key)}:${readItem(source)}`;
}

function readTagged(source: ByteSource, tag: bigint): string {
  const big = tag === BigInt(Tag.positiveBig) || tag === BigInt(Tag.negativeBig);
  const head = source.peek();
  if (!big || head >>> 5 !== Major.bytes) return source.within(() => readItem(source));
  source.byte();
  const digits = stringBytes(source, head & 31, Major.bytes).toString("hex");
  const magnitude = digits === "" ? 0n : BigInt(`0x${digits}`);
  return String(tag === BigInt(Tag.positiveBig) ? magnitude : -1n - magnitude);
}

function readSimple(source: ByteSource, low: number): string {
  switch (low) {
    case 20:
      return "false";
    case 21:
      return "true";
    case 22:
    case 23:
      return "null";
    case 25:
      return numberText(source, halfOf(source.unsigned(2)), printFloat);
    case 26:
      return numberText(source, source.take(4).readFloatBE(0), printFloat);
    case 27:
      return numberText(source, source.take(8).readDoubleBE(0), printDouble);
    default:
      throw source.wrong(`the simple value ${low} means nothing in JSON`);
  }
}

/** IEEE 754 binary16. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** A JSON tree as CBOR. */
export function printCbor(tree: Tree): Buffer {
  const sink = new ByteSink();
  writeItem(sink, tree);
  return sink.finish();
}

function writeItem(sink: ByteSink, tree: Tree): void {
  if (typeof tree === "string") {
    writeScalar(sink, tree);
    return;
  }
  writeHead(sink, tree.kind === "array" ? Major.array : Major.map, BigInt(tree.values.length));
  for (const [at, value] of tree.values.entries()) {
    if (tree.kind === "object") writeText(sink, tree.keys[at]);
    writeItem(sink, value);
  }
}

function writeScalar(sink: ByteSink, text: string): void {
  if (text.startsWith('"')) writeText(sink, JSON.parse(text) as string);
  else if (text === "false") sink.byte(0xf4);
  else if (text === "true") sink.byte(0xf5);
  else if (text === "null") sink.byte(0xf6);
  else if (/[.eE]/.test(text)) {
    sink.byte(0xfb);
    sink.double(Number(text));
  } else writeWhole(sink, BigInt(text));
}

function writeText(sink: ByteSink, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  writeHead(sink, Major.text, BigInt(bytes.length));
  sink.append(bytes);
}

function writeWhole(sink: ByteSink, value: bigint): void {
  const negative = value < 0n;
  const magnitude = negative ? -1n - value : value;
  if (magnitude < 2n ** 64n) {
    writeHead(sink, negative ? Major.negative : Major.unsigned, magnitude);
    return;
  }
  writeHead(sink, Major.tag, BigInt(negative ? Tag.negativeBig : Tag.positiveBig));
  const hex = magnitude.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  writeHead(sink, Major.bytes, BigInt(bytes.length));
  sink.append(bytes);
}

function writeHead(sink: ByteSink, major: number, value: bigint): void {
  const high = major << 5;
  const number = Number(value);
  if (value < 24n) sink.byte(high | number);
  else if (value < 0x100n) {
    sink.byte(high | 24);
    sink.byte(number);
  } else if (value < 0x10000n) {
    sink.byte(high | 25);
    sink.unsigned(number, 2);
  } else if (value < 0x100000000n) {
    sink.byte(high | 26);
    sink.unsigned(number, 4);
  } else {
    sink.byte(high | 27);
    sink.unsigned64(value);
  }
}
